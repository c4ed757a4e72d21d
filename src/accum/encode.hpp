// Rounding a double to an output type, written so that loops over it become vector code.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/float_format.hpp"

namespace halfulp {

namespace detail {

// Rounds 0 <= v < 2^(bias + 1) of a 16-bit format to its grid, as a double: adding and subtracting
// 1.5 * 2^52 units lets the processor round, once, to nearest even, in the normal and the subnormal
// range alike. The unit is 2^(E - fraction_bits), E the exponent of v, but not below the smallest
// subnormal.
template <typename Format>
inline double round_to_grid(double v) noexcept {
  constexpr double smallest_normal =
      from_bits<double>(static_cast<std::uint64_t>(1023 + 1 - Format::bias) << 52);
  const double floor = v > smallest_normal ? v : smallest_normal;
  const std::uint64_t exponent = to_bits(floor) & float_format<double>::infinity;
  const double shifter =
      1.5 * from_bits<double>(exponent + (std::uint64_t{52 - Format::fraction_bits} << 52));
  return (v + shifter) - shifter;
}

}  // namespace detail

// RN(v) for v >= 0, not NaN. The same values as round_to, in the other direction of thought: no
// branches, the processor's own rounding. Needs rounding to nearest and gradual underflow.
template <float_element Out>
inline Out encode(double v) noexcept {
  if constexpr (std::same_as<Out, double>) {
    return v;
  } else if constexpr (std::same_as<Out, float>) {
    return static_cast<float>(v);
  } else if constexpr (std::same_as<Out, bfloat16>) {
    // On the grid, the conversion to float is exact (or overflows to infinity, as it should), and
    // the low half of the float is zero.
    const double grid = detail::round_to_grid<float_format<bfloat16>>(v < 0x1p128 ? v : 0x1p128);
    return bfloat16::from_bits(static_cast<std::uint16_t>(to_bits(static_cast<float>(grid)) >> 16));
  } else {
    // 2^-112 moves float16's exponent range to the bottom of float's: the bits then differ by a
    // shift only, subnormals and infinity (2^16) included.
    const double grid = detail::round_to_grid<float_format<float16>>(v < 0x1p16 ? v : 0x1p16);
    return float16::from_bits(
        static_cast<std::uint16_t>(to_bits(static_cast<float>(grid) * 0x1p-112f) >> 13));
  }
}

}  // namespace halfulp
