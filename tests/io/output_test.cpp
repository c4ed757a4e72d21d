// Outputs appear whole or not at all.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <csignal>

#include "io/support/files.hpp"
#include "io/support/golden.hpp"

namespace halfulp::io::test {
namespace {

const std::string elements = bytes_of<float>({1.5f, -2.25f});

void write_two(const std::string& where) { write_tensor(where, dtype::float32, {2}, elements); }

void expect_two(const std::string& where) { EXPECT_EQ(elements_of(read_tensor(where)), elements); }

mode_t mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

class output : public testing::Test {
 protected:
  temporary_folder folder;
  const std::string path = folder / "x.npy";
};

TEST_F(output, nothing_shows_before_commit) {
  write_file(path, "old");
  {
    tensor_writer writer(path, dtype::float32, {2}, "output");
    EXPECT_EQ(read_file(path), "old");
    writer.commit(reinterpret_cast<const std::byte*>(elements.data()));
    expect_two(path);
    EXPECT_EQ(folder.names(), std::vector<std::string>{"x.npy"});
  }
  expect_two(path);
}

TEST_F(output, without_commit_nothing_remains) {
  { tensor_writer writer(path, dtype::float32, {2}, "output"); }
  EXPECT_TRUE(folder.names().empty());
  write_file(path, "old");
  { tensor_writer writer(path, dtype::float32, {2}, "output"); }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"x.npy"});
  EXPECT_EQ(read_file(path), "old");
}

TEST_F(output, two_writers_in_one_folder_do_not_meet) {
  tensor_writer first(path, dtype::float32, {2}, "output");
  tensor_writer second(path, dtype::float32, {2}, "output");
  const std::string other = bytes_of<float>({3, 4});
  second.commit(reinterpret_cast<const std::byte*>(other.data()));
  EXPECT_EQ(elements_of(read_tensor(path)), other);
  first.commit(reinterpret_cast<const std::byte*>(elements.data()));
  expect_two(path);
}

TEST_F(output, a_new_file_gets_the_mode_of_the_umask) {
  const mode_t before = ::umask(027);
  write_two(path);
  ::umask(before);
  EXPECT_EQ(mode_of(path), 0640u);
}

TEST_F(output, an_existing_file_keeps_its_mode) {
  for (const mode_t mode : {0600u, 0666u, 0755u, 0604u}) {
    write_file(path, "old");
    ASSERT_EQ(::chmod(path.c_str(), mode), 0);
    {
      // Nobody may read the new file meanwhile who may not read the old one.
      tensor_writer writer(path, dtype::float32, {2}, "output");
      for (const std::string& name : folder.names()) EXPECT_EQ(mode_of(folder / name), mode);
      writer.commit(reinterpret_cast<const std::byte*>(elements.data()));
    }
    EXPECT_EQ(mode_of(path), mode);
    expect_two(path);
  }
}

TEST_F(output, set_user_id_is_not_passed_on) {
  write_file(path, "old");
  ASSERT_EQ(::chmod(path.c_str(), 04755), 0);
  write_two(path);
  EXPECT_EQ(mode_of(path), 0755u);
}

TEST_F(output, a_read_only_file_is_not_replaced) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write anything";
  write_file(path, "old");
  ASSERT_EQ(::chmod(path.c_str(), 0444), 0);
  expect_error(errc::io, [&] { write_two(path); }, {"cannot write", "Permission denied"});
  EXPECT_EQ(read_file(path), "old");
}

TEST_F(output, an_input_can_be_written_over) {
  write_two(path);
  const loaded_tensor tensor = read_tensor(path);
  write_tensor(path, dtype::float32, {2}, elements_of(tensor));
  expect_two(path);
}

TEST_F(output, a_link_leads_to_its_target) {
  std::filesystem::create_directory(folder / "deep");
  write_file(folder / "deep/target.npy", "old");
  std::filesystem::create_symlink("deep/target.npy", folder / "relative.npy");
  std::filesystem::create_symlink(folder / "relative.npy", path);
  write_two(path);
  EXPECT_TRUE(std::filesystem::is_symlink(path));
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "relative.npy"));
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "deep/target.npy"));
  expect_two(folder / "deep/target.npy");
  EXPECT_EQ(folder.names(), (std::vector<std::string>{"deep", "relative.npy", "x.npy"}));
}

TEST_F(output, a_link_to_nothing_makes_its_target) {
  std::filesystem::create_symlink("later.npy", path);
  write_two(path);
  EXPECT_TRUE(std::filesystem::is_symlink(path));
  expect_two(folder / "later.npy");
}

