// Slices cut into parts, whose sums are added up afterwards: for few slices and many threads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "plan/loop_nest.hpp"

namespace halfulp {

// A part of every slice of a nest: loops of its own over the same kept ones, and how many bytes
// after the slice's first element its own comes, in the input and in the output.
struct slice_part {
  loop_nest nest;
  std::int64_t in;
  std::int64_t out;
};

// Cuts one of the reduced loops, which none of is empty, into `count` or fewer parts of about the
// same length.
std::vector<slice_part> split_slices(const loop_nest& nest, std::int64_t count);

}  // namespace halfulp
