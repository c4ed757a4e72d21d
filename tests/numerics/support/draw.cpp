// SPDX-License-Identifier: Apache-2.0
#include "numerics/support/draw.hpp"

#include <bit>
#include <cmath>

namespace oracle {
namespace {

bits low_mask(int count) { return count >= 64 ? ~bits{0} : (bits{1} << count) - 1; }

// A float whose exponent field is in [low, high].
bits with_exponent_field(const float_format& format, std::int64_t low, std::int64_t high,
                         random_source& random) {
  const auto field = static_cast<bits>(random.between(low, high));
  const int stored = format.precision - 1;
  bits fraction = random.word() & low_mask(stored);
  if (random.once_in(8)) fraction = 0;
  if (random.once_in(8)) fraction = low_mask(stored);
  return (random.once_in(2) ? format.sign_bit() : 0) | (field << stored) | fraction;
}

std::int64_t top_field(const float_format& format) {
  return static_cast<std::int64_t>(format.infinity() >> (format.precision - 1)) - 1;
}

double bell(random_source& random) {
  double sum = 0;
  for (int i = 0; i < 12; ++i) sum += random.unit();
  return sum - 6;
}

bits signed_power_of_two(const float_format& format, random_source& random) {
  const auto exponent = random.between(format.min_exponent(), format.max_exponent() - 1);
  return encode(format, random.once_in(2), 1, static_cast<int>(exponent));
}

std::vector<bits> draw_floats(character character, dtype type, std::size_t count,
                              random_source& random) {
  const float_format& format = format_of(type);
  const std::int64_t top = top_field(format);
  const std::int64_t window_low = random.between(0, top);
  const std::int64_t window_high = std::min(top, window_low + random.between(0, 12));
  const double scale = std::ldexp(1 + random.unit(), static_cast<int>(random.between(-9, 3)));
  const bits one = with_exponent_field(format, 0, top, random);
  const std::size_t large_at = count == 0 ? 0 : random.below(count);

  std::vector<bits> slice(count);
  for (std::size_t i = 0; i < count; ++i) {
    bits& x = slice[i];
    switch (character) {
      case character::uniform:
        x = truncated(type, 2 * random.unit() - 1);
        break;
      case character::normal:
        x = truncated(type, bell(random));
        break;
      case character::wide:
        x = with_exponent_field(format, 0, top, random);
        break;
      case character::window:
        x = with_exponent_field(format, window_low, window_high, random);
        break;
      case character::subnormal:
        x = with_exponent_field(format, 0, 0, random);
        break;
      case character::near_overflow:
        x = with_exponent_field(format, top - 2, top, random);
        break;
      case character::any_pattern:
        x = random.word() & low_mask(format.width);
        break;
      case character::small_integers:
        x = truncated(type, static_cast<double>(random.between(-100, 100)));
        break;
      case character::quantised:
        x = truncated(type, scale * static_cast<double>(random.between(-8, 7)));
        break;
      case character::powers_of_two:
        x = signed_power_of_two(format, random);
        break;
      case character::dust:
        x = i == large_at ? with_exponent_field(format, top / 2, top, random)
                          : with_exponent_field(format, 0, top / 4, random);
        break;
      case character::one_value:
        x = one;
        break;
      case character::limits: {
        const bits magnitudes[] = {0, 1, format.largest_finite(), truncated(type, 1),
                                   bits{1} << (format.precision - 1)};
        x = magnitudes[random.below(5)] | (random.once_in(2) ? format.sign_bit() : 0);
        break;
      }
    }
  }
  return slice;
}

std::vector<bits> draw_integers(character character, dtype type, std::size_t count,
                                random_source& random) {
  const int width = static_cast<int>(width_of(type));
  const bits all = low_mask(width);
  const bits sign = bits{1} << (width - 1);
  const bits one = random.word() & all;
  std::vector<bits> slice(count);
  for (bits& x : slice) {
    switch (character) {
      case character::small_integers:
        x = static_cast<bits>(random.between(is_signed_integer(type) ? -100 : 0, 100)) & all;
        break;
      case character::powers_of_two:
        x = bits{1} << random.below(static_cast<bits>(width));
        break;
      case character::near_overflow:
        x = (sign + static_cast<bits>(random.between(-3, 3))) & all;
        break;
      case character::wide:
        x = (random.word() & all) >> random.below(static_cast<bits>(width));
        break;
      case character::limits: {
        const bits ends[] = {0, 1, all, sign, sign - 1};
        x = ends[random.below(5)];
        break;
      }
      case character::one_value:
        x = one;
        break;
      default:
        x = random.word() & all;
    }
  }
  return slice;
}

}  // namespace

bits truncated(dtype type, double value) {
  const element parts = decode(dtype::float64, std::bit_cast<bits>(value));
  const float_format& format = format_of(type);
  if (parts.mantissa == 0) return parts.negative ? format.sign_bit() : 0;
  const int length = static_cast<int>(std::bit_width(parts.mantissa));
  const int lowest = std::max(format.min_exponent(), parts.exponent + length - format.precision);
  const int drop = std::max(0, lowest - parts.exponent);
  const std::uint64_t kept = drop >= 64 ? 0 : parts.mantissa >> drop;
  return encode(format, parts.negative, kept, parts.exponent + drop);
}

const std::vector<character>& characters(dtype type) {
  static const std::vector<character> of_floats{
      character::uniform,       character::normal,         character::wide,
      character::window,        character::subnormal,      character::near_overflow,
      character::any_pattern,   character::small_integers, character::quantised,
      character::powers_of_two, character::dust,           character::one_value,
      character::limits};
  static const std::vector<character> of_integers{
      character::any_pattern,   character::small_integers, character::powers_of_two,
      character::near_overflow, character::wide,           character::limits,
      character::one_value};
  return is_floating(type) ? of_floats : of_integers;
}

const char* text_of(character character) {
  switch (character) {
    case character::uniform:
      return "uniform";
    case character::normal:
      return "normal";
    case character::wide:
      return "wide";
    case character::window:
      return "window";
    case character::subnormal:
      return "subnormal";
    case character::near_overflow:
      return "near_overflow";
    case character::any_pattern:
      return "any_pattern";
    case character::small_integers:
      return "small_integers";
    case character::quantised:
      return "quantised";
    case character::powers_of_two:
      return "powers_of_two";
    case character::dust:
      return "dust";
    case character::one_value:
      return "one_value";
    case character::limits:
      return "limits";
  }
  return "?";
}

std::vector<bits> draw(character character, dtype type, std::size_t count, random_source& random) {
  return is_floating(type) ? draw_floats(character, type, count, random)
                           : draw_integers(character, type, count, random);
}

}  // namespace oracle
