// What a file claims is not believed: no memory is asked for that its bytes do not justify.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>

#include "io/support/counted_memory.hpp"
#include "io/support/files.hpp"
#include "io/support/npy_file.hpp"
#include "io/tensor_proto.hpp"

namespace halfulp::io::test {
namespace {

constexpr std::size_t little = 200'000;

void expect_little_memory(const std::function<void()>& action) {
  largest_request = 0;
  expect_error(errc::invalid_file, action, {});
  EXPECT_LT(largest_request, little);
}

void expect_refused_with_little_memory(const std::string& path) {
  expect_little_memory([&] { read_tensor(path); });
  expect_little_memory([&] { inspect_tensors(path); });
}

std::string claim(std::string_view shape) {
  return npy_file("{'descr': '<f4', 'fortran_order': False, 'shape': " + std::string(shape) + "}",
                  "some data");
}

TEST(memory, is_counted) {
  largest_request = 0;
  allocate_buffer(12345);
  EXPECT_EQ(largest_request, 12345u);
  EXPECT_GE(std::string(54321, 'x').size(), 54321u);
  EXPECT_GE(largest_request, 54321u);
}

TEST(memory, npy_files_cannot_claim_it) {
  const temporary_folder folder;
  for (const char* shape : {"(1000000,)", "(1000000000000,)", "(2000000000000000000,)",
                            "(99999999999999999999,)", "(1000000000, 1000000000)"}) {
    write_file(folder / "x.npy", claim(shape));
    expect_refused_with_little_memory(folder / "x.npy");
  }
  write_file(folder / "x.npy", std::string("\x93NUMPY\x02\0\xff\xff\xff\x7f", 12));
  expect_refused_with_little_memory(folder / "x.npy");
}

TEST(memory, pipes_cannot_claim_it) {
  for (const char* shape : {"(1000000,)", "(250000000000000,)", "(2000000000000000000,)"}) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const std::string content = claim(shape);
    ASSERT_EQ(::write(ends[1], content.data(), content.size()),
              static_cast<ssize_t>(content.size()));
    ::close(ends[1]);
    const int before = ::dup(STDIN_FILENO);
    ::dup2(ends[0], STDIN_FILENO);
    ::close(ends[0]);
    expect_little_memory([] { read_tensor("-"); });
    ::dup2(before, STDIN_FILENO);
    ::close(before);
  }
}

TEST(memory, tensor_protos_cannot_claim_it) {
  const temporary_folder folder;
  using namespace std::string_literals;
  for (const std::string& content : {
           "\x08\x80\x80\x80\x80\x80\x80\x80\x80\x20\x10\x01\x4a\x04"s + "1234",  // 2^61 floats
           "\x10\x01\x4a\xff\xff\xff\xff\x07"s,          // raw_data of 2^31 - 1 bytes
           "\x10\x01\x22\xfc\xff\xff\xff\x07"s,          // float_data as long
           "\x10\x01\x42\xff\xff\xff\xff\x07"s,          // a name as long
           "\x10\x01\x0a\xff\xff\xff\xff\x07"s + "\x01"  // dims as long
       }) {
    write_file(folder / "x.pb", content);
    expect_refused_with_little_memory(folder / "x.pb");
  }
  // A hundred thousand dims are no reason to keep them.
  const std::string dims = std::string(100'000, '\x01');
  write_file(folder / "x.pb", "\x0a\xa0\x8d\x06" + dims + "\x10\x01");
  expect_refused_with_little_memory(folder / "x.pb");
}

TEST(memory, safetensors_cannot_claim_it) {
  const temporary_folder folder;
  const auto header = [](std::string_view text, std::uint64_t length) {
    return little_endian(length, 8) + std::string(text);
  };
  const std::string big =
      R"({"w":{"dtype":"F32","shape":[1000000000000],"data_offsets":[0,4000000000000]}})";
  for (const std::string& content :
       {header("{}", 100'000'000), header("{}", 1ULL << 62), header(big, big.size())}) {
    write_file(folder / "x.safetensors", content);
    expect_refused_with_little_memory(folder / "x.safetensors");
  }
}

// Of a file with large tensors only the picked one's bytes are read.
TEST(memory, other_tensors_are_not_read) {
  const temporary_folder folder;
  const std::string text =
      R"({"a":{"dtype":"U8","shape":[5000000000],"data_offsets":[0,5000000000]},)"
      R"("b":{"dtype":"F32","shape":[1],"data_offsets":[5000000000,5000000004]},)"
      R"("c":{"dtype":"U8","shape":[9],"data_offsets":[5000000004,5000000013]}})";
  const std::string path = folder / "x.safetensors";
  write_file(path, little_endian(text.size(), 8) + text);
  std::filesystem::resize_file(path, 8 + text.size() + 5'000'000'013);  // takes no space
  {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(8 + text.size() + 5'000'000'000));
    file << "here";
  }
  largest_request = 0;
  EXPECT_EQ(elements_of(read_tensor(path + ":b")), "here");
  EXPECT_EQ(inspect_tensors(path).tensors.size(), 3u);
  EXPECT_LT(largest_request, little);
}

}  // namespace
}  // namespace halfulp::io::test
