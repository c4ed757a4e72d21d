// Cast: every conversion rounds or truncates once, and refuses what an integer type does not have.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <optional>

#include "model/support/running.hpp"
#include "numerics/support/draw.hpp"
#include "onnx/convert.hpp"
#include "oracle/oracle.hpp"
#include "schema/table.hpp"

namespace halfulp::onnx::test {
namespace {

using oracle::bits;

// What the type of the result has for one element; empty where that is an error.
std::optional<bits> expected(dtype from, bits pattern, dtype to) {
  if (from == to) return pattern;
  if (oracle::is_floating(to)) {
    // The sum of one magnitude is that magnitude, rounded.
    const bits magnitude =
        oracle::answer({oracle::operation::l1, from, to}, std::span(&pattern, 1)).at(0);
    const oracle::element element = oracle::decode(from, pattern);
    const bool negative = element.negative && element.kind != oracle::element::kind::nan;
    return magnitude | (negative ? oracle::format_of(to).sign_bit() : 0);
  }
  const bits mask = ~bits{0} >> (64 - oracle::width_of(to));
  if (!oracle::is_floating(from)) {
    const auto extended = oracle::width_of(from) == 32 && oracle::is_signed_integer(from)
                              ? static_cast<bits>(static_cast<std::int32_t>(pattern))
                              : pattern;
    return extended & mask;
  }
  const oracle::element element = oracle::decode(from, pattern);
  if (element.kind != oracle::element::kind::finite) return {};
  // 64 bits of significand hold every limit of an integer type, and every element.
  const long double value =
      std::trunc(std::ldexp(static_cast<long double>(element.mantissa), element.exponent) *
                 (element.negative ? -1.0L : 1.0L));
  const long double past = std::ldexp(
      1.0L, static_cast<int>(oracle::width_of(to)) - (oracle::is_signed_integer(to) ? 1 : 0));
  const long double lowest = oracle::is_signed_integer(to) ? -past : 0.0L;
  if (value < lowest || value >= past) return {};
  return (value < 0 ? 0 - static_cast<bits>(-value) : static_cast<bits>(value)) & mask;
}

std::optional<bits> converted(dtype from, bits pattern, dtype to) {
  std::byte source[8], result[8];
  oracle::store(from, pattern, source);
  try {
    convert({from, {}, {}}, source, to, result, "Cast-13");
  } catch (const error&) {
    return {};
  }
  return oracle::load(to, result);
}

void expect_right(dtype from, bits pattern) {
  for (const dtype to : schema::all_dtypes) {
    ASSERT_EQ(converted(from, pattern, to), expected(from, pattern, to))
        << name_of(from) << " " << std::hex << pattern << " to " << name_of(to);
  }
}

TEST(cast, every_16_bit_value) {
  for (const dtype from : {dtype::float16, dtype::bfloat16}) {
    for (bits pattern = 0; pattern <= 0xffff; ++pattern) expect_right(from, pattern);
  }
}

TEST(cast, values_of_every_character) {
  oracle::random_source random(1);
  for (const dtype from : schema::all_dtypes) {
    for (const oracle::character character : oracle::characters(from)) {
      for (const bits pattern : oracle::draw(character, from, 300, random)) {
        expect_right(from, pattern);
      }
    }
  }
}

// Where truncation and the limits of the integer types are decided.
TEST(cast, doubles_beside_whole_numbers) {
  for (int exponent = -2; exponent <= 66; ++exponent) {
    for (const double sign : {1.0, -1.0}) {
      const double whole = sign * std::ldexp(1.0, exponent);
      for (const double value :
           {whole, std::nextafter(whole, 0.0), std::nextafter(whole, 2 * whole), whole + 1,
            whole - 1, whole + 0.5, whole - 0.5}) {
        expect_right(dtype::float64, __builtin_bit_cast(bits, value));
        expect_right(dtype::float32, __builtin_bit_cast(std::uint32_t, static_cast<float>(value)));
      }
    }
  }
}

// Halfway between two values of a narrow type, and the next number to either side: rounding twice
// would go wrong.
TEST(cast, integers_and_doubles_beside_midpoints) {
  for (int width = 9; width <= 64; ++width) {
    for (const int precision : {8, 11, 24, 53}) {
      if (width <= precision) continue;
      const bits top = bits{1} << (width - 1);
      for (const bits odd : {bits{0}, bits{1} << (width - precision)}) {
        const bits middle = top + odd + (bits{1} << (width - precision - 1));
        for (const bits value : {middle - 1, middle, middle + 1}) {
          expect_right(dtype::uint64, value);
          expect_right(dtype::int64, 0 - value);
          expect_right(dtype::float64,
                       __builtin_bit_cast(bits, static_cast<double>(value) * 0x1p-150));
        }
      }
    }
  }
}

model_parts cast_to(std::int64_t from, std::int64_t to) {
  return one_node(node("Cast", {"x"}, {"y"}, "c", {integer_attribute("to", to)}), from);
}

void expect_refused(const model_parts& parts, const named_view& input,
                    const std::vector<std::string>& culprits) {
  const model loaded = load(parts);
  const std::vector<named_view> inputs{input};
  try {
    loaded.run(inputs);
    ADD_FAILURE() << "no error";
  } catch (const error& problem) {
    EXPECT_EQ(static_cast<int>(problem.code()), static_cast<int>(errc::invalid_argument));
    for (const std::string& culprit : culprits) {
      EXPECT_NE(std::string_view(problem.what()).find(culprit), std::string_view::npos)
          << problem.what();
    }
  }
}

TEST(cast, the_element_that_does_not_fit_is_named) {
  const std::vector<float> elements = {1, 2, 3, 4, std::nanf(""), 6};
  expect_refused(cast_to(float32_type, int32_type), feed("x", elements, {2, 3}),
                 {"m.onnx", "node 'c'", "Cast-13", "element (1,1)", "nan", "int32"});
  expect_refused(cast_to(float32_type, uint64_type), feed<float>("x", {0.5F, -0.5F, -1}, {3}),
                 {"element (2,)", "-1", "uint64 holds 0 to 18446744073709551615"});
  expect_refused(cast_to(float64_type, int32_type), feed<double>("x", {2147483648.0}, {}),
                 {"element ()", "2147483648", "int32 holds -2147483648 to 2147483647"});
  const std::vector<double> turned = {1e300, 1};
  const const_view reversed{turned.data() + 1, {dtype::float64, {1, 2}, {0, -8}}};
  expect_refused(cast_to(float64_type, int64_type), {"x", reversed}, {"element (0,1)", "1e+300"});
}

TEST(cast, version_1_has_the_name_of_the_type) {
  const auto parts =
      one_node(node("Cast", {"x"}, {"y"}, "", {text_attribute("to", "INT64")}), float32_type, 1);
  const std::vector<named_view> inputs{feed<float>("x", {2.75F, -2.75F}, {2})};
  expect_tensor<std::int64_t>(load(parts).run(inputs).at(0), {2}, {2, -2});
}

TEST(cast, empty_tensors_of_any_shape) {
  const model loaded = load(cast_to(float32_type, int32_type));
  const std::vector<named_view> inputs{feed<float>("x", {}, {3, 0, 1LL << 40})};
  expect_tensor<std::int32_t>(loaded.run(inputs).at(0), {3, 0, 1LL << 40}, {});
}

TEST(cast, attributes_of_8_bit_types_are_taken_where_they_exist) {
  const auto with = [](const message& attribute, std::int64_t opset) {
    return one_node(
        node("Cast", {"x"}, {"y"}, "", {integer_attribute("to", int32_type), attribute}),
        float32_type, opset);
  };
  EXPECT_NO_THROW(load(with(integer_attribute("saturate", 0), 19)));
  EXPECT_NO_THROW(load(with(text_attribute("round_mode", "down"), 24)));
  EXPECT_THROW(load(with(integer_attribute("saturate", 1), 18)), error);
  EXPECT_THROW(load(with(integer_attribute("saturate", 2), 19)), error);
  EXPECT_THROW(load(with(text_attribute("round_mode", "up"), 23)), error);
  EXPECT_THROW(load(with(text_attribute("round_mode", "away"), 24)), error);
}

}  // namespace
}  // namespace halfulp::onnx::test
