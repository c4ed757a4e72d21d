// SPDX-License-Identifier: Apache-2.0
#include "onnx/fact.hpp"

#include <string>

#include "base/error.hpp"

namespace halfulp::onnx {

fact fact_of(const tensor_layout& layout, const std::byte* elements) {
  fact result{.type = layout.type, .shape = {}, .elements = elements, .strides = layout.strides};
  result.shape.emplace();
  for (const std::int64_t extent : layout.shape) result.shape->push_back({extent, {}});
  return result;
}

tensor_layout layout_of(const fact& fact) {
  tensor_layout layout{fact.type, {}, fact.strides};
  for (const axis& axis : known_value(fact.shape)) {
    layout.shape.push_back(known_value(axis.extent));
  }
  return layout;
}

std::vector<axis> to_axes(const std::vector<dimension>& shape) {
  std::vector<axis> axes;
  axes.reserve(shape.size());
  for (const dimension& dimension : shape) axes.push_back({dimension.extent, dimension.symbol});
  return axes;
}

std::optional<std::vector<dimension>> to_dimensions(const std::optional<std::vector<axis>>& shape) {
  if (!shape) return {};
  std::vector<dimension> dimensions;
  dimensions.reserve(shape->size());
  for (const axis& axis : *shape) dimensions.push_back({axis.extent, std::string(axis.symbol)});
  return dimensions;
}

std::string format_shape(const std::optional<std::vector<axis>>& shape) {
  if (!shape) return "?";
  std::string text = "(";
  for (std::size_t i = 0; i < shape->size(); ++i) {
    const axis& axis = (*shape)[i];
    if (i != 0) text += ',';
    text += axis.extent            ? fmt::to_string(*axis.extent)
            : !axis.symbol.empty() ? printable(axis.symbol)
                                   : "?";
  }
  return text + (shape->size() == 1 ? ",)" : ")");
}

}  // namespace halfulp::onnx
