// The examples of ONNX's page of LpNormalization and what its page of ReduceL1 states, float32.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "numerics/support/check.hpp"

namespace oracle {
namespace {

std::vector<bits> patterns(const std::vector<float>& values) {
  std::vector<bits> all;
  all.reserve(values.size());
  for (const float value : values) all.push_back(std::bit_cast<std::uint32_t>(value));
  return all;
}

// The library's answer must be the oracle's and the literal one, each the nearest float to the
// exact quotient.
void check(halfulp::op op, const std::vector<std::int64_t>& shape, const std::vector<float>& x,
           const halfulp::options& options, const std::vector<std::int64_t>& output_shape,
           const std::vector<float>& y) {
  const tensor input{dtype::float32, shape, patterns(x)};
  const tensor output{dtype::float32, output_shape, patterns(y)};
  EXPECT_EQ(expected(op, input, options), output);
  EXPECT_EQ(computed(op, input, options), output);
}

void normalizes(const std::vector<std::int64_t>& shape, const std::vector<float>& x,
                halfulp::options options, const std::vector<float>& y) {
  for (const std::int64_t opset : {1, 22}) {
    options.opset = opset;
    check(halfulp::op::lp_normalization, shape, x, options, shape, y);
  }
}

const std::vector<std::int64_t> cube{2, 2, 3};
const std::vector<float> cube_values{1, 2, 2, 3, 4, 0, 0, 5, 5, 6, 8, 0};

// sqrt(29), sqrt(45), sqrt(80) as divisors, to more digits than a float has.
TEST(lp_normalization_examples, l2normalization_axis_0) {
  normalizes(cube, cube_values, {.axis = 0, .p = 2},
             {1.0f, 0.3713906763541f, 0.3713906763541f, 0.4472135954999f, 0.4472135954999f, 0.0f,
              0.0f, 0.9284766908852f, 0.9284766908852f, 0.8944271909999f, 0.8944271909999f, 0.0f});
}

TEST(lp_normalization_examples, l2normalization_axis_1) {
  normalizes({2, 2}, {3, 4, 6, 8}, {.axis = 1, .p = 2}, {0.6f, 0.8f, 0.6f, 0.8f});
}

TEST(lp_normalization_examples, l1normalization_axis_0) {
  normalizes({2}, {3, 4}, {.axis = 0, .p = 1}, {0.4285714285714f, 0.5714285714286f});
}

TEST(lp_normalization_examples, l1normalization_negative_values) {
  normalizes({2}, {1, -1}, {.axis = 0, .p = 1}, {0.5f, -0.5f});
}

TEST(lp_normalization_examples, l1normalization_axis_1) {
  normalizes({2, 2}, {3, 4, 6, 8}, {.axis = 1, .p = 1},
             {0.4285714285714f, 0.5714285714286f, 0.4285714285714f, 0.5714285714286f});
}

TEST(lp_normalization_examples, l1normalization_axis_last) {
  normalizes(cube, cube_values, {.axis = -1, .p = 1},
             {0.2f, 0.4f, 0.4f, 0.4285714285714f, 0.5714285714286f, 0.0f, 0.0f, 0.5f, 0.5f,
              0.4285714285714f, 0.5714285714286f, 0.0f});
}

TEST(lp_normalization_examples, default_attributes) {
  normalizes(cube, cube_values, {},
             {0.3333333333333f, 0.6666666666667f, 0.6666666666667f, 0.6f, 0.8f, 0.0f, 0.0f,
              0.7071067811865f, 0.7071067811865f, 0.6f, 0.8f, 0.0f});
}

TEST(lp_normalization_statements, zero_norm_gives_zero) {
  normalizes({2, 2}, {0, -0.0f, 0, 2}, {}, {0, 0, 0, 1});
}

constexpr auto l1 = halfulp::op::reduce_l1;
const std::vector<std::int64_t> shape{3, 2, 2};
const std::vector<float> values{1, -2, 3, 4, -5, 6, -7, 8, 9, 10, -11, -12};

TEST(reduce_l1_statements, keepdims_keeps_the_rank) {
  check(l1, shape, values, {.opset = 13, .axes = {{1}}}, {3, 1, 2}, {4, 6, 12, 14, 20, 22});
  check(l1, shape, values, {.opset = 13, .axes = {{0, 2}}, .keepdims = 1}, {1, 2, 1}, {33, 45});
}

TEST(reduce_l1_statements, without_keepdims_the_axis_is_pruned) {
  check(l1, shape, values, {.opset = 13, .axes = {{2}}, .keepdims = 0}, {3, 2},
        {3, 7, 11, 15, 19, 23});
  check(l1, shape, values, {.opset = 13, .axes = {{0, 1, 2}}, .keepdims = 0}, {}, {78});
}

TEST(reduce_l1_statements, negative_axes_count_from_the_back_in_every_version) {
  for (const std::int64_t opset : {1, 11, 13, 18}) {
    check(l1, shape, values, {.opset = opset, .axes = {{-3}}, .keepdims = 0}, {2, 2},
          {15, 18, 21, 24});
    check(l1, shape, values, {.opset = opset, .axes = {{-1}}, .keepdims = 0}, {3, 2},
          {3, 7, 11, 15, 19, 23});
  }
}

TEST(reduce_l1_statements, without_axes_all_are_reduced) {
  check(l1, shape, values, {.opset = 13}, {1, 1, 1}, {78});
  check(l1, shape, values, {.opset = 13, .axes = std::vector<std::int64_t>{}}, {1, 1, 1}, {78});
}

TEST(reduce_l1_statements, an_empty_set_gives_0) {
  check(l1, {2, 0, 3}, {}, {.opset = 13, .axes = {{1}}, .keepdims = 0}, {2, 3}, {0, 0, 0, 0, 0, 0});
}

TEST(reduce_l1_statements, version_13_takes_eight_types) {
  for (const dtype type : all_types) {
    const bits one = is_floating(type) ? encode(type, 1) : 1;
    const tensor input{type, {3}, {one, one, one}};
    const bits three = is_floating(type) ? encode(type, 3) : 3;
    EXPECT_EQ(computed(l1, input, {.opset = 13}).elements, std::vector{three}) << text_of(type);
  }
}

}  // namespace
}  // namespace oracle
