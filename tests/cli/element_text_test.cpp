// SPDX-License-Identifier: Apache-2.0
#include "element_text.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace halfulp::cli {
namespace {

template <typename T>
std::string text_of(T value) {
  std::string out;
  append_element(out, dtype_of<T>, reinterpret_cast<const std::byte*>(&value));
  return out;
}

template <typename T>
std::string json_of(T value) {
  std::string out;
  append_json_element(out, dtype_of<T>, reinterpret_cast<const std::byte*>(&value));
  return out;
}

// The finite magnitudes of a 16-bit type in order, by the definition of the format.
std::vector<double> magnitudes(int precision, int bias) {
  std::vector<double> list;
  const int fraction_bits = precision - 1;
  for (int bits = 0;; ++bits) {
    const int field = bits >> fraction_bits;
    const int fraction = bits & ((1 << fraction_bits) - 1);
    if (field > 2 * bias) return list;
    list.push_back(field == 0
                       ? std::ldexp(fraction, 1 - bias - fraction_bits)
                       : std::ldexp(fraction + (1 << fraction_bits), field - bias - fraction_bits));
  }
}

// Whether a reader that rounds to nearest, ties to even, takes `number` for values[index]. The
// midpoints between 16-bit values are exact in double.
bool reads_back(double number, const std::vector<double>& values, std::size_t index) {
  const bool even = index % 2 == 0;
  const double value = values[index];
  if (index > 0) {
    const double midpoint = (values[index - 1] + value) / 2;
    if (number < midpoint || (number == midpoint && !even)) return false;
  }
  const double above =
      index + 1 < values.size() ? values[index + 1] : 2 * value - values[index - 1];
  const double midpoint = (value + above) / 2;
  return number < midpoint || (number == midpoint && even);
}

int count_digits(const std::string& text) {
  int count = 0;
  bool leading = true;
  int trailing = 0;
  for (const char c : text.substr(0, text.find('e'))) {
    if (c < '0' || c > '9' || (leading && c == '0')) continue;
    leading = false;
    ++count;
    trailing = c == '0' ? trailing + 1 : 0;
  }
  return count - trailing;
}

// No decimal of `digits` digits reads back: neither the nearest nor its neighbours.
bool some_decimal_reads_back(int digits, const std::vector<double>& values, std::size_t index) {
  std::array<char, 32> text;
  std::snprintf(text.data(), text.size(), "%.*e", digits - 1, values[index]);
  const std::string nearest = text.data();
  const auto e = nearest.find('e');
  const int exponent = std::stoi(nearest.substr(e + 1));
  std::string mantissa = nearest.substr(0, e);
  std::erase(mantissa, '.');
  const long integer = std::stol(mantissa);
  const std::array<long, 3> candidates{integer - 1, integer, integer + 1};
  return std::any_of(candidates.begin(), candidates.end(), [&](long candidate) {
    const std::string decimal =
        std::to_string(candidate) + "e" + std::to_string(exponent - digits + 1);
    return reads_back(std::strtod(decimal.c_str(), nullptr), values, index);
  });
}

template <typename T>
void check_all(int precision, int bias) {
  const auto values = magnitudes(precision, bias);
  for (std::size_t bits = 0; bits < values.size(); ++bits) {
    const std::string text = text_of(T::from_bits(static_cast<std::uint16_t>(bits)));
    ASSERT_TRUE(reads_back(std::strtod(text.c_str(), nullptr), values, bits))
        << bits << " " << text;
    const int digits = count_digits(text);
    if (digits > 1) {
      ASSERT_FALSE(some_decimal_reads_back(digits - 1, values, bits)) << bits << " " << text;
    }
    ASSERT_EQ(text_of(T::from_bits(static_cast<std::uint16_t>(bits | 0x8000))), "-" + text);
  }
  for (std::size_t bits = values.size(); bits < 0x8000; ++bits) {
    const bool infinite = bits == values.size();
    ASSERT_EQ(text_of(T::from_bits(static_cast<std::uint16_t>(bits))), infinite ? "inf" : "nan");
    ASSERT_EQ(text_of(T::from_bits(static_cast<std::uint16_t>(bits | 0x8000))),
              infinite ? "-inf" : "nan");
  }
}

TEST(append_element, every_float16_is_shortest_and_reads_back) { check_all<float16>(11, 15); }

TEST(append_element, every_bfloat16_is_shortest_and_reads_back) { check_all<bfloat16>(8, 127); }

template <typename T, typename Bits>
void check_random() {
  std::mt19937_64 random(20);
  for (int i = 0; i < 200000; ++i) {
    const T value = std::bit_cast<T>(static_cast<Bits>(random()));
    if (!std::isfinite(value)) continue;
    const std::string text = text_of(value);
    T back{};
    const auto [stop, status] = std::from_chars(text.data(), text.data() + text.size(), back);
    ASSERT_EQ(status, std::errc());
    ASSERT_EQ(stop, text.data() + text.size());
    ASSERT_EQ(std::bit_cast<Bits>(back), std::bit_cast<Bits>(value)) << text;
    std::array<char, 64> shortest;
    const auto end = std::to_chars(shortest.begin(), shortest.end(), value).ptr;
    ASSERT_LE(count_digits(text), count_digits(std::string(shortest.begin(), end))) << text;
  }
}

TEST(append_element, random_float32_are_shortest_and_read_back) {
  check_random<float, std::uint32_t>();
}

TEST(append_element, random_float64_are_shortest_and_read_back) {
  check_random<double, std::uint64_t>();
}

TEST(append_element, float32) {
  EXPECT_EQ(text_of(0.0f), "0.0");
  EXPECT_EQ(text_of(-0.0f), "-0.0");
  EXPECT_EQ(text_of(3.0f), "3.0");
  EXPECT_EQ(text_of(0.1f), "0.1");
  EXPECT_EQ(text_of(-123.5f), "-123.5");
  EXPECT_EQ(text_of(100000.0f), "100000.0");
  EXPECT_EQ(text_of(16777216.0f), "16777216.0");
  EXPECT_EQ(text_of(0.0001f), "0.0001");
  EXPECT_EQ(text_of(0.00001f), "1e-05");
  EXPECT_EQ(text_of(std::numeric_limits<float>::max()), "3.4028235e+38");
  EXPECT_EQ(text_of(std::numeric_limits<float>::denorm_min()), "1e-45");
  EXPECT_EQ(text_of(std::numeric_limits<float>::infinity()), "inf");
  EXPECT_EQ(text_of(-std::numeric_limits<float>::infinity()), "-inf");
  EXPECT_EQ(text_of(-std::numeric_limits<float>::quiet_NaN()), "nan");
}

TEST(append_element, float64) {
  EXPECT_EQ(text_of(0.1), "0.1");
  EXPECT_EQ(text_of(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(text_of(1e15), "1000000000000000.0");
  EXPECT_EQ(text_of(1e16), "1e+16");
  EXPECT_EQ(text_of(9007199254740993.0), "9007199254740992.0");
  EXPECT_EQ(text_of(1234567890123456.7), "1234567890123456.8");
  EXPECT_EQ(text_of(std::numeric_limits<double>::max()), "1.7976931348623157e+308");
  EXPECT_EQ(text_of(std::numeric_limits<double>::denorm_min()), "5e-324");
}

// The zeros of 1073741800 would stand for digits that nobody looked at: the value is 1073741824.
TEST(append_element, no_zeros_for_unknown_digits) {
  EXPECT_EQ(text_of(1073741824.0f), "1.0737418e+09");
  EXPECT_EQ(text_of(1000000000.0f), "1000000000.0");
  EXPECT_EQ(text_of(float16(65504.0)), "6.55e+04");
  EXPECT_EQ(text_of(float16(65472.0)), "6.547e+04");
  EXPECT_EQ(text_of(float16(2048.0)), "2048.0");
  EXPECT_EQ(text_of(bfloat16(256.0)), "256.0");
  EXPECT_EQ(text_of(bfloat16(1e10)), "1e+10");
}

TEST(append_element, integers) {
  EXPECT_EQ(text_of(std::numeric_limits<std::int32_t>::min()), "-2147483648");
  EXPECT_EQ(text_of(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(text_of(std::numeric_limits<std::uint32_t>::max()), "4294967295");
  EXPECT_EQ(text_of(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(text_of(std::int32_t{0}), "0");
}

TEST(append_json_element, quotes_what_json_has_no_number_for) {
  EXPECT_EQ(json_of(std::numeric_limits<float>::infinity()), "\"inf\"");
  EXPECT_EQ(json_of(-std::numeric_limits<double>::infinity()), "\"-inf\"");
  EXPECT_EQ(json_of(std::numeric_limits<double>::quiet_NaN()), "\"nan\"");
  EXPECT_EQ(json_of(-0.0f), "-0.0");
  EXPECT_EQ(json_of(1e20), "1e+20");
  EXPECT_EQ(json_of(std::int64_t{-5}), "-5");
}

}  // namespace
}  // namespace halfulp::cli
