// NaN, infinities and signed zeros in every position, with results known from the rules alone.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "numerics/support/check.hpp"
#include "numerics/support/draw.hpp"
#include "numerics/support/type_parameter.hpp"

namespace oracle {
namespace {

class special_values : public testing::TestWithParam<dtype> {
 protected:
  const dtype input = GetParam();
  const float_format& format = format_of(input);
  const std::vector<std::size_t> lengths{1, 2, 3, 5, 8, 13, 16, 17, 32, 40, 64, 67, 100};
};

const std::vector<bits>& quiet_nans(dtype type) {
  static const std::vector<bits> of_16_bits{0x7fc0}, of_half{0x7e00}, of_32_bits{0x7fc00000},
      of_64_bits{0x7ff8000000000000};
  return type == dtype::bfloat16  ? of_16_bits
         : type == dtype::float16 ? of_half
         : type == dtype::float32 ? of_32_bits
                                  : of_64_bits;
}

TEST_P(special_values, nan_of_any_kind_anywhere) {
  random_source random(41);
  const bits sign = format.sign_bit(), quiet_bit = format.quiet_nan() ^ format.infinity();
  const std::vector<bits> nans{
      format.quiet_nan(),
      format.quiet_nan() | sign,
      format.quiet_nan() | sign | 1,           // a payload
      format.infinity() | 1,                   // signalling
      format.infinity() | quiet_bit >> 1 | 2,  // signalling, another payload
      sign - 1,                                // all bits but the sign
      (sign - 1) | sign,
  };
  for (const std::size_t length : lengths) {
    for (std::size_t at = 0; at < length; ++at) {
      auto slice = draw(character::window, input, length, random);
      slice[at] = random.any_of(nans);
      // NaN wins over infinities.
      if (length > 1 && random.once_in(3)) slice[(at + 1) % length] = format.infinity();
      const std::string origin = fmt::format("NaN at {}", at);
      for (const dtype output : float_types) {
        for (const operation op : reductions) {
          expect_outputs({op, input, output}, slice, quiet_nans(output), origin);
        }
        for (const int p : {1, 2}) {
          const std::vector<bits> all(length, quiet_nans(output).front());
          expect_outputs({operation::normalize, input, output, p}, slice, all, origin);
        }
      }
    }
  }
}

TEST_P(special_values, infinity_of_any_sign_anywhere) {
  random_source random(42);
  for (const std::size_t length : lengths) {
    for (std::size_t at = 0; at < length; ++at) {
      auto slice = draw(character::window, input, length, random);
      slice[at] = format.infinity() | (random.once_in(2) ? format.sign_bit() : 0);
      if (random.once_in(3)) slice[random.below(length)] = format.infinity();
      const std::string origin = fmt::format("infinity at {}", at);
      for (const dtype output : float_types) {
        const float_format& out = format_of(output);
        for (const operation op : reductions) {
          expect_outputs({op, input, output}, slice, {out.infinity()}, origin);
        }
        std::vector<bits> quotients;
        for (const bits x : slice) {
          const bool infinite = (x & ~format.sign_bit()) == format.infinity();
          const bits zero = (x & format.sign_bit()) != 0 ? out.sign_bit() : 0;
          quotients.push_back(infinite ? quiet_nans(output).front() : zero);
        }
        for (const int p : {1, 2}) {
          expect_outputs({operation::normalize, input, output, p}, slice, quotients, origin);
          expect_outputs({operation::normalize, input, output, p, 0x1p-1074}, slice, quotients,
                         origin + ", eps");
          expect_outputs({operation::normalize, input, output, p, 1e308}, slice, quotients,
                         origin + ", eps");
        }
      }
    }
  }
}

TEST_P(special_values, zeros_of_both_signs) {
  random_source random(43);
  for (const std::size_t length : lengths) {
    std::vector<bits> slice;
    for (std::size_t i = 0; i < length; ++i) {
      slice.push_back(random.once_in(2) ? format.sign_bit() : 0);
    }
    for (const dtype output : float_types) {
      for (const operation op : reductions)
        expect_outputs({op, input, output}, slice, {0}, "zeros");
      for (const int p : {1, 2}) {
        for (const double eps : {0.0, 0x1p-1074, 1.0}) {
          expect_outputs({operation::normalize, input, output, p, eps}, slice,
                         std::vector<bits>(length, 0), "zero norm");
        }
      }
    }
    // One element that is not zero: the other quotients are zeros that keep their sign.
    const std::size_t at = random.below(length);
    slice[at] = truncated(input, -2);
    std::vector<bits> quotients;
    for (std::size_t i = 0; i < length; ++i) {
      quotients.push_back(i == at ? truncated(input, -1) : slice[i]);
    }
    for (const int p : {1, 2}) {
      expect_outputs({operation::normalize, input, input, p}, slice, quotients, "zero quotients");
    }
  }
}

// A quotient far below the smallest subnormal is a zero with the sign of x.
TEST_P(special_values, quotients_that_vanish) {
  const std::vector<bits> slice{format.largest_finite(), 1 | format.sign_bit(), 1,
                                format.sign_bit()};
  const std::vector<bits> quotients{truncated(input, 1), format.sign_bit(), 0, format.sign_bit()};
  for (const int p : {1, 2}) {
    expect_outputs({operation::normalize, input, input, p}, slice, quotients, "vanishing");
  }
}

TEST_P(special_values, sums_past_the_largest_value) {
  const bits top = format.largest_finite();
  // Half an ulp of the largest value is where rounding up to infinity begins.
  const bits half_ulp = encode(format, false, 1, format.max_exponent() - format.precision - 1);
  const question l1{operation::l1, input, input};
  expect_outputs(l1, std::vector{top, half_ulp}, {format.infinity()}, "at the threshold");
  expect_outputs(l1, std::vector{top, half_ulp - 1}, {top}, "below the threshold");
  expect_outputs(l1, std::vector{top, half_ulp - 1, bits{1}}, {top}, "below the threshold");
  expect_outputs(l1, std::vector{top, top}, {format.infinity()}, "twice the largest");
  expect_outputs({operation::l2, input, input}, std::vector{top, bits{1}}, {top}, "root in range");
  expect_outputs({operation::l2, input, input}, std::vector{top, top}, {format.infinity()}, "past");
  expect_outputs({operation::sum_square, input, input}, std::vector{top}, {format.infinity()},
                 "square past the range");
  // Norms past the range are no hindrance to quotients.
  const bits half = truncated(input, 0.5);
  expect_outputs({operation::normalize, input, input, 1}, std::vector{top, top}, {half, half},
                 "sum past the range");
}

INSTANTIATE_TEST_SUITE_P(of_type, special_values, testing::ValuesIn(float_types),
                         name_of_parameter);

}  // namespace
}  // namespace oracle
