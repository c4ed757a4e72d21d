// SPDX-License-Identifier: Apache-2.0
#include "plan/split.hpp"

#include <algorithm>

namespace halfulp {

std::vector<slice_part> split_slices(const loop_nest& nest, std::int64_t count) {
  // The outermost loop that gives enough parts, so that each is as contiguous as can be; else the
  // longest one.
  const auto enough = std::find_if(nest.reduced.begin(), nest.reduced.end(),
                                   [count](const loop& l) { return l.extent >= count; });
  const auto cut =
      enough != nest.reduced.end()
          ? enough
          : std::max_element(nest.reduced.begin(), nest.reduced.end(),
                             [](const loop& a, const loop& b) { return a.extent < b.extent; });
  const auto index = cut - nest.reduced.begin();
  count = std::min(count, cut->extent);
  std::vector<slice_part> parts;
  for (std::int64_t i = 0, start = 0; i < count; ++i) {
    const std::int64_t extent = cut->extent / count + (i < cut->extent % count ? 1 : 0);
    slice_part part{nest, start * cut->in, start * cut->out};
    part.nest.reduced[static_cast<std::size_t>(index)].extent = extent;
    part.nest.slice_length = nest.slice_length / cut->extent * extent;
    parts.push_back(std::move(part));
    start += extent;
  }
  return parts;
}

}  // namespace halfulp
