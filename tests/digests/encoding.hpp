// Element types as bit patterns, and floating-point numbers made with integers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "halfulp/types.hpp"

namespace digests {

struct encoding {
  int bits;  // of an element
  bool has_sign;
  int fraction_bits;  // of a float; 0 for the integer types

  int exponent_bits() const noexcept { return bits - 1 - fraction_bits; }
  int precision() const noexcept { return fraction_bits + 1; }
  int bias() const noexcept { return (1 << (exponent_bits() - 1)) - 1; }
  // The exponent field of NaN and infinity.
  int top_exponent() const noexcept { return (1 << exponent_bits()) - 1; }
  std::uint64_t fraction_mask() const noexcept { return (std::uint64_t{1} << fraction_bits) - 1; }

  std::uint64_t assemble(bool negative, int exponent_field, std::uint64_t fraction) const noexcept;
  // significand * 2^exponent, rounded towards zero where it needs more bits than there are: onto
  // the subnormal grid, and at the other end to the largest finite number.
  std::uint64_t encode(bool negative, std::uint64_t significand, int exponent) const noexcept;
};

encoding encoding_of(halfulp::dtype type);

}  // namespace digests
