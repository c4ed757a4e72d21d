// A validated request: what is computed, on which loops.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "halfulp/types.hpp"
#include "plan/loop_nest.hpp"
#include "schema/table.hpp"

namespace halfulp {

// The bytes that a strided tensor touches, relative to the element of index 0: [first, last).
struct byte_range {
  std::int64_t first;
  std::int64_t last;
};

// Everything that can be known before the data is seen.
struct computation_plan {
  schema::computation computation;
  tensor_layout input;   // strides filled in
  tensor_layout output;  // strides filled in
  byte_range input_range;
  byte_range output_range;
  // output == input is allowed: normalising, with one layout for both.
  bool may_run_in_place;
  loop_nest nest;
};

// Checks shapes, axes and strides against the resolved computation. Throws error(invalid_argument)
// for axes, error(invalid_shape) for the rest.
computation_plan make_plan(const schema::request& request, const tensor_layout& input,
                           std::span<const std::int64_t> output_strides);

}  // namespace halfulp
