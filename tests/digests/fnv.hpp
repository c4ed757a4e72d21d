// FNV-1a, 64 bits: http://www.isthe.com/chongo/tech/comp/fnv/
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace digests {

// A hash of bytes that a few lines of any language can repeat. A step is invertible for a given
// byte, so outputs that differ in one byte always have different digests; more differences are
// missed once in 2^64.
class fnv {
 public:
  void add(std::span<const std::byte> bytes) noexcept {
    for (const std::byte b : bytes) hash_ = (hash_ ^ std::to_integer<std::uint64_t>(b)) * prime;
  }
  void add(std::string_view text) noexcept { add(std::as_bytes(std::span(text))); }
  // As eight bytes, the lowest first.
  void add(std::uint64_t number) noexcept {
    for (int i = 0; i < 8; ++i) hash_ = (hash_ ^ (number >> (8 * i) & 0xff)) * prime;
  }
  std::uint64_t value() const noexcept { return hash_; }

 private:
  static constexpr std::uint64_t prime = 0x100000001b3;
  std::uint64_t hash_ = 0xcbf29ce484222325;
};

}  // namespace digests
