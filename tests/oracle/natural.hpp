// Natural numbers of any size, in the plainest way: what is needed to add and to compare.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace oracle {

class natural {
 public:
  natural() = default;
  explicit natural(std::uint64_t value) { add_shifted(value, 0); }

  // *this += value * 2^shift.
  void add_shifted(std::uint64_t value, std::size_t shift);
  // *this += value^2 * 2^shift.
  void add_square_shifted(std::uint64_t value, std::size_t shift);

  bool is_zero() const { return words_.empty(); }
  std::size_t bit_length() const;
  std::size_t trailing_zero_bits() const;  // of a number that is not zero
  std::uint64_t low_64_bits() const;

  natural operator<<(std::size_t count) const;
  natural operator>>(std::size_t count) const;
  natural operator*(const natural& other) const;
  std::strong_ordering operator<=>(const natural& other) const;
  bool operator==(const natural& other) const = default;

 private:
  void trim();
  std::vector<std::uint32_t> words_;  // little-endian, the last one not zero
};

}  // namespace oracle
