// Element types seen from outside: what their bits mean.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "halfulp/types.hpp"

namespace oracle {

using halfulp::dtype;

// The bits of one element in the low end of a word; what is above them is zero.
using bits = std::uint64_t;

// An IEEE 754 binary format, or one built like it (bfloat16). All else follows from two numbers.
struct float_format {
  int width;      // bits in all
  int precision;  // bits of the significand, the hidden one included

  constexpr int bias() const { return (1 << (width - precision - 1)) - 1; }
  // The exponent of the smallest subnormal: every finite value is a multiple of 2^min_exponent.
  constexpr int min_exponent() const { return 2 - bias() - precision; }
  // Every finite value is below 2^max_exponent.
  constexpr int max_exponent() const { return bias() + 1; }

  constexpr bits sign_bit() const { return bits{1} << (width - 1); }
  constexpr bits infinity() const { return sign_bit() - (bits{1} << (precision - 1)); }
  constexpr bits quiet_nan() const { return infinity() | (bits{1} << (precision - 2)); }
  constexpr bits largest_finite() const { return infinity() - 1; }
};

bool is_floating(dtype type);
bool is_signed_integer(dtype type);
std::size_t width_of(dtype type);  // in bits
std::size_t bytes_of(dtype type);
const char* text_of(dtype type);

// `type` must be a float type.
const float_format& format_of(dtype type);

// What the bits of one element say.
struct element {
  enum class kind { finite, infinite, nan };
  kind kind;
  bool negative;
  // The magnitude is mantissa * 2^exponent.
  std::uint64_t mantissa;
  int exponent;
};

element decode(dtype type, bits pattern);

// The magnitude whose pattern is `pattern`, which is not above infinity's. Infinity stands for
// 2^max_exponent, the value that would follow the largest finite one.
element decode_magnitude(const float_format& format, bits pattern);

// The pattern of mantissa * 2^exponent, which must be a value of the format.
bits encode(const float_format& format, bool negative, std::uint64_t mantissa, int exponent);

// The pattern of a double in another float type, which must hold it exactly.
bits encode(dtype type, double value);

bits load(dtype type, const void* from);
void store(dtype type, bits pattern, void* to);

}  // namespace oracle
