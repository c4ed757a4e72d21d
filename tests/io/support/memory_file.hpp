// A file that lies in memory, for tests that write one thousands of times or a very large one: what
// is never written takes no memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace halfulp::io::test {

class memory_file {
 public:
  memory_file() : fd_(::memfd_create("halfulp-test", MFD_CLOEXEC)) {
    if (fd_ < 0) throw std::runtime_error("no file in memory");
  }
  ~memory_file() { ::close(fd_); }
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  // Opening it reads from the start.
  std::string path() const { return "/proc/self/fd/" + std::to_string(fd_); }

  // Makes `link` lead to it, so that it has an ending.
  void link_to(const std::string& link) const {
    if (!std::filesystem::is_symlink(link)) std::filesystem::create_symlink(path(), link);
  }

  void replace(std::string_view content) const {
    resize(0);
    write_at(0, content);
  }

  void resize(std::size_t size) const {
    if (::ftruncate(fd_, static_cast<off_t>(size)) != 0) throw std::runtime_error("cannot resize");
  }

  void write_at(std::size_t offset, std::string_view content) const {
    if (::pwrite(fd_, content.data(), content.size(), static_cast<off_t>(offset)) !=
        static_cast<ssize_t>(content.size())) {
      throw std::runtime_error("cannot write to memory");
    }
  }

 private:
  int fd_;
};

}  // namespace halfulp::io::test
