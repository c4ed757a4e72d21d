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
  for (const dimension& axis : fact.shape.value()) layout.shape.push_back(axis.extent.value());
  return layout;
}

std::string format_shape(const std::optional<std::vector<dimension>>& shape) {
  if (!shape) return "?";
  std::string text = "(";
  for (std::size_t i = 0; i < shape->size(); ++i) {
    const dimension& axis = (*shape)[i];
    if (i != 0) text += ',';
    text += axis.extent            ? fmt::to_string(*axis.extent)
            : !axis.symbol.empty() ? printable(axis.symbol)
                                   : "?";
  }
  return text + (shape->size() == 1 ? ",)" : ")");
}

}  // namespace halfulp::onnx
