// Millions of elements, where plain summation in the input's type goes wrong.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "numerics/support/check.hpp"
#include "numerics/support/draw.hpp"
#include "numerics/support/type_parameter.hpp"

namespace oracle {
namespace {

class long_runs : public testing::TestWithParam<dtype> {};

// One value many times over: each addend is far below an ulp of the sum. The quick oracle alone,
// which has been compared with the other one on shorter slices.
TEST_P(long_runs, of_one_value) {
  const dtype input = GetParam();
  random_source random(31);
  for (int i = 0; i < scaled(6); ++i) {
    const auto length = static_cast<std::size_t>(scaled(500000)) + random.below(100);
    const auto slice = draw(character::one_value, input, length, random);
    for (const operation op : reductions) {
      const question asked{op, input, random.any_of(outputs_of(input))};
      expect_outputs(asked, slice, by_midpoints(asked, slice), fmt::format("run {}", i));
    }
  }
}

TEST_P(long_runs, of_random_values) {
  const dtype input = GetParam();
  random_source random(32);
  for (const character kind : characters(input)) {
    if (kind == character::any_pattern && is_floating(input)) continue;
    const auto length = static_cast<std::size_t>(scaled(270000)) + random.below(100);
    const auto slice = draw(kind, input, length, random);
    for (const operation op : reductions) {
      const question asked{op, input, input};
      expect_outputs(asked, slice, by_midpoints(asked, slice), text_of(kind));
    }
  }
}

// A tie of a large value and very many small ones, and the same broken by one far bit.
TEST_P(long_runs, tie_of_many) {
  const dtype input = GetParam();
  if (!is_floating(input)) return;
  const float_format& format = format_of(input);
  const auto count = std::size_t{1} << 20;
  // 2^20 subnormals are together half an ulp of this normal value.
  const bits large = encode(format, false, 1, format.min_exponent() + 20 + format.precision);
  std::vector<bits> slice(count, 1);
  slice.push_back(large);
  const question l1{operation::l1, input, input};
  expect_outputs(l1, slice, {large}, "tie");
  slice.push_back(1);
  expect_outputs(l1, slice, {large + 1}, "tie, broken");
  slice.pop_back();
  slice.back() = large + 1;
  expect_outputs(l1, slice, {large + 2}, "tie to even above");
  slice.front() = 0;
  expect_outputs(l1, slice, {large + 1}, "tie, one short");
}

// Quotients by a norm of very many elements.
TEST_P(long_runs, normalized) {
  const dtype input = GetParam();
  if (!is_floating(input)) return;
  // n equal values are normalised to 1/n and 1/sqrt(n), whatever the value.
  const auto root = static_cast<std::size_t>(1000);
  for (const bits value : {truncated(input, 1.0), truncated(input, -0.3), bits{1},
                           format_of(input).largest_finite()}) {
    const std::vector<bits> slice(root * root, value);
    for (const int p : {1, 2}) {
      const question asked{operation::normalize, input, input, p};
      const question single{operation::normalize, input, input, 1,
                            p == 1 ? static_cast<double>(root * root) : static_cast<double>(root)};
      // 1 / max(1, eps), a slice of one element.
      const bits magnitude = by_midpoints(single, std::vector{truncated(input, 1.0)}).front();
      const bits sign = value & format_of(input).sign_bit();
      expect_outputs(asked, slice, std::vector<bits>(slice.size(), magnitude | sign), "equal");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(of_type, long_runs, testing::ValuesIn(all_types), name_of_parameter);

TEST(long_runs, float32_ones_past_two_to_the_24) {
  const auto count = std::size_t{20000003};
  const std::vector<float> ones(count, -1.0f);
  const auto view = halfulp::view_of(std::span(ones), {static_cast<std::int64_t>(count)});
  const float rounded = std::nearbyint(static_cast<float>(count));
  EXPECT_EQ(halfulp::reduce_l1(view).elements<float>()[0], rounded);
  EXPECT_EQ(halfulp::reduce_sum_square(view).elements<float>()[0], rounded);
}

}  // namespace
}  // namespace oracle
