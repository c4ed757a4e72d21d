// From a shape, strides and axes to the loops that compute.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace halfulp {

// One loop: how many steps, and how many bytes a step moves in the input and in the output.
struct loop {
  std::int64_t extent;
  std::int64_t in;
  std::int64_t out;

  bool operator==(const loop&) const = default;
};

// Which loop runs along the lanes of a vector.
enum class layout_class : std::uint8_t {
  row,     // the innermost reduced loop: lanes side by side in one slice
  column,  // the innermost kept loop: each lane a slice of its own. Columns, batched columns, and
           // rows too short for lanes of their own
};

// "row", "column".
std::string_view name_of(layout_class layout) noexcept;

// The loops over the slices (kept axes) and within a slice (reduced, or normalised along), each
// from the outermost to the innermost. Neither list is empty. Since a correctly rounded result does
// not depend on the order of a slice, loops are sorted by stride and reversed as suits the memory:
// loops that were separate axes may be one, and the first element of a loop may be the last of its
// axis.
struct loop_nest {
  std::vector<loop> kept;
  std::vector<loop> reduced;
  layout_class layout;
  std::int64_t slice_count;   // product of the kept extents
  std::int64_t slice_length;  // product of the reduced extents
  std::int64_t in_offset;     // bytes from the element of index 0 to the first one of the loops
  std::int64_t out_offset;
};

// One axis of the tensor, as the caller has it.
struct axis_loop {
  loop steps;
  bool reduced;
};

// Drops axes of extent 1, merges neighbours, sorts and classifies. If any extent is 0, only
// slice_count and slice_length mean something, and the kept loops, with which zeros are written.
loop_nest make_loop_nest(std::span<const axis_loop> axes);

}  // namespace halfulp
