// What running refuses: memory that overlaps, outputs that do not fit. Nothing is written then.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "api/support/expect_error.hpp"
#include "halfulp/halfulp.hpp"

namespace oracle {
namespace {

using halfulp::dtype;
using halfulp::errc;
using halfulp::op;
using halfulp::options;
using halfulp::tensor_layout;

// Memory in which input and output meet, with something in it to see changes by.
class overlaps : public testing::Test {
 protected:
  overlaps() { std::iota(memory.begin(), memory.end(), 1.0f); }

  void refuses(const halfulp::plan& plan, std::ptrdiff_t input, std::ptrdiff_t output) {
    const std::vector<float> before = memory;
    expect_error(errc::overlap, {}, [&] { plan.run(at(input), at(output)); });
    EXPECT_EQ(memory, before);
  }

  // `bytes` from the middle.
  std::byte* at(std::ptrdiff_t bytes) {
    return reinterpret_cast<std::byte*>(memory.data() + 50) + bytes;
  }

  std::vector<float> memory = std::vector<float>(100);
};

const tensor_layout row{dtype::float32, {8}, {}};

TEST_F(overlaps, of_lp_normalization) {
  const halfulp::plan plan(op::lp_normalization, row);
  for (const std::ptrdiff_t shift : {1, 2, 4, 28, 31}) {
    refuses(plan, 0, shift);
    refuses(plan, shift, 0);
  }
  EXPECT_NO_THROW(plan.run(at(0), at(32)));
  EXPECT_NO_THROW(plan.run(at(32), at(0)));
}

TEST_F(overlaps, in_place_needs_the_same_layout) {
  const tensor_layout matrix{dtype::float32, {3, 3}, {}};
  const std::vector<std::int64_t> transposed{4, 12};
  refuses(halfulp::plan(op::lp_normalization, matrix, {}, transposed), 0, 0);
  refuses(halfulp::plan(op::lp_normalization, {dtype::float16, {4}, {}},
                        {.output_type = dtype::bfloat16}),
          0, 0);
  refuses(halfulp::plan(op::lp_normalization, {dtype::float32, {4}, {}},
                        {.output_type = dtype::float64}),
          0, 0);
  EXPECT_NO_THROW(halfulp::plan(op::lp_normalization, matrix, {}, {{12, 4}}).run(at(0), at(0)));
}

TEST_F(overlaps, of_reductions) {
  for (const op op : {op::reduce_l1, op::reduce_l2, op::reduce_sum_square}) {
    const halfulp::plan all(op, row);
    for (const std::ptrdiff_t shift : {0, 1, 4, 28, 31, -1, -3}) refuses(all, 0, shift);
    EXPECT_NO_THROW(all.run(at(0), at(32)));
    EXPECT_NO_THROW(all.run(at(0), at(-4)));
    // Not even where each output would take the place of its only input.
    refuses(
        halfulp::plan(op, row, {.axes = std::vector<std::int64_t>{}, .noop_with_empty_axes = 1}), 0,
        0);
  }
}

TEST_F(overlaps, counts_negative_strides) {
  const halfulp::plan plan(op::reduce_l1, {dtype::float32, {8}, {-4}});
  refuses(plan, 0, -28);
  refuses(plan, 0, 0);
  EXPECT_NO_THROW(plan.run(at(0), at(4)));
  EXPECT_NO_THROW(plan.run(at(0), at(-32)));
}

TEST_F(overlaps, never_of_empty_tensors) {
  const halfulp::plan plan(op::lp_normalization, {dtype::float32, {0, 3}, {}});
  EXPECT_NO_THROW(plan.run(at(0), at(4)));
  EXPECT_NO_THROW(plan.run(nullptr, nullptr));
}

class outputs : public testing::Test {
 protected:
  static void refuses(errc code, const std::vector<std::string>& parts, const tensor_layout& layout,
                      const options& options = {}) {
    std::vector<float> output(100, 7);
    expect_error(code, parts, [&] {
      halfulp::compute(op::reduce_l1, {data, {dtype::float32, {2, 3}, {}}}, {output.data(), layout},
                       options);
    });
    EXPECT_EQ(output, std::vector<float>(100, 7));
  }
  static constexpr float data[] = {1, -2, 3, -4, 5, -6};
};

TEST_F(outputs, of_another_shape) {
  const options rows{.axes = {{1}}};
  refuses(errc::invalid_shape, {"(2,)", "(2,1)"}, {dtype::float32, {2}, {}}, rows);
  refuses(errc::invalid_shape, {"(2,3)", "(2,1)"}, {dtype::float32, {2, 3}, {}}, rows);
  refuses(errc::invalid_shape, {"(1,2)", "(2,1)"}, {dtype::float32, {1, 2}, {}}, rows);
  refuses(errc::invalid_shape, {"stride"}, {dtype::float32, {2, 1}, {4}}, rows);
  refuses(errc::invalid_shape, {"stride"}, {dtype::float32, {2, 1}, {0, 4}}, rows);
}

TEST_F(outputs, of_another_type) {
  refuses(errc::unsupported_type, {"int32"}, {dtype::int32, {1, 1}, {}});
  refuses(errc::unsupported_type, {"float64", "float32"}, {dtype::float32, {1, 1}, {}},
          {.output_type = dtype::float64});
}

TEST_F(outputs, their_type_is_the_output_type) {
  double sum = 0;
  halfulp::compute(op::reduce_l1, {data, {dtype::float32, {6}, {}}},
                   {&sum, {dtype::float64, {1}, {}}});
  EXPECT_EQ(sum, 21);
  sum = 0;
  halfulp::compute(op::reduce_l1, {data, {dtype::float32, {6}, {}}},
                   {&sum, {dtype::float64, {}, {}}},
                   {.keepdims = 0, .output_type = dtype::float64});
  EXPECT_EQ(sum, 21);
}

TEST_F(outputs, with_strides) {
  std::vector<float> output(5, 7);
  halfulp::compute(op::reduce_l1, {data, {dtype::float32, {2, 3}, {}}},
                   {output.data() + 4, {dtype::float32, {3}, {-8}}},
                   {.axes = {{0}}, .keepdims = 0});
  EXPECT_EQ(output, (std::vector<float>{9, 7, 7, 7, 5}));
}

}  // namespace
}  // namespace oracle
