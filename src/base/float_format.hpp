// The four binary floating-point formats, as numbers: widths, biases, bit patterns.
// SPDX-License-Identifier: Apache-2.0
//
// IEEE 754-2019, table 3.5, for binary16, binary32 and binary64; bfloat16 is binary32 with the
// low 16 bits of the significand cut off.
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>

#include "halfulp/types.hpp"

namespace halfulp {

template <typename T>
concept float_element = std::same_as<T, bfloat16> || std::same_as<T, float16> ||
                        std::same_as<T, float> || std::same_as<T, double>;

template <typename T>
concept integer_element = std::integral<T> && (sizeof(T) == 4 || sizeof(T) == 8);

template <typename T>
concept element = float_element<T> || integer_element<T>;

namespace detail {

template <typename BitsT, int Precision>
struct format {
  using bits_type = BitsT;

  static constexpr int width = 8 * sizeof(BitsT);
  // Bits of the significand, the implicit one included.
  static constexpr int precision = Precision;
  static constexpr int fraction_bits = Precision - 1;
  static constexpr int exponent_bits = width - Precision;
  static constexpr int bias = (1 << (exponent_bits - 1)) - 1;

  // The smallest subnormal is 2^min_exponent; a finite value is an integer below 2^precision times
  // 2^e with min_exponent <= e <= max_exponent.
  static constexpr int min_exponent = 1 - bias - fraction_bits;
  static constexpr int max_exponent = bias - fraction_bits;

  static constexpr BitsT sign_mask = static_cast<BitsT>(BitsT{1} << (width - 1));
  static constexpr BitsT magnitude_mask = static_cast<BitsT>(sign_mask - 1);
  static constexpr BitsT fraction_mask = static_cast<BitsT>((BitsT{1} << fraction_bits) - 1);
  static constexpr BitsT infinity = static_cast<BitsT>(magnitude_mask & ~fraction_mask);
  // Positive, quiet, no payload.
  static constexpr BitsT quiet_nan =
      static_cast<BitsT>(infinity | (BitsT{1} << (fraction_bits - 1)));
};

template <typename T>
struct format_of;
template <>
struct format_of<bfloat16> {
  using type = format<std::uint16_t, 8>;
};
template <>
struct format_of<float16> {
  using type = format<std::uint16_t, 11>;
};
template <>
struct format_of<float> {
  using type = format<std::uint32_t, 24>;
};
template <>
struct format_of<double> {
  using type = format<std::uint64_t, 53>;
};

}  // namespace detail

template <float_element T>
using float_format = typename detail::format_of<T>::type;

template <float_element T>
constexpr auto to_bits(T value) {
  return __builtin_bit_cast(typename float_format<T>::bits_type, value);
}

template <float_element T>
constexpr T from_bits(typename float_format<T>::bits_type bits) {
  return __builtin_bit_cast(T, bits);
}

// A finite magnitude as significand * 2^exponent, the significand an integer below 2^precision.
struct decomposed {
  std::uint64_t significand;
  int exponent;
};

// |value|, which must be finite.
template <float_element T>
constexpr decomposed decompose(T value) {
  using format = float_format<T>;
  const auto magnitude = to_bits(value) & format::magnitude_mask;
  const auto field = static_cast<int>(magnitude >> format::fraction_bits);
  const std::uint64_t fraction = magnitude & format::fraction_mask;
  if (field == 0) return {fraction, format::min_exponent};
  return {fraction | (std::uint64_t{1} << format::fraction_bits), format::min_exponent + field - 1};
}

template <float_element T>
constexpr bool is_nan(T value) {
  return (to_bits(value) & float_format<T>::magnitude_mask) > float_format<T>::infinity;
}

template <float_element T>
constexpr bool is_infinite(T value) {
  return (to_bits(value) & float_format<T>::magnitude_mask) == float_format<T>::infinity;
}

template <float_element T>
constexpr bool is_negative(T value) {
  return (to_bits(value) & float_format<T>::sign_mask) != 0;
}

template <float_element T>
constexpr T with_sign(T magnitude, bool negative) {
  using format = float_format<T>;
  using bits = typename format::bits_type;
  return from_bits<T>(
      static_cast<bits>(to_bits(magnitude) | (negative ? format::sign_mask : bits{0})));
}

template <float_element T>
constexpr T infinity() {
  return from_bits<T>(float_format<T>::infinity);
}

template <float_element T>
constexpr T quiet_nan() {
  return from_bits<T>(float_format<T>::quiet_nan);
}

}  // namespace halfulp
