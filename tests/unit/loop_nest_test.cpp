// From axes to loops.
// SPDX-License-Identifier: Apache-2.0
#include "plan/loop_nest.hpp"

#include <gtest/gtest.h>

namespace halfulp {
namespace {

constexpr bool kept = false, reduced = true;

TEST(loop_nests, merges_neighbours_and_drops_extent_one) {
  // (2, 3, 1, 4) float32 over the last two axes.
  const auto nest = make_loop_nest(std::vector<axis_loop>{
      {{2, 48, 12}, kept}, {{3, 16, 4}, kept}, {{1, 16, 4}, reduced}, {{4, 4, 0}, reduced}});
  EXPECT_EQ(nest.kept, (std::vector<loop>{{6, 16, 4}}));
  EXPECT_EQ(nest.reduced, (std::vector<loop>{{4, 4, 0}}));
  EXPECT_EQ(nest.slice_count, 6);
  EXPECT_EQ(nest.slice_length, 4);
}

layout_class layout_of(const axis_loop& a, const axis_loop& b) {
  return make_loop_nest(std::vector<axis_loop>{a, b}).layout;
}

// Lanes of a vector lie along the axis whose elements are closer together.
TEST(loop_nests, rows_and_columns) {
  EXPECT_EQ(layout_of({{100, 3072, 4}, kept}, {{768, 4, 0}, reduced}), layout_class::row);
  EXPECT_EQ(layout_of({{1000, 12, 4}, kept}, {{3, 4, 0}, reduced}), layout_class::row);
  EXPECT_EQ(layout_of({{100, 3072, 0}, reduced}, {{768, 4, 4}, kept}), layout_class::column);
  EXPECT_EQ(layout_of({{1000, 12, 0}, reduced}, {{3, 4, 4}, kept}), layout_class::column);
  // Neither is contiguous.
  EXPECT_EQ(layout_of({{100, 4096, 4}, kept}, {{10, 64, 0}, reduced}), layout_class::row);
  EXPECT_EQ(layout_of({{100, 4096, 0}, reduced}, {{10, 64, 4}, kept}), layout_class::column);
}

TEST(loop_nests, layouts_of_one_slice_and_one_element) {
  EXPECT_EQ(layout_of({{1, 4, 4}, kept}, {{100, 4096, 0}, reduced}), layout_class::row);
  EXPECT_EQ(layout_of({{100, 4, 4}, kept}, {{1, 4, 0}, reduced}), layout_class::column);
}

TEST(loop_nests, layouts_of_broadcast_axes) {
  // The same slice again and again; the same element, which is as close as can be.
  EXPECT_EQ(layout_of({{100, 0, 4}, kept}, {{10, 4096, 0}, reduced}), layout_class::row);
  EXPECT_EQ(layout_of({{100, 4, 4}, kept}, {{10, 0, 0}, reduced}), layout_class::row);
}

TEST(loop_nests, batched_columns_keep_their_outer_loop) {
  const auto nest = make_loop_nest(
      std::vector<axis_loop>{{{8, 4096, 64}, kept}, {{64, 64, 0}, reduced}, {{16, 4, 4}, kept}});
  EXPECT_EQ(nest.kept, (std::vector<loop>{{8, 4096, 64}, {16, 4, 4}}));
  EXPECT_EQ(nest.reduced, (std::vector<loop>{{64, 64, 0}}));
}

TEST(loop_nests, transposed_axes_are_sorted_and_merged) {
  // A (3, 5) Fortran array reduced over both axes is one run.
  const auto nest =
      make_loop_nest(std::vector<axis_loop>{{{3, 4, 0}, reduced}, {{5, 12, 0}, reduced}});
  EXPECT_EQ(nest.reduced, (std::vector<loop>{{15, 4, 0}}));
  EXPECT_EQ(nest.kept.size(), 1u);
}

TEST(loop_nests, negative_strides_run_forwards) {
  const auto nest =
      make_loop_nest(std::vector<axis_loop>{{{3, -40, 4}, kept}, {{10, -4, 0}, reduced}});
  EXPECT_EQ(nest.in_offset, -2 * 40 - 9 * 4);
  EXPECT_EQ(nest.out_offset, 2 * 4);
  EXPECT_EQ(nest.kept, (std::vector<loop>{{3, 40, -4}}));
  EXPECT_EQ(nest.reduced, (std::vector<loop>{{10, 4, 0}}));
}

TEST(loop_nests, nothing_to_loop_over) {
  const auto scalar = make_loop_nest({});
  EXPECT_EQ(scalar.slice_count, 1);
  EXPECT_EQ(scalar.slice_length, 1);
  EXPECT_EQ(scalar.layout, layout_class::row);
  const auto empty =
      make_loop_nest(std::vector<axis_loop>{{{3, 0, 4}, kept}, {{0, 4, 0}, reduced}});
  EXPECT_EQ(empty.slice_count, 3);
  EXPECT_EQ(empty.slice_length, 0);
}

}  // namespace
}  // namespace halfulp
