// Random bits by integer arithmetic alone, so that every machine has the same.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace digests {

// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
class random_bits {
 public:
  explicit random_bits(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t word() noexcept {
    state_ += 0x9e3779b97f4a7c15;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
    z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
    return z ^ (z >> 31);
  }
  // The highest `count` bits of a word, 1 <= count <= 64.
  std::uint64_t bits(int count) noexcept { return word() >> (64 - count); }
  // In [0, count). What the modulo favours does not matter here.
  std::uint64_t below(std::uint64_t count) noexcept { return word() % count; }
  bool once_in(std::uint64_t count) noexcept { return below(count) == 0; }
  bool sign() noexcept { return word() >> 63 != 0; }

 private:
  std::uint64_t state_;
};

}  // namespace digests
