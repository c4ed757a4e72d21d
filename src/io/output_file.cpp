// SPDX-License-Identifier: Apache-2.0
#include "io/output_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>

namespace halfulp::io {

namespace {

// As many links as Linux follows.
constexpr int most_links = 40;

// The file that `path` leads to, which need not exist.
std::filesystem::path follow_links(std::filesystem::path path, const std::string& label) {
  std::error_code error;
  for (int links = 0; links <= most_links; ++links) {
    if (!std::filesystem::is_symlink(std::filesystem::symlink_status(path, error))) return path;
    const std::filesystem::path target = std::filesystem::read_symlink(path, error);
    if (error) fail_system(error.value(), "write", label);
    path = path.parent_path() / target;  // an absolute target replaces the folder
  }
  fail_system(ELOOP, "write", label);
}

}  // namespace

std::string output_label(const std::string& path) {
  return path == "-" ? "standard output" : printable(path, longest_path);
}

output_file::output_file(const std::string& path) : label_(output_label(path)) {
  if (path == "-") {
    // The copy of descriptor 1 can be closed, and its errors seen, like any other.
    fd_ = descriptor(::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3));
    if (!fd_.is_open()) fail_system(errno, "write", label_);
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) fail_system(errno, "write", label_);
  if (exists && !S_ISREG(status.st_mode)) {
    fd_ = descriptor(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!fd_.is_open()) fail_system(errno, "write", label_);
    return;
  }
  // Renaming needs no permission to write the file itself, but one who took it away means it.
  if (exists && ::faccessat(AT_FDCWD, path.c_str(), W_OK, AT_EACCESS) != 0) {
    fail_system(errno, "write", label_);
  }
  target_ = follow_links(path, label_).string();
  create_temporary(exists ? static_cast<int>(status.st_mode & 0777) : 0666);
  // Creation left out the bits of the umask.
  // Set-user-ID and its like are not kept: the new file may have another owner.
  if (exists && ::fchmod(fd_.get(), status.st_mode & 0777) != 0) {
    const int error = errno;
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    fail_system(error, "keep the mode of", label_);
  }
}

output_file::~output_file() {
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

// With the mode of the file to be replaced from the start, so that nobody can open the new file who
// may not read the old one. Without a name where the file system can do that: then nothing is left
// behind whatever ends the program.
void output_file::create_temporary(int mode) {
  const std::filesystem::path folder = std::filesystem::path(target_).parent_path();
  if (::access("/proc/self/fd", X_OK) == 0) {
    fd_ = descriptor(
        ::open(folder.empty() ? "." : folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode));
    if (fd_.is_open()) return;
  }
  fd_ = descriptor(take_name([&](const char* name) {
    return ::open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  }));
}

// Calls create(name) with new names in the target's folder until one is not taken, by what a killed
// process left or by another machine that shares the folder. Keeps the name and returns what
// create() returned; a negative value that is not EEXIST is an error.
template <typename F>
int output_file::take_name(const F& create) {
  static std::atomic<unsigned> counter{0};
  const std::filesystem::path folder = std::filesystem::path(target_).parent_path();
  for (int attempt = 0; attempt < 100; ++attempt) {
    const std::string name =
        (folder / fmt::format(".halfulp-{}-{}.tmp", ::getpid(), counter++)).string();
    const int result = create(name.c_str());
    if (result >= 0) {
      temporary_ = name;
      return result;
    }
    if (errno != EEXIST) break;
  }
  fail_system(errno, "write to the folder of", label_);
}

void output_file::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t done = ::write(fd_.get(), bytes.data(), std::min(bytes.size(), largest_transfer));
    if (done < 0) {
      if (errno == EINTR) continue;
      fail_system(errno, "write", label_);
    }
    bytes = bytes.subspan(static_cast<std::size_t>(done));
  }
}

void output_file::commit() {
  const bool is_new = !target_.empty();
  if (is_new && temporary_.empty()) {
    const std::string unnamed = fmt::format("/proc/self/fd/{}", fd_.get());
    take_name([&](const char* name) {
      return ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
    });
  }
  // An interrupted close has closed on Linux all the same.
  if (fd_.close() != 0 && errno != EINTR) fail_system(errno, "write", label_);
  if (!is_new) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail_system(errno, "write", label_);
  temporary_.clear();
}

}  // namespace halfulp::io
