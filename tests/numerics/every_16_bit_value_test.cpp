// All 65,536 values of float16 and of bfloat16 through every operator into every output type.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "numerics/support/check.hpp"
#include "numerics/support/draw.hpp"

namespace oracle {
namespace {

class every_value : public testing::TestWithParam<std::tuple<dtype, dtype>> {
 protected:
  const dtype input = std::get<0>(GetParam());
  const dtype output = std::get<1>(GetParam());
};

// All of them, unless HALFULP_TEST_SCALE asks for fewer.
std::vector<bits> all_patterns() {
  std::vector<bits> patterns;
  random_source random(53);
  for (bits pattern = 0; pattern < 0x10000; ++pattern) {
    if (sampled(random)) patterns.push_back(pattern);
  }
  return patterns;
}

// One call for all slices, which have `length` elements each.
void check_rows(const question& asked, const std::vector<bits>& elements, std::size_t length) {
  const std::size_t rows = elements.size() / length;
  halfulp::options options;
  options.output_type = asked.output;
  if (asked.op == operation::normalize) {
    options.p = asked.p;
    options.eps = asked.eps;
  } else {
    options.axes = {{1}};
  }
  const tensor matrix{
      asked.input, {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(length)}, elements};
  const tensor result = computed(op_of(asked.op), matrix, options);
  const std::size_t width = asked.op == operation::normalize ? length : 1;
  ASSERT_EQ(result.elements.size(), rows * width);
  for (std::size_t row = 0; row < rows; ++row) {
    // The second oracle for some of them: MPFR alone answers a million questions a second.
    const slice_oracle answer_slice = row % 16 == 0 ? answer : by_mpfr;
    const auto slice = std::span(elements).subspan(row * length, length);
    const std::vector<bits> right = answer_slice(asked, slice);
    const auto outputs = std::span(result.elements).subspan(row * width, width);
    ASSERT_TRUE(std::equal(outputs.begin(), outputs.end(), right.begin(), right.end()))
        << text_of(asked) << " of " << text_of(asked.input, slice) << ": "
        << text_of(asked.output, outputs) << ", not " << text_of(asked.output, right);
  }
}

TEST_P(every_value, reduced_alone) {
  for (const operation op : reductions) check_rows({op, input, output}, all_patterns(), 1);
}

TEST_P(every_value, normalized_alone) {
  for (const int p : {1, 2}) {
    check_rows({operation::normalize, input, output, p}, all_patterns(), 1);
    check_rows({operation::normalize, input, output, p, 0.7}, all_patterns(), 1);
  }
}

// Beside a second value, so that the quotients are any numbers.
TEST_P(every_value, normalized_beside_another) {
  random_source random(51);
  for (const int p : {1, 2}) {
    std::vector<bits> elements;
    for (const bits pattern : all_patterns()) {
      elements.push_back(pattern);
      elements.push_back(draw(character::wide, input, 1, random).front());
    }
    check_rows({operation::normalize, input, output, p}, elements, 2);
  }
}

// Beside a value of about the same size, and a third that breaks the symmetry.
TEST_P(every_value, normalized_beside_neighbours) {
  random_source random(52);
  const bits magnitudes = format_of(input).sign_bit() - 1;
  for (const int p : {1, 2}) {
    std::vector<bits> elements;
    for (const bits pattern : all_patterns()) {
      elements.push_back(pattern);
      elements.push_back((pattern ^ random.below(64)) & magnitudes);
      elements.push_back(random.below((pattern & magnitudes) + 1));
    }
    check_rows({operation::normalize, input, output, p}, elements, 3);
  }
}

INSTANTIATE_TEST_SUITE_P(of_types, every_value,
                         testing::Combine(testing::Values(dtype::bfloat16, dtype::float16),
                                          testing::ValuesIn(float_types)),
                         [](const testing::TestParamInfo<std::tuple<dtype, dtype>>& types) {
                           return fmt::format("{}_to_{}", text_of(std::get<0>(types.param)),
                                              text_of(std::get<1>(types.param)));
                         });

}  // namespace
}  // namespace oracle
