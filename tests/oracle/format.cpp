// SPDX-License-Identifier: Apache-2.0
#include "oracle/format.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <stdexcept>

namespace oracle {
namespace {

struct description {
  const char* name;
  bool is_float, is_signed;
  float_format format;  // for integers only the width
};

const description& describe(dtype type) {
  static constexpr description bfloat16{"bfloat16", true, true, {16, 8}};
  static constexpr description float16{"float16", true, true, {16, 11}};
  static constexpr description float32{"float32", true, true, {32, 24}};
  static constexpr description float64{"float64", true, true, {64, 53}};
  static constexpr description int32{"int32", false, true, {32, 0}};
  static constexpr description int64{"int64", false, true, {64, 0}};
  static constexpr description uint32{"uint32", false, false, {32, 0}};
  static constexpr description uint64{"uint64", false, false, {64, 0}};
  switch (type) {
    case dtype::bfloat16:
      return bfloat16;
    case dtype::float16:
      return float16;
    case dtype::float32:
      return float32;
    case dtype::float64:
      return float64;
    case dtype::int32:
      return int32;
    case dtype::int64:
      return int64;
    case dtype::uint32:
      return uint32;
    case dtype::uint64:
      return uint64;
  }
  throw std::logic_error("not a dtype");
}

}  // namespace

bool is_floating(dtype type) { return describe(type).is_float; }
bool is_signed_integer(dtype type) { return !is_floating(type) && describe(type).is_signed; }
std::size_t width_of(dtype type) { return static_cast<std::size_t>(describe(type).format.width); }
std::size_t bytes_of(dtype type) { return width_of(type) / 8; }
const char* text_of(dtype type) { return describe(type).name; }

const float_format& format_of(dtype type) {
  if (!is_floating(type)) throw std::logic_error("an integer type has no float format");
  return describe(type).format;
}

element decode_magnitude(const float_format& format, bits pattern) {
  const int stored = format.precision - 1;
  const auto field = static_cast<int>(pattern >> stored);
  const std::uint64_t fraction = pattern & ((bits{1} << stored) - 1);
  const auto finite = element::kind::finite;
  if (field == 0) return {finite, false, fraction, format.min_exponent()};
  return {finite, false, fraction | (bits{1} << stored), format.min_exponent() + field - 1};
}

element decode(dtype type, bits pattern) {
  const bool negative = ((pattern >> (width_of(type) - 1)) & 1) != 0;
  if (!is_floating(type)) {
    if (!is_signed_integer(type) || !negative) return {element::kind::finite, false, pattern, 0};
    const std::uint64_t magnitude =
        type == dtype::int32 ? (std::uint64_t{1} << 32) - pattern : std::uint64_t{0} - pattern;
    return {element::kind::finite, true, magnitude, 0};
  }
  const float_format& format = format_of(type);
  const bits magnitude = pattern & ~format.sign_bit();
  if (magnitude > format.infinity()) return {element::kind::nan, negative, 0, 0};
  if (magnitude == format.infinity()) return {element::kind::infinite, negative, 0, 0};
  element value = decode_magnitude(format, magnitude);
  value.negative = negative;
  return value;
}

bits encode(const float_format& format, bool negative, std::uint64_t mantissa, int exponent) {
  const bits sign = negative ? format.sign_bit() : 0;
  if (mantissa == 0) return sign;
  const int trailing = std::countr_zero(mantissa);
  mantissa >>= trailing;
  exponent += trailing;
  const int length = static_cast<int>(std::bit_width(mantissa));
  if (length > format.precision || exponent < format.min_exponent() ||
      exponent + length > format.max_exponent()) {
    throw std::logic_error("the format does not have this value");
  }
  // As many trailing zeros back as the significand, or the subnormal grid, has room for.
  const int room = std::min(format.precision - length, exponent - format.min_exponent());
  mantissa <<= room;
  exponent -= room;
  // A hidden bit carries into the exponent field, which is thus one short of the real one.
  const auto field = static_cast<bits>(exponent - format.min_exponent());
  return sign | ((field << (format.precision - 1)) + mantissa);
}

bits encode(dtype type, double value) {
  const auto pattern = std::bit_cast<std::uint64_t>(value);
  const float_format& format = format_of(type);
  const element parts = decode(dtype::float64, pattern);
  if (parts.kind == element::kind::nan) return format.quiet_nan();
  if (parts.kind == element::kind::infinite) {
    return format.infinity() | (parts.negative ? format.sign_bit() : 0);
  }
  return encode(format, parts.negative, parts.mantissa, parts.exponent);
}

bits load(dtype type, const void* from) {
  static_assert(std::endian::native == std::endian::little);
  bits pattern = 0;
  std::memcpy(&pattern, from, bytes_of(type));
  return pattern;
}

void store(dtype type, bits pattern, void* to) { std::memcpy(to, &pattern, bytes_of(type)); }

}  // namespace oracle
