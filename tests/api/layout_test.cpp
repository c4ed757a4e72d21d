// Any rank, shape, axes and strides against index arithmetic.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <bit>

#include "api/support/strided_memory.hpp"
#include "numerics/support/check.hpp"
#include "numerics/support/draw.hpp"

namespace oracle {
namespace {

constexpr std::byte untouched{0xa5};

std::vector<std::int64_t> any_shape(random_source& random) {
  std::vector<std::int64_t> shape(random.below(7));
  const std::vector<std::int64_t> extents{1, 1, 2, 2, 3, 4, 5, 7, 8, 9, 16, 17, 33, 64, 100};
  std::int64_t count = 1;
  for (std::int64_t& extent : shape) {
    extent = random.any_of(extents);
    if (count * extent > 3000) extent = 1;
    count *= extent;
  }
  if (!shape.empty() && random.once_in(12)) shape[random.below(shape.size())] = 0;
  return shape;
}

// Axes, each at most once, some of them counted from the back; or none, or absent.
void choose_axes(std::size_t rank, halfulp::options& options, random_source& random) {
  options.keepdims = static_cast<std::int64_t>(random.below(2));
  options.noop_with_empty_axes = static_cast<std::int64_t>(random.below(2));
  if (random.once_in(8)) return;
  std::vector<std::int64_t> axes;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (random.once_in(2)) continue;
    const auto from_front = static_cast<std::int64_t>(axis);
    axes.push_back(random.once_in(2) ? from_front : from_front - static_cast<std::int64_t>(rank));
  }
  random.shuffle(axes);
  options.axes = axes;
}

struct call {
  halfulp::op op;
  halfulp::tensor_layout layout;
  halfulp::options options;

