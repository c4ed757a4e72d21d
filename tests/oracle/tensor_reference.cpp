// SPDX-License-Identifier: Apache-2.0
#include "oracle/tensor_reference.hpp"

namespace oracle {
namespace {

operation operation_of(halfulp::op op) {
  switch (op) {
    case halfulp::op::reduce_l1:
      return operation::l1;
    case halfulp::op::reduce_l2:
      return operation::l2;
    case halfulp::op::reduce_sum_square:
      return operation::sum_square;
    case halfulp::op::lp_normalization:
      break;
  }
  return operation::normalize;
}

// For each axis, whether its elements are taken together.
std::vector<bool> joined_axes(halfulp::op op, std::size_t rank, const halfulp::options& options) {
  const auto at = [&](std::int64_t axis) {
    return static_cast<std::size_t>(axis < 0 ? axis + static_cast<std::int64_t>(rank) : axis);
  };
  std::vector<bool> joined(rank, false);
  if (op == halfulp::op::lp_normalization) {
    joined.at(at(options.axis)) = true;
  } else if (options.axes && !options.axes->empty()) {
    for (const std::int64_t axis : *options.axes) joined.at(at(axis)) = true;
  } else if (options.noop_with_empty_axes == 0) {
    joined.assign(rank, true);
  }
  return joined;
}

struct slice {
  std::vector<std::size_t> positions;  // in C order
  std::vector<bits> elements;
};

}  // namespace

std::size_t element_count(const std::vector<std::int64_t>& shape) {
  std::size_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
  return count;
}

tensor expected(halfulp::op op, const tensor& input, const halfulp::options& options,
                slice_oracle answer_slice) {
  const std::size_t rank = input.shape.size();
  const std::vector<bool> joined = joined_axes(op, rank, options);

  std::size_t slice_count = 1;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (!joined[axis]) slice_count *= static_cast<std::size_t>(input.shape[axis]);
  }
  std::vector<slice> slices(slice_count);
  for (std::size_t position = 0; position < input.elements.size(); ++position) {
    // The axes from the last to the first: the position's index on each, and the kept ones put
    // together again as the number of the slice.
    std::size_t rest = position, number = 0, weight = 1;
    for (std::size_t axis = rank; axis-- > 0;) {
      const auto extent = static_cast<std::size_t>(input.shape[axis]);
      const std::size_t index = rest % extent;
      rest /= extent;
      if (joined[axis]) continue;
      number += index * weight;
      weight *= extent;
    }
    slices[number].positions.push_back(position);
    slices[number].elements.push_back(input.elements[position]);
  }

  const question asked{operation_of(op), input.type, options.output_type.value_or(input.type),
                       static_cast<int>(options.p), options.eps};
  tensor output{asked.output, {}, {}};
  if (asked.op == operation::normalize) {
    output.shape = input.shape;
    output.elements.resize(input.elements.size());
    for (const slice& s : slices) {
      const std::vector<bits> quotients = answer_slice(asked, s.elements);
      for (std::size_t i = 0; i < quotients.size(); ++i) {
        output.elements[s.positions[i]] = quotients[i];
      }
    }
    return output;
  }
  for (std::size_t axis = 0; axis < rank; ++axis) {
    if (!joined[axis]) {
      output.shape.push_back(input.shape[axis]);
    } else if (options.keepdims != 0) {
      output.shape.push_back(1);
    }
  }
  for (const slice& s : slices) {
    output.elements.push_back(answer_slice(asked, s.elements).front());
  }
  return output;
}

}  // namespace oracle
