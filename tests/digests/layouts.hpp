// The shapes, axes and ways of storing a tensor that are tried.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfulp/types.hpp"

namespace digests {

// How the elements lie in memory, but for the size of one.
struct storage {
  // C order from the first axis to the last, or the reverse, as for a transposed tensor.
  bool transposed = false;
  bool reversed = false;          // along every axis
  std::int64_t gap = 0;           // elements left free after each
  std::int64_t misalignment = 0;  // bytes before the first
  int repeated_axis = -1;         // has stride 0
};

struct layout_case {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> axes;  // if empty, nothing is summed
  storage input = {};
  storage output = {};

  std::string name() const;
};

struct layout_group {
  std::string_view name;
  std::vector<layout_case> cases;
};

// Every layout, for the types as they come.
const std::vector<layout_group>& layout_groups();
// Some of each, for the other output types.
const layout_group& mixed_layouts();
// What may be written in place.
const layout_group& in_place_layouts();

// Where a tensor lies: byte strides, bytes in all, and the byte of the element with all indices 0.
struct placement {
  std::vector<std::int64_t> strides;
  std::size_t bytes;
  std::size_t origin;
};
placement place(const std::vector<std::int64_t>& shape, std::size_t element_size,
                const storage& storage);

}  // namespace digests