  std::string text() const {
    return fmt::format(
        "{} of {} ({}) strides ({}), axes {}, keepdims {}, noop {}, axis {}, p {}, "
        "to {}",
        halfulp::name_of(op), text_of(layout.type), fmt::join(layout.shape, ","),
        fmt::join(layout.strides, ","),
        options.axes ? fmt::format("({})", fmt::join(*options.axes, ",")) : "absent",
        options.keepdims, options.noop_with_empty_axes, options.axis, options.p,
        text_of(options.output_type.value_or(layout.type)));
  }
};

call any_call(random_source& random) {
  call made;
  made.op = static_cast<halfulp::op>(random.below(4));
  const bool normalizes = made.op == halfulp::op::lp_normalization;
  made.layout.type = random.any_of(normalizes ? float_types : all_types);
  made.layout.shape = any_shape(random);
  if (normalizes && made.layout.shape.empty()) made.layout.shape = {3};
  made.layout.strides = any_strides(made.layout.type, made.layout.shape, true, random);
  if (normalizes) {
    const auto rank = static_cast<std::int64_t>(made.layout.shape.size());
    made.options.axis = random.between(-rank, rank - 1);
    made.options.p = random.between(1, 2);
    if (random.once_in(4)) made.options.eps = random.unit();
  } else {
    choose_axes(made.layout.shape.size(), made.options, random);
  }
  if (random.once_in(2)) made.options.output_type = random.any_of(outputs_of(made.layout.type));
  return made;
}

TEST(layouts, any_call) {
  for (int i = 0; i < scaled(4000); ++i) {
    random_source random(static_cast<std::uint64_t>(i));
    const call made = any_call(random);
    const std::string origin = fmt::format("seed {}: {}", i, made.text());

    strided_memory input(made.layout, random.below(8));
    const character kind = random.any_of(characters(made.layout.type));
    input.write(draw(kind, made.layout.type, element_count(made.layout.shape), random));
    const std::vector<std::byte> input_bytes = input.bytes();
    const tensor right =
        expected(made.op, {made.layout.type, made.layout.shape, input.read()}, made.options);

    const auto strides = any_strides(right.type, right.shape, false, random);
    const halfulp::plan plan(made.op, made.layout, made.options, strides);
    EXPECT_EQ(plan.input().type, made.layout.type) << origin;
    EXPECT_EQ(plan.input().shape, made.layout.shape) << origin;
    EXPECT_EQ(plan.input().strides, made.layout.strides) << origin;
    EXPECT_EQ(plan.output().type, right.type) << origin;
    ASSERT_EQ(plan.output().shape, right.shape) << origin;
    ASSERT_EQ(plan.output().strides, strides) << origin;

    strided_memory output({right.type, right.shape, strides}, random.below(8));
    output.fill(untouched);
    const std::vector<std::byte> gaps = output.bytes();
    plan.run(input.origin(), output.origin());
    ASSERT_EQ(output.read(), right.elements) << origin;
    ASSERT_EQ(output.bytes_without_elements(untouched), gaps) << origin;
    ASSERT_EQ(input.bytes(), input_bytes) << origin;
  }
}

TEST(layouts, strides_are_filled_in) {
  const halfulp::plan plan(halfulp::op::reduce_l1, {dtype::float64, {2, 3, 4}, {}},
                           {.axes = {{1}}, .keepdims = 0});
  EXPECT_EQ(plan.input().strides, (std::vector<std::int64_t>{96, 32, 8}));
  EXPECT_EQ(plan.output().strides, (std::vector<std::int64_t>{32, 8}));
}

// Every subset of the axes of one tensor, whose extents all differ.
TEST(layouts, every_subset_of_axes) {
  const std::vector<std::int64_t> shape{2, 3, 1, 4, 5};
  random_source random(71);
  const tensor input{dtype::float32, shape,
                     draw(character::normal, dtype::float32, element_count(shape), random)};
  for (unsigned subset = 1; subset < 32; ++subset) {
    halfulp::options options;
    options.axes.emplace();
    for (int axis = 0; axis < 5; ++axis) {
      if ((subset >> axis & 1) != 0) options.axes->push_back(axis);
    }
    for (const std::int64_t keepdims : {0, 1}) {
      options.keepdims = keepdims;
      for (const operation op : reductions) {
        EXPECT_EQ(computed(op_of(op), input, options), expected(op_of(op), input, options))
            << fmt::format("axes ({}), keepdims {}", fmt::join(*options.axes, ","), keepdims);
      }
    }
  }
}

// Longer and wider than the pieces that an implementation would take at a time, contiguous or not.
TEST(layouts, long_slices_and_many_of_them) {
  struct example {
    std::vector<std::int64_t> shape;
    std::int64_t axis;
  };
  const std::vector<example> examples{{{2500, 3}, 0},  {{1100, 270}, 0},  {{3, 9001}, 1},
                                      {{2, 33000}, 1}, {{2, 1300, 5}, 1}, {{40, 3, 70}, 1},
                                      {{6000, 2}, 1},  {{1, 20011}, 1},   {{257, 40}, 1}};
  random_source random(72);
  for (const dtype type : all_types) {
    for (const example& e : examples) {
      for (const bool plain : {true, false}) {
        if (!sampled(random)) continue;
        const auto item = static_cast<std::int64_t>(bytes_of(type));
        halfulp::tensor_layout layout{type, e.shape, {}};
        std::int64_t stride = plain ? item : 2 * item + 1;
        for (std::size_t axis = e.shape.size(); axis-- > 0; stride *= e.shape[axis]) {
          layout.strides.insert(layout.strides.begin(), stride);
        }
        strided_memory input(layout, 0);
        const character kind = random.any_of(
            std::vector{character::normal, character::wide, character::small_integers});
        input.write(draw(kind, type, element_count(e.shape), random));
        const tensor logical{type, e.shape, input.read()};
        for (const operation op : reductions) {
          const halfulp::options options{.axes = {{e.axis}}, .keepdims = 0};
          const tensor right = expected(op_of(op), logical, options, by_midpoints);
          const halfulp::plan plan(op_of(op), layout, options);
          std::vector<std::byte> output(right.elements.size() * bytes_of(type));
          plan.run(input.origin(), output.data());
          ASSERT_EQ(output, pack(type, right.elements))
              << fmt::format("{} of {} ({}), axis {}, {}", halfulp::name_of(op_of(op)),
                             text_of(type), fmt::join(e.shape, ","), e.axis, text_of(kind));
        }
        if (!is_floating(type)) continue;
        const halfulp::options options{.axis = e.axis, .p = random.between(1, 2)};
        const tensor right = expected(halfulp::op::lp_normalization, logical, options, by_mpfr);
        const halfulp::plan plan(halfulp::op::lp_normalization, layout, options);
        std::vector<std::byte> output(right.elements.size() * bytes_of(type));
        plan.run(input.origin(), output.data());
        ASSERT_EQ(output, pack(type, right.elements))
            << fmt::format("LpNormalization of {} ({}), axis {}, p {}, {}", text_of(type),
                           fmt::join(e.shape, ","), e.axis, options.p, text_of(kind));
      }
    }
  }
}

// A scalar that repeats: all strides are zero.
TEST(layouts, one_element_seen_many_times) {
  const float value = -1.5f;
  const halfulp::const_view view{&value, {dtype::float32, {1000, 1000}, {0, 0}}};
  EXPECT_EQ(halfulp::reduce_l1(view).elements<float>()[0], 1500000.0f);
  EXPECT_EQ(halfulp::reduce_sum_square(view).elements<float>()[0], 2250000.0f);
  const halfulp::tensor rows = halfulp::reduce_l2(view, {.axes = {{0}}});
  for (const float root : rows.elements<float>()) EXPECT_EQ(root, 47.4341659545898437500f);
}

TEST(layouts, empty_tensors_have_the_right_shape) {
  const halfulp::const_view view{nullptr, {dtype::float32, {3, 0, 2}, {}}};
  const auto shape_over = [&](std::vector<std::int64_t> axes) {
    return halfulp::reduce_l1(view, {.axes = axes, .keepdims = 0}).layout().shape;
  };
  EXPECT_EQ(shape_over({0}), (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(shape_over({0, 1}), (std::vector<std::int64_t>{2}));
  const halfulp::tensor zeros = halfulp::reduce_l1(view, {.axes = {{1}}, .keepdims = 0});
  EXPECT_EQ(zeros.layout().shape, (std::vector<std::int64_t>{3, 2}));
  for (const float zero : zeros.elements<float>()) {
    EXPECT_EQ(std::bit_cast<std::uint32_t>(zero), 0u);
  }
  EXPECT_EQ(halfulp::lp_normalization(view).layout().shape, (std::vector<std::int64_t>{3, 0, 2}));
}

}  // namespace
}  // namespace oracle
