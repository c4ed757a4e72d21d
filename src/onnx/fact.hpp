// What is known of a tensor of the graph.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/shape.hpp"
#include "halfulp/onnx.hpp"

namespace halfulp::onnx {

// What is known by the time that it is asked for. Throws std::logic_error where it is not, which is
// a defect of the caller.
template <typename T>
const T& known_value(const std::optional<T>& value) {
  if (!value) throw std::logic_error("something is asked for before it is known");
  return *value;
}

// One axis, as onnx::dimension. The symbol's text is the model's.
struct axis {
  std::optional<std::int64_t> extent = {};
  std::string_view symbol = {};
};

// Its type; its extents as far as they are known; and, if they are there, its elements, whose shape
// is then known.
struct fact {
  dtype type = dtype::float32;
  std::optional<std::vector<axis>> shape = {};  // empty: not even the rank is known
  const std::byte* elements = nullptr;          // of index 0; null: not known yet
  std::vector<std::int64_t> strides = {};       // of the elements, in bytes
};

// A tensor whose elements are there.
fact fact_of(const tensor_layout& layout, const std::byte* elements);

// Type, shape and, where there are elements, strides. Every extent must be known.
tensor_layout layout_of(const fact& fact);

std::vector<axis> to_axes(const std::vector<dimension>& shape);
std::optional<std::vector<dimension>> to_dimensions(const std::optional<std::vector<axis>>& shape);

using halfulp::format_shape;

// "(N,3)", with "?" for what is not known, and "?" alone where the rank isn't.
std::string format_shape(const std::optional<std::vector<axis>>& shape);

}  // namespace halfulp::onnx
