// A pipe that one thread writes and then reads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <string_view>

#include "io/descriptor.hpp"

namespace halfulp::fuzz {

class pipe {
 public:
  // What it holds without being read. Users without privileges may have as much.
  static constexpr int capacity = 1 << 20;

  pipe() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    output_ = io::descriptor(ends[0]);
    input_ = io::descriptor(ends[1]);
    if (::fcntl(ends[1], F_SETPIPE_SZ, capacity) < 0) throw std::runtime_error("no large pipe");
  }

  // What is opened to read from it, and to write to it.
  std::string output_path() const { return path(output_); }
  std::string input_path() const { return path(input_); }

  void write(std::string_view content) const {
    if (::write(input_.get(), content.data(), content.size()) !=
        static_cast<ssize_t>(content.size())) {
      throw std::runtime_error("cannot write to a pipe");
    }
  }

  // Whoever reads will see an end.
  void end_input() { input_.close(); }

  // All that was written to it.
  std::string take() {
    end_input();
    std::string all;
    char piece[4096];
    while (const ssize_t got = ::read(output_.get(), piece, sizeof piece)) {
      if (got < 0) throw std::runtime_error("cannot read from a pipe");
      all.append(piece, static_cast<std::size_t>(got));
    }
    return all;
  }

 private:
  static std::string path(const io::descriptor& end) {
    return "/proc/self/fd/" + std::to_string(end.get());
  }

  io::descriptor output_, input_;
};

}  // namespace halfulp::fuzz
