// An open file descriptor that is closed once, and the error for a system call that failed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"

namespace halfulp::io {

class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int fd) noexcept : fd_(fd) {}
  descriptor(descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  descriptor(const descriptor&) = delete;
  descriptor& operator=(const descriptor&) = delete;
  ~descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  int get() const noexcept { return fd_; }
  bool is_open() const noexcept { return fd_ >= 0; }

  // What close(2) returns, with errno: some file systems report a failed write only here.
  int close() noexcept { return ::close(std::exchange(fd_, -1)); }

 private:
  int fd_ = -1;
};

// "cannot open x.npy: No such file or directory". `label` is fit for messages.
[[noreturn]] inline void fail_system(int error, std::string_view verb, std::string_view label) {
  fail(errc::io, "cannot {} {}: {}", verb, label, std::generic_category().message(error));
}

// One call reads or writes at most this much: Linux moves no more than 0x7ffff000 bytes at once.
inline constexpr std::size_t largest_transfer = std::size_t{1} << 30;

// As long as a path can be, so that messages quote it whole.
inline constexpr std::size_t longest_path = 4096;

}  // namespace halfulp::io
