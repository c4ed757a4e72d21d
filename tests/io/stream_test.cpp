// Standard input and output, pipes, and files whose size changes.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <thread>

#include "io/npy.hpp"
#include "io/safetensors.hpp"
#include "io/support/files.hpp"
#include "io/support/golden.hpp"
#include "io/support/npy_file.hpp"
#include "io/tensor_proto_file.hpp"

namespace halfulp::io::test {
namespace {

// Puts `fd`, which it closes, in the place of standard input or output, and later restores that.
class redirection {
 public:
  redirection(int standard, int fd) : standard_(standard), before_(::dup(standard)) {
    ::dup2(fd, standard);
    ::close(fd);
  }
  ~redirection() {
    ::dup2(before_, standard_);
    ::close(before_);
  }
  redirection(const redirection&) = delete;
  redirection& operator=(const redirection&) = delete;

 private:
  int standard_;
  int before_;
};

void write_all(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t done = ::write(fd, content.data(), content.size());
    if (done <= 0) break;
    content.remove_prefix(static_cast<std::size_t>(done));
  }
  ::close(fd);
}

// Calls `action` while standard input is a pipe that carries `content`.
template <typename Action>
auto with_piped_input(std::string_view content, Action action) {
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::thread feeder([&] { write_all(ends[1], content); });
  struct join {
    std::thread& thread;
    ~join() { thread.join(); }
  } const joined{feeder};
  const redirection input(STDIN_FILENO, ends[0]);
  return action();
}

std::string dictionary(std::string_view descr, std::string_view shape) {
  return "{'descr': '" + std::string(descr) +
         "', 'fortran_order': False, 'shape': " + std::string(shape) + ", }";
}

TEST(stream, reads_npy_from_a_pipe) {
  const std::string golden = read_file(golden_path("float64_big.npy"));
  const loaded_tensor tensor = with_piped_input(golden, [] { return read_tensor("-"); });
  EXPECT_EQ(elements_of(tensor), golden_elements(dtype::float64));
  const file_info info = with_piped_input(golden, [] { return inspect_tensors("-"); });
  EXPECT_EQ(info.tensors.at(0).data_bytes, 48u);
}

TEST(stream, a_pipe_may_carry_more_than_fits_it) {
  std::string elements(10'000'000, '\0');
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<char>(i * i >> 7);
  const std::string file = npy_file(dictionary("<u4", "(2500000,)"), elements);
  EXPECT_EQ(elements_of(with_piped_input(file, [] { return read_tensor("-"); })), elements);
  EXPECT_EQ(with_piped_input(file, [] { return inspect_tensors("-"); }).tensors.at(0).data_bytes,
            elements.size());
}

TEST(stream, a_pipe_that_ends_early_or_goes_on_is_an_error) {
  const std::string golden = read_file(golden_path("float32.npy"));
  for (std::size_t size = 0; size < golden.size(); ++size) {
    for (const bool inspect : {false, true}) {
      expect_error(errc::invalid_file,
                   [&] {
                     with_piped_input(std::string_view(golden).substr(0, size), [&] {
                       if (inspect) {
                         inspect_tensors("-");
                       } else {
                         read_tensor("-");
                       }
                     });
                   },
                   {"standard input: ends within its"});
    }
  }
  expect_error(errc::invalid_file,
               [&] { with_piped_input(golden + "x", [] { return read_tensor("-"); }); },
               {"standard input: goes on after the data"});
  expect_error(errc::invalid_file,
               [&] { with_piped_input(golden + "x", [] { return inspect_tensors("-"); }); },
               {"standard input: goes on after the data"});
}

TEST(stream, other_types_on_a_pipe_are_listed) {
  const file_info info = with_piped_input(npy_file(dictionary("|S3", "(2,)"), "abcdef"),
                                          [] { return inspect_tensors("-"); });
  EXPECT_EQ(info.tensors.at(0).stored_type, "|S3");
  EXPECT_EQ(info.tensors.at(0).data_bytes, 6u);
}

TEST(stream, standard_input_may_be_a_file_that_was_begun) {
  const temporary_folder folder;
  write_file(folder / "x", "begun" + read_file(golden_path("float32.npy")));
  const auto open_begun = [&] {
    const int fd = ::open((folder / "x").c_str(), O_RDONLY);
    ::lseek(fd, 5, SEEK_SET);
    return fd;
  };
  {
    const redirection input(STDIN_FILENO, open_begun());
    EXPECT_EQ(elements_of(read_tensor("-")), golden_elements(dtype::float32));
  }
  std::filesystem::resize_file(folder / "x", 5 + 128 + 23);
  const redirection input(STDIN_FILENO, open_begun());
  expect_error(errc::invalid_file, [] { read_tensor("-"); },
               {"standard input: ends within its data: 23 of 24 bytes"});
}

TEST(stream, closed_standard_streams_are_errors) {
  const int input = ::dup(STDIN_FILENO);
  const int output = ::dup(STDOUT_FILENO);
  ::close(STDIN_FILENO);
  ::close(STDOUT_FILENO);
  expect_error(errc::io, [] { read_tensor("-"); }, {"standard input: Bad file descriptor"});
  expect_error(errc::io, [] { tensor_writer("-", dtype::float32, {1}, ""); },
               {"standard output: Bad file descriptor"});
  ::dup2(input, STDIN_FILENO);
  ::dup2(output, STDOUT_FILENO);
  ::close(input);
  ::close(output);
}

TEST(stream, writes_npy_to_standard_output) {
  const temporary_folder folder;
  {
    const redirection output(STDOUT_FILENO,
                             ::open((folder / "x.npy").c_str(), O_WRONLY | O_CREAT, 0600));
    write_tensor("-", dtype::float32, golden_shape, golden_elements(dtype::float32));
  }
  EXPECT_EQ(read_file(folder / "x.npy"), read_file(golden_path("float32.npy")));
}

TEST(stream, a_full_standard_output_is_an_error) {
  const redirection output(STDOUT_FILENO, ::open("/dev/full", O_WRONLY));
  expect_error(errc::io, [] { write_tensor("-", dtype::float32, {1}, "1234"); },
               {"cannot write standard output: No space left on device"});
}

TEST(stream, named_pipes_are_read_and_written) {
  const temporary_folder folder;
  for (const char* name : {"x.npy", "x.pb"}) {
    const std::string path = folder / name;
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    std::string elements(1'000'000, 'e');
    std::thread writer([&] { write_tensor(path, dtype::uint32, {250'000}, elements); });
    const loaded_tensor tensor = read_tensor(path);
    writer.join();
    EXPECT_EQ(elements_of(tensor), elements);
    EXPECT_TRUE(std::filesystem::is_fifo(path));
  }
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"x.npy", "x.pb"}));
}

// A file that is cut after it was opened, when its size has been asked for.
TEST(shrinking, is_an_error_in_every_format) {
  const temporary_folder folder;
  struct {
    const char* name;
    loaded_tensor (*read)(input_file&, const request&);
  } const formats[] = {
      {"x.npy", npy::read}, {"x.pb", tensor_proto::read}, {"x.safetensors", safetensors::read}};
  for (const auto& format : formats) {
    write_tensor(folder / format.name, dtype::uint32, {1000}, std::string(4000, 'e'));
    const std::uintmax_t whole = std::filesystem::file_size(folder / format.name);
    for (const std::uintmax_t size :
         {whole - 1, whole / 2, whole - 4000, std::uintmax_t{5}, std::uintmax_t{0}}) {
      SCOPED_TRACE(testing::Message() << format.name << " cut to " << size);
      write_tensor(folder / format.name, dtype::uint32, {1000}, std::string(4000, 'e'));
      input_file in(folder / format.name);
      std::filesystem::resize_file(folder / format.name, size);
      expect_error(errc::io, [&] { format.read(in, {}); },
                   {format.name, "it shrank while it was read"});
    }
  }
}

TEST(shrinking, while_it_is_read_never_crashes) {
  const temporary_folder folder;
  const std::string path = folder / "x.npy";
  const std::string header = npy_file(dictionary("<u4", "(16777216,)"), "");
  const std::uintmax_t whole = header.size() + (std::uintmax_t{4} << 24);
  write_file(path, header);
  std::filesystem::resize_file(path, whole);
  std::atomic<bool> done{false};
  std::thread cutter([&] {
    while (!done) {
      std::filesystem::resize_file(path, whole / 2);
      std::filesystem::resize_file(path, whole);
    }
  });
  for (int i = 0; i < 30; ++i) {
    try {
      const loaded_tensor tensor = read_tensor(path);
      EXPECT_EQ(tensor.data[whole - header.size() - 1], std::byte{0});
    } catch (const error& problem) {
      const std::string_view message = problem.what();
      EXPECT_TRUE(message.find("it shrank while it was read") != message.npos ||
                  message.find("ends within its data") != message.npos)
          << message;
    }
  }
  done = true;
  cutter.join();
}

}  // namespace
}  // namespace halfulp::io::test