TEST_F(output, a_link_into_a_missing_folder_is_an_error) {
  std::filesystem::create_symlink("nowhere/later.npy", path);
  expect_error(errc::io, [&] { write_two(path); }, {"x.npy: No such file or directory"});
}

TEST_F(output, a_circle_of_links_is_an_error) {
  std::filesystem::create_symlink("x.npy", folder / "y.npy");
  std::filesystem::create_symlink("y.npy", path);
  expect_error(errc::io, [&] { write_two(path); }, {"Too many levels of symbolic links"});
  EXPECT_EQ(folder.names().size(), 2u);
}

TEST_F(output, a_missing_folder_shows_at_once) {
  expect_error(errc::io,
               [&] { tensor_writer(folder / "none/x.npy", dtype::float32, {2}, "output"); },
               {"cannot write to the folder of", "none/x.npy: No such file or directory"});
  write_file(folder / "file", "");
  expect_error(errc::io,
               [&] { tensor_writer(folder / "file/x.npy", dtype::float32, {2}, "output"); },
               {"Not a directory"});
  EXPECT_EQ(folder.names(), std::vector<std::string>{"file"});
}

TEST_F(output, a_folder_cannot_be_written) {
  std::filesystem::create_directory(path);
  expect_error(errc::io, [&] { write_two(path); }, {"cannot write", "Is a directory"});
}

TEST_F(output, a_target_that_became_a_folder_is_an_error) {
  tensor_writer writer(path, dtype::float32, {2}, "output");
  std::filesystem::create_directory(path);
  expect_error(errc::io,
               [&] { writer.commit(reinterpret_cast<const std::byte*>(elements.data())); },
               {"cannot write", "Is a directory"});
}

TEST_F(output, a_device_is_written_straight) {
  std::filesystem::create_symlink("/dev/null", path);
  write_two(path);
  EXPECT_TRUE(std::filesystem::is_symlink(path));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  EXPECT_EQ(folder.names(), std::vector<std::string>{"x.npy"});
}

TEST_F(output, a_full_device_is_an_error) {
  for (const char* name : {"full.npy", "full.pb", "full.safetensors"}) {
    std::filesystem::create_symlink("/dev/full", folder / name);
    expect_error(errc::io, [&] { write_two(folder / name); },
                 {"cannot write", name, "No space left on device"});
  }
}

// The nearest thing to a full disk that needs no disk of its own: a limit on the size of files.
class file_size_limit {
 public:
  explicit file_size_limit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~file_size_limit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  file_size_limit(const file_size_limit&) = delete;
  file_size_limit& operator=(const file_size_limit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

TEST_F(output, what_cannot_be_written_whole_leaves_the_old_file) {
  const std::string big(1 << 20, 'x');
  write_file(path, "old");
  for (const rlim_t limit : {0, 50, 128, 1000, 1 << 20}) {
    const file_size_limit full(limit);
    expect_error(errc::io, [&] { write_tensor(path, dtype::uint32, {1 << 18}, big); },
                 {"cannot write", "x.npy: File too large"});
    EXPECT_EQ(folder.names(), std::vector<std::string>{"x.npy"});
  }
  EXPECT_EQ(read_file(path), "old");
  write_tensor(path, dtype::uint32, {1 << 18}, big);
  EXPECT_EQ(elements_of(read_tensor(path)), big);
}

TEST_F(output, shapes_that_no_file_can_have_are_errors) {
  for (const char* name : {"x.npy", "x.pb", "x.safetensors"}) {
    const auto expect_shape = [&](std::vector<std::int64_t> shape, std::string_view part) {
      expect_error(errc::invalid_file,
                   [&] { tensor_writer(folder / name, dtype::float32, shape, "output"); },
                   {name, part});
    };
    expect_shape({-1}, "negative extent");
    expect_shape({INT64_MAX}, "too large");
    expect_shape(std::vector<std::int64_t>(65, 1), "65 axes; at most 64");
  }
  EXPECT_TRUE(folder.names().empty());
}

TEST_F(output, no_descriptor_is_left_open) {
  const std::size_t before = open_descriptors();
  write_two(path);
  read_tensor(path);
  inspect_tensors(path);
  EXPECT_ANY_THROW(write_two(folder / "none/x.npy"));
  { tensor_writer writer(path, dtype::float32, {2}, "output"); }
  EXPECT_EQ(open_descriptors(), before);
}

}  // namespace
}  // namespace halfulp::io::test
