// A file, pipe or standard input, read from front to back.
// SPDX-License-Identifier: Apache-2.0
//
// It is read, never mapped: a mapped file that shrinks would end the program.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/buffer.hpp"
#include "io/descriptor.hpp"

namespace halfulp::io {

class input_file {
 public:
  // "-" is standard input. Throws error(io) as every function here does when the system refuses.
  explicit input_file(const std::string& path);

  // What an open descriptor leads to, from where it stands. `label` is fit for messages.
  input_file(descriptor fd, std::string label);

  // The path, fit for messages.
  const std::string& label() const noexcept { return label_; }

  // Bytes from here to the end of a regular file. Empty for what only tells when it ends: a pipe, a
  // device.
  const std::optional<std::uint64_t>& remaining() const noexcept { return remaining_; }

  // Each of these throws error(invalid_file) where fewer bytes are left than asked for; `part` is
  // what the message calls them: "header". In a regular file that is known before anything is
  // read or allocated.
  void read(std::span<std::byte> to, std::string_view part);
  buffer read(std::uint64_t size, std::string_view part);
  void skip(std::uint64_t size, std::string_view part);

  // Throws error(invalid_file) unless this is the end.
  void expect_end();

  struct content {
    buffer bytes;
    std::size_t size;
  };

  // All that is left. Throws error(invalid_file) where that is more than `limit`, which the message
  // calls the limit of `whose`.
  content read_rest(std::size_t limit, std::string_view whose);

  // Passes over all that is left, and returns how much that was.
  std::uint64_t skip_rest();

 private:
  std::size_t fill(std::byte* to, std::size_t size);
  content read_growing(std::size_t limit);
  buffer allocate(std::size_t size) const;
  void require(std::uint64_t size, std::string_view part) const;
  [[noreturn]] void fail_short(std::string_view part) const;

  std::string label_;
  descriptor fd_;
  bool is_device_ = false;
  std::optional<std::uint64_t> remaining_;
};

}  // namespace halfulp::io
