// The operators on whole tensors: plain index arithmetic that finds each slice, and an oracle.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "halfulp/halfulp.hpp"
#include "oracle/oracle.hpp"

namespace oracle {

// All elements in C order.
struct tensor {
  dtype type;
  std::vector<std::int64_t> shape;
  std::vector<bits> elements;

  bool operator==(const tensor&) const = default;
};

std::size_t element_count(const std::vector<std::int64_t>& shape);

using slice_oracle = std::vector<bits> (*)(const question&, std::span<const bits>);

// The output of a valid call.
tensor expected(halfulp::op op, const tensor& input, const halfulp::options& options,
                slice_oracle answer_slice = answer);

}  // namespace oracle
