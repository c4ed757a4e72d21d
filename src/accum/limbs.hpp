// Wide unsigned integers in little-endian 64-bit limbs: what exact sums are stored in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "base/int128.hpp"

namespace halfulp {

// A non-negative dyadic rational: integer * 2^exponent, the integer in little-endian limbs that are
// someone else's. Leading zero limbs are allowed.
struct dyadic {
  std::span<const std::uint64_t> limbs;
  int exponent;
};

// The leading bits of a number: (significand + f) * 2^exponent with f = 0, or 0 < f < 1 where
// `sticky` is set. The significand has its top bit set; it is 0 for zero.
struct leading_64 {
  std::uint64_t significand;
  int exponent;
  bool sticky;
};
struct leading_128 {
  uint128 significand;
  int exponent;
  bool sticky;
};

// The number of bits up to the highest one that is set; 0 for zero.
int bit_width(std::span<const std::uint64_t> limbs) noexcept;

leading_64 leading_bits_64(const dyadic& value) noexcept;
leading_128 leading_bits_128(const dyadic& value) noexcept;

// -1, 0, 1 as factor^k * value is below, equal to or above rhs * 2^rhs_exponent; k is 1 or 2, and
// factor is not 0. Exact for any operands of at most max_limbs limbs.
inline constexpr std::size_t max_limbs = 67;
int compare_scaled(std::uint64_t factor, int k, const dyadic& value, uint128 rhs,
                   int rhs_exponent) noexcept;

// An unsigned integer of N limbs. Sums are the caller's to keep in range.
template <std::size_t N>
struct limbs {
  std::array<std::uint64_t, N> words{};

  // this += v * 2^shift
  void add_shifted(uint128 v, int shift) noexcept {
    const auto first = static_cast<std::size_t>(shift / 64);
    const int bits = shift % 64;
    const std::uint64_t low = low_word(v), high = high_word(v);
    const std::uint64_t parts[3] = {low << bits,
                                    bits == 0 ? high : (high << bits) | (low >> (64 - bits)),
                                    bits == 0 ? 0 : high >> (64 - bits)};
    unsigned char carry = 0;
    std::size_t i = first;
    for (const std::uint64_t part : parts) {
      if (i == N) return;  // the rest is zero, or the sum would not fit
      carry = add_with_carry(words[i], part, carry);
      ++i;
    }
    for (; carry != 0 && i < N; ++i) carry = add_with_carry(words[i], 0, carry);
  }

  limbs& operator+=(const limbs& other) noexcept {
    unsigned char carry = 0;
    for (std::size_t i = 0; i < N; ++i) carry = add_with_carry(words[i], other.words[i], carry);
    return *this;
  }

  bool operator==(const limbs&) const = default;

 private:
  // word += addend + carry; returns the carry out.
  static unsigned char add_with_carry(std::uint64_t& word, std::uint64_t addend,
                                      unsigned char carry) noexcept {
    const uint128 sum = uint128{word} + addend + carry;
    word = low_word(sum);
    return static_cast<unsigned char>(high_word(sum));
  }
};

}  // namespace halfulp
