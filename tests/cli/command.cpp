// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <system_error>

namespace halfulp::test {
namespace {

void check(int error, const char* what) {
  if (error != 0) throw std::system_error(error, std::generic_category(), what);
}

outcome spawn(const std::vector<std::string>& command, const std::string& input) {
  // Files instead of pipes: neither side can block the other.
  const std::string out = ".stdout", err = ".stderr";
  std::vector<char*> argv;
  argv.reserve(command.size() + 1);
  for (const auto& argument : command) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  check(posix_spawn_file_actions_init(&actions), "posix_spawn_file_actions_init");
  constexpr int flags = O_WRONLY | O_CREAT | O_TRUNC;
  posix_spawn_file_actions_addopen(&actions, 0, input.c_str(), O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), flags, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), flags, 0600);
  pid_t child = 0;
  const int error = posix_spawn(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  check(error, argv[0]);

  int status = 0;
  if (waitpid(child, &status, 0) != child) check(errno, "waitpid");
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), read_file(out),
          read_file(err)};
}

}  // namespace

outcome halfulp(const std::vector<std::string>& arguments, const std::string& input) {
  std::vector<std::string> command{HALFULP_COMMAND};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return spawn(command, input);
}

outcome shell(const std::string& script) {
  return spawn({"/bin/sh", "-c", "halfulp=" HALFULP_COMMAND "; " + script}, "/dev/null");
}

std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void write_file(const std::string& path, std::string_view content) {
  std::ofstream file(path, std::ios::binary);
  file.write(content.data(), static_cast<std::streamsize>(content.size()));
  file.close();
  if (!file) throw std::runtime_error("cannot write " + path);
}

std::string npy_header(std::string_view descr, std::string_view shape, bool fortran_order) {
  std::string dict = "{'descr': '" + std::string(descr) +
                     "', 'fortran_order': " + (fortran_order ? "True" : "False") +
                     ", 'shape': " + std::string(shape) + ", }";
  while ((10 + dict.size() + 1) % 64 != 0) dict += ' ';
  dict += '\n';
  const auto size = static_cast<char>(dict.size());  // one byte: the dict is short
  return std::string("\x93NUMPY\x01\x00", 8) + size + '\0' + dict;
}

void command_test::SetUp() {
  start_ = std::filesystem::current_path();
  std::string name = std::filesystem::temp_directory_path() / "halfulp-test-XXXXXX";
  if (mkdtemp(name.data()) == nullptr) check(errno, "mkdtemp");
  folder_ = name;
  std::filesystem::current_path(folder_);
}

void command_test::TearDown() {
  std::filesystem::current_path(start_);
  std::filesystem::remove_all(folder_);
}

void expect_failure(const outcome& got, int status, std::string_view culprit) {
  EXPECT_EQ(got.status, status) << got.err;
  EXPECT_EQ(got.out, "");
  EXPECT_TRUE(got.err.starts_with("halfulp: error: ")) << got.err;
  EXPECT_EQ(got.err.find('\n'), got.err.size() - 1) << got.err;
  EXPECT_NE(got.err.find(culprit), std::string::npos) << got.err;
}

void expect_output(const outcome& got, std::string_view out) {
  EXPECT_EQ(got.out, out);
  EXPECT_EQ(got.err, "");
  EXPECT_EQ(got.status, 0);
}

}  // namespace halfulp::test
