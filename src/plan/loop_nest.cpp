// SPDX-License-Identifier: Apache-2.0
#include "plan/loop_nest.hpp"

#include <algorithm>
#include <limits>

namespace halfulp {

namespace {

// Sorts from the largest input stride to the smallest and merges what is one run of memory.
void sort_and_merge(std::vector<loop>& loops) {
  std::stable_sort(loops.begin(), loops.end(),
                   [](const loop& a, const loop& b) { return a.in > b.in; });
  std::vector<loop> merged;
  for (const loop& inner : loops) {
    if (!merged.empty()) {
      loop& outer = merged.back();
      if (outer.in == inner.in * inner.extent && outer.out == inner.out * inner.extent) {
        outer = {outer.extent * inner.extent, inner.in, inner.out};
        continue;
      }
    }
    merged.push_back(inner);
  }
  if (merged.empty()) merged.push_back({1, 0, 0});
  loops = std::move(merged);
}

layout_class classify(const loop& kept, const loop& reduced) {
  // Lanes run along what lies closer together in memory.
  if (kept.extent == 1 || kept.in == 0) return layout_class::row;
  return reduced.extent > 1 && reduced.in <= kept.in ? layout_class::row : layout_class::column;
}

// 0 where an extent is. Else the product, or of an empty tensor, whose other extents may be
// anything, the largest number instead of one beyond it.
std::int64_t product(const std::vector<loop>& loops) {
  if (std::any_of(loops.begin(), loops.end(), [](const loop& l) { return l.extent == 0; }))
    return 0;
  std::int64_t n = 1;
  for (const loop& l : loops) {
    if (__builtin_mul_overflow(n, l.extent, &n)) return std::numeric_limits<std::int64_t>::max();
  }
  return n;
}

}  // namespace

std::string_view name_of(layout_class layout) noexcept {
  return layout == layout_class::row ? "row" : "column";
}

loop_nest make_loop_nest(std::span<const axis_loop> axes) {
  loop_nest nest{.kept = {},
                 .reduced = {},
                 .layout = layout_class::row,
                 .slice_count = 1,
                 .slice_length = 1,
                 .in_offset = 0,
                 .out_offset = 0};
  const bool empty = std::any_of(axes.begin(), axes.end(),
                                 [](const axis_loop& axis) { return axis.steps.extent == 0; });
  for (const axis_loop& axis : axes) {
    loop steps = axis.steps;
    if (steps.extent == 1) continue;
    // Nothing of an empty input is read, so its strides were not checked.
    if (empty) steps.in = 0;
    if (steps.in < 0) {
      nest.in_offset += (steps.extent - 1) * steps.in;
      nest.out_offset += (steps.extent - 1) * steps.out;
      steps.in = -steps.in;
      steps.out = -steps.out;
    }
    (axis.reduced ? nest.reduced : nest.kept).push_back(steps);
  }
  nest.slice_count = product(nest.kept);
  nest.slice_length = product(nest.reduced);
  if (nest.slice_count == 0 || nest.slice_length == 0) return nest;
  sort_and_merge(nest.kept);
  sort_and_merge(nest.reduced);
  nest.layout = classify(nest.kept.back(), nest.reduced.back());
  return nest;
}

}  // namespace halfulp
