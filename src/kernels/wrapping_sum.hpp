// Sums of integers modulo 2^64: exact for every integer output, since that is no wider.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "accum/power.hpp"
#include "base/float_format.hpp"

namespace halfulp::kernels {

// |x| or x^2 modulo 2^64. |INT_MIN| is 2^31 or 2^63: the absolute value is taken in the unsigned
// type.
template <power P, integer_element T>
inline std::uint64_t wrapping_term(T x) noexcept {
  const auto wide = static_cast<std::uint64_t>(x);  // sign-extended
  if constexpr (P == power::square) return wide * wide;
  return x < 0 ? 0 - wide : wide;
}

// Along a contiguous run.
template <integer_element T, power P>
std::uint64_t wrapping_row_sum(const T* x, std::int64_t n) noexcept {
  std::uint64_t sum = 0;
  for (std::int64_t i = 0; i < n; ++i) sum += wrapping_term<P>(x[i]);
  return sum;
}

// Of many slices side by side, as column_sum in sum.hpp.
template <integer_element T, power P>
class wrapping_column_sum {
 public:
  static constexpr int max_width = 256;

  explicit wrapping_column_sum(int width) noexcept : width_(width) {}

  void add(const T* x) noexcept {
    for (int j = 0; j < width_; ++j) sums_[j] += wrapping_term<P>(x[j]);
  }
  std::uint64_t result(int j) const noexcept { return sums_[j]; }

 private:
  int width_;
  std::array<std::uint64_t, max_width> sums_{};
};

}  // namespace halfulp::kernels
