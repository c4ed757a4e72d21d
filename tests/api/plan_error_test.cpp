// What a plan refuses: code and message.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "api/support/expect_error.hpp"
#include "halfulp/halfulp.hpp"

namespace oracle {
namespace {

using halfulp::dtype;
using halfulp::errc;
using halfulp::op;
using halfulp::options;
using halfulp::tensor_layout;

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
const std::vector<op> reductions{op::reduce_l1, op::reduce_l2, op::reduce_sum_square};

tensor_layout floats(std::vector<std::int64_t> shape, std::vector<std::int64_t> strides = {}) {
  return {dtype::float32, shape, strides};
}

void refuses(errc code, const std::vector<std::string>& parts, op op, const tensor_layout& layout,
             const options& options = {}, std::vector<std::int64_t> output_strides = {}) {
  expect_error(code, parts, [&] { halfulp::plan(op, layout, options, output_strides); });
}

void accepts(op op, const tensor_layout& layout, const options& options = {},
             std::vector<std::int64_t> output_strides = {}) {
  EXPECT_NO_THROW(halfulp::plan(op, layout, options, output_strides)) << halfulp::name_of(op);
}

TEST(plan_errors, axes_out_of_range) {
  for (const op op : reductions) {
    const std::string name(halfulp::name_of(op));
    for (const std::int64_t opset : {1, 11, 13, 18, 28}) {
      for (const std::int64_t axis : {std::int64_t{3}, std::int64_t{-4}, least, most}) {
        refuses(errc::invalid_argument, {name, "axes", std::to_string(axis), "-3", "2"}, op,
                floats({2, 3, 4}), {.opset = opset, .axes = {{0, axis}}});
      }
      for (const std::int64_t axis : {-3, 0, 2}) {
        accepts(op, floats({2, 3, 4}), {.opset = opset, .axes = {{axis}}});
      }
    }
    refuses(errc::invalid_argument, {name, "axes", "0"}, op, floats({}), {.axes = {{0}}});
    refuses(errc::invalid_argument, {name, "axes", "-1"}, op, floats({}), {.axes = {{-1}}});
    accepts(op, floats({}), {.axes = std::vector<std::int64_t>{}});
  }
}

TEST(plan_errors, an_axis_named_twice) {
  for (const op op : reductions) {
    const std::string name(halfulp::name_of(op));
    refuses(errc::invalid_argument, {name, "axes", "1"}, op, floats({2, 3, 4}), {.axes = {{1, 1}}});
    refuses(errc::invalid_argument, {name, "axes", "-2"}, op, floats({2, 3, 4}),
            {.axes = {{1, 0, -2}}});
    refuses(errc::invalid_argument, {name, "axes"}, op, floats({1}), {.axes = {{0, -1}}});
  }
}

TEST(plan_errors, flags_other_than_0_and_1) {
  for (const op op : reductions) {
    for (const std::int64_t flag : {std::int64_t{2}, std::int64_t{-1}, least, most}) {
      refuses(errc::invalid_argument, {"keepdims", std::to_string(flag)}, op, floats({2}),
              {.keepdims = flag});
      refuses(errc::invalid_argument, {"noop_with_empty_axes", std::to_string(flag)}, op,
              floats({2}), {.noop_with_empty_axes = flag});
    }
  }
}

TEST(plan_errors, noop_with_empty_axes_before_version_18) {
  for (const op op : reductions) {
    const std::string name(halfulp::name_of(op));
    for (const auto& [opset, version] :
         {std::pair{1, "-1"}, {12, "-11"}, {13, "-13"}, {17, "-13"}}) {
      refuses(errc::invalid_argument, {name + version, "noop_with_empty_axes"}, op, floats({2}),
              {.opset = opset, .noop_with_empty_axes = 1});
    }
    accepts(op, floats({2}), {.opset = 18, .noop_with_empty_axes = 1});
  }
}

TEST(plan_errors, types_of_a_version) {
  const tensor_layout bfloat16{dtype::bfloat16, {2}, {}};
  for (const op op : reductions) {
    const std::string name(halfulp::name_of(op));
    for (const std::int64_t opset : {1, 10, 11, 12}) {
      refuses(errc::unsupported_type, {name, "bfloat16"}, op, bfloat16, {.opset = opset});
    }
    for (const std::int64_t opset : {13, 17, 18, 28}) accepts(op, bfloat16, {.opset = opset});
  }
  for (const std::int64_t opset : {1, 13, 18, 21}) {
    refuses(errc::unsupported_type, {"LpNormalization-1", "bfloat16"}, op::lp_normalization,
            bfloat16, {.opset = opset});
  }
  for (const std::int64_t opset : {22, 28}) {
    accepts(op::lp_normalization, bfloat16, {.opset = opset});
  }
  for (const dtype type : {dtype::int32, dtype::int64, dtype::uint32, dtype::uint64}) {
    for (const op op : reductions) accepts(op, {type, {2}, {}}, {.opset = 1});
    refuses(errc::unsupported_type, {"LpNormalization", std::string(halfulp::name_of(type))},
            op::lp_normalization, {type, {2}, {}});
  }
}

TEST(plan_errors, opsets_that_are_not_known) {
  for (const op op : {op::reduce_l1, op::reduce_l2, op::reduce_sum_square, op::lp_normalization}) {
    for (const std::int64_t opset :
         {std::int64_t{0}, std::int64_t{-1}, std::int64_t{29}, least, most}) {
      refuses(errc::invalid_argument, {"opset", std::to_string(opset), "28"}, op, floats({2}),
              {.opset = opset});
    }
    for (std::int64_t opset = 1; opset <= 28; ++opset) accepts(op, floats({2}), {.opset = opset});
  }
  EXPECT_EQ(halfulp::newest_opset, 28);
}

TEST(plan_errors, attributes_of_lp_normalization) {
  const auto op = op::lp_normalization;
  for (const std::int64_t p : {std::int64_t{0}, std::int64_t{3}, std::int64_t{-1}, least, most}) {
    refuses(errc::invalid_argument, {"LpNormalization", "p", std::to_string(p), "1", "2"}, op,
            floats({2}), {.p = p});
  }
  for (const std::int64_t axis : {std::int64_t{2}, std::int64_t{-3}, least, most}) {
    refuses(errc::invalid_argument, {"LpNormalization", "axis", std::to_string(axis), "-2", "1"},
            op, floats({1, 2}), {.axis = axis});
  }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double eps : {-1.0, -0x1p-1074, infinity, -infinity, std::nan("")}) {
    refuses(errc::invalid_argument, {"eps"}, op, floats({2}), {.eps = eps});
  }
  for (const double eps : {0.0, -0.0, 0x1p-1074, 1e308}) accepts(op, floats({2}), {.eps = eps});
  expect_error(errc::invalid_argument, {"LpNormalization", "axis"},
               [&] { halfulp::plan(op, floats({})); });
}

TEST(plan_errors, attributes_of_the_other_operators) {
  for (const op op : reductions) {
    const std::string name(halfulp::name_of(op));
    refuses(errc::invalid_argument, {name, "eps"}, op, floats({2}), {.eps = 1e-12});
    refuses(errc::invalid_argument, {name, "p"}, op, floats({2}), {.p = 1});
    refuses(errc::invalid_argument, {name, "axis"}, op, floats({2}), {.axis = 0});
  }
  const std::string name("LpNormalization");
  refuses(errc::invalid_argument, {name, "axes"}, op::lp_normalization, floats({2}),
          {.axes = {{0}}});
  refuses(errc::invalid_argument, {name, "keepdims"}, op::lp_normalization, floats({2}),
          {.keepdims = 0});
  refuses(errc::invalid_argument, {name, "noop_with_empty_axes"}, op::lp_normalization, floats({2}),
          {.noop_with_empty_axes = 1});
}

TEST(plan_errors, output_types) {
  const std::vector<dtype> float_types{dtype::bfloat16, dtype::float16, dtype::float32,
                                       dtype::float64};
  const std::vector<dtype> integer_types{dtype::int32, dtype::int64, dtype::uint32, dtype::uint64};
  for (const op op : {op::reduce_l1, op::reduce_l2, op::reduce_sum_square, op::lp_normalization}) {
    for (const dtype input : float_types) {
      for (const dtype output : float_types) accepts(op, {input, {2}, {}}, {.output_type = output});
      for (const dtype output : integer_types) {
        refuses(errc::unsupported_type, {std::string(halfulp::name_of(output))}, op,
                {input, {2}, {}}, {.output_type = output});
      }
    }
    if (op == op::lp_normalization) continue;
    for (const dtype input : integer_types) {
      for (const dtype output : float_types) accepts(op, {input, {2}, {}}, {.output_type = output});
      for (const dtype output : integer_types) {
        accepts(op, {input, {2}, {}}, {.output_type = output});
      }
    }
  }
}

TEST(plan_errors, shapes) {
  for (const op op : {op::reduce_l1, op::lp_normalization}) {
    refuses(errc::invalid_shape, {"-1"}, op, floats({2, -1}));
    refuses(errc::invalid_shape, {"-1"}, op, floats({0, -1}));
    refuses(errc::invalid_shape, {}, op, floats({std::int64_t{1} << 40, std::int64_t{1} << 40}));
    refuses(errc::invalid_shape, {}, op, floats({std::int64_t{1} << 61}));
    refuses(errc::invalid_shape, {}, op, floats({most}));
    accepts(op, floats({0, most}));
    accepts(op, floats({most, 0, most}));
    accepts(op, floats({most, most, 0}));
  }
}

TEST(plan_errors, input_strides) {
  for (const op op : {op::reduce_l2, op::lp_normalization}) {
    refuses(errc::invalid_shape, {"stride"}, op, floats({2, 3}, {4}));
    refuses(errc::invalid_shape, {"stride"}, op, floats({2, 3}, {4, 8, 4}));
    // Offsets that no address can have.
    refuses(errc::invalid_shape, {"stride"}, op, floats({3}, {most}));
    refuses(errc::invalid_shape, {"stride"}, op, floats({3}, {least}));
    refuses(errc::invalid_shape, {"stride"}, op, floats({2, 2}, {most, most}));
    accepts(op, floats({2, 3}, {-1, 0}));
    accepts(op, floats({1}, {most}));
    // Strides that nothing is ever addressed with.
    accepts(op, floats({0, 2}, {4, least}));
    accepts(op, floats({3, 0}, {least, most}));
  }
}

TEST(plan_errors, output_strides) {
  const auto op = op::lp_normalization;
  refuses(errc::invalid_shape, {"stride"}, op, floats({2, 3}), {}, {4});
  refuses(errc::invalid_shape, {"stride"}, op, floats({2, 3}), {}, {12, 4, 4});
  refuses(errc::invalid_shape, {"stride", "0"}, op, floats({2, 3}), {}, {0, 4});
  refuses(errc::invalid_shape, {"stride"}, op, floats({3}), {}, {most});
  accepts(op, floats({1, 3}), {}, {0, 4});
  accepts(op, floats({2, 3}), {}, {-4, 100});
  // Of a reduction: as many as the output has axes.
  refuses(errc::invalid_shape, {"stride"}, op::reduce_l1, floats({2, 3}),
          {.axes = {{1}}, .keepdims = 0}, {4, 4});
  accepts(op::reduce_l1, floats({2, 3}), {.axes = {{1}}, .keepdims = 0}, {4});
  accepts(op::reduce_l1, floats({2, 3}), {.keepdims = 0}, {});
}

}  // namespace
}  // namespace oracle
