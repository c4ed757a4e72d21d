// What FILE and FILE:NAME mean.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "io/support/files.hpp"
#include "io/support/golden.hpp"

namespace halfulp::io::test {
namespace {

const std::string element = bytes_of<float>({1.5f});

TEST(location, the_first_colon_after_the_ending_splits) {
  const temporary_folder folder;
  const std::string file = folder / "x.safetensors";
  for (const std::string name : {"a.safetensors:b", "x.npy", "/", "-", ":"}) {
    write_tensor(file, dtype::float32, {1}, element, name);
    EXPECT_EQ(read_tensor(std::string(file).append(":").append(name)).name, name);
    EXPECT_EQ(read_tensor(file).name, name);
  }
}

TEST(location, a_file_of_the_whole_name_wins) {
  const temporary_folder folder;
  write_tensor(folder / "x.safetensors", dtype::float32, {1}, element, "y.npy");
  const std::string where = folder / "x.safetensors:y.npy";
  EXPECT_EQ(read_tensor(where).name, "y.npy");
  write_tensor(where, dtype::int32, {1}, element);
  EXPECT_EQ(read_tensor(where).layout.type, dtype::int32);
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"x.safetensors", "x.safetensors:y.npy"}));
}

TEST(location, unknown_endings_are_errors) {
  for (const char* where : {"", "x", "x.txt", "x.NPY", "npy", "x.npy ", "x.npy:y", "x.pb:y", "."}) {
    SCOPED_TRACE(where);
    for (const auto& action : std::initializer_list<std::function<void()>>{
             [&] { read_tensor(where); }, [&] { inspect_tensors(where); },
             [&] { tensor_writer(where, dtype::float32, {1}, "output"); }}) {
      expect_error(
          errc::invalid_argument, action,
          {where, "unknown ending; known are .npy, .pb, .safetensors, and - for standard"});
    }
  }
}

TEST(location, an_output_takes_no_name) {
  const temporary_folder folder;
  expect_error(errc::invalid_argument,
               [&] { write_tensor(folder / "x.safetensors:w", dtype::float32, {1}, element); },
               {"x.safetensors:w: an output is a whole file, without :NAME"});
  EXPECT_TRUE(folder.names().empty());
}

TEST(location, what_cannot_be_opened_is_named) {
  const temporary_folder folder;
  expect_error(errc::io, [&] { read_tensor(folder / "none.npy"); },
               {"cannot open", "none.npy: No such file or directory"});
  expect_error(errc::io, [&] { read_tensor(folder / "none.safetensors:w"); },
               {"none.safetensors: No such file or directory"});
  std::filesystem::create_directory(folder / "folder.npy");
  expect_error(errc::io, [&] { read_tensor(folder / "folder.npy"); },
               {"folder.npy: Is a directory"});
  write_file(folder / "file.npy", "");
  expect_error(errc::io, [&] { read_tensor(folder / "file.npy/x.npy"); }, {"Not a directory"});
  expect_error(errc::io, [&] { read_tensor(folder / "line\nfeed.npy"); }, {"line\\x0afeed.npy"});
  expect_error(errc::io, [&] { read_tensor(folder / (std::string(300, 'x') + ".npy")); },
               {"File name too long"});
  if (::geteuid() != 0) {  // root may read anything
    std::filesystem::permissions(folder / "file.npy", std::filesystem::perms::none);
    expect_error(errc::io, [&] { read_tensor(folder / "file.npy"); }, {"Permission denied"});
  }
}

}  // namespace
}  // namespace halfulp::io::test
