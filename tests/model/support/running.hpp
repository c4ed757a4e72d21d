// Running models in memory.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "halfulp/onnx.hpp"
#include "model/support/messages.hpp"

namespace halfulp::onnx::test {

inline std::span<const std::byte> as_span(std::string_view bytes) {
  return std::as_bytes(std::span(bytes.data(), bytes.size()));
}

inline model load(const model_parts& parts) { return model(as_span(to_bytes(parts)), "m.onnx"); }

// The elements are kept as long as the program runs, since a view of a temporary would lead
// nowhere.
template <typename T>
named_view feed(std::string_view name, const std::vector<T>& elements,
                std::vector<std::int64_t> shape) {
  static std::list<std::vector<T>> kept;
  kept.push_back(elements);
  return {name, view_of<T>(kept.back(), std::move(shape))};
}

template <typename T>
std::vector<T> elements_of(const tensor& result) {
  const std::span<const T> all = result.elements<T>();
  return {all.begin(), all.end()};
}

template <typename T>
void expect_tensor(const tensor& result, const std::vector<std::int64_t>& shape,
                   const std::vector<T>& elements) {
  EXPECT_EQ(result.layout().shape, shape);
  EXPECT_EQ(elements_of<T>(result), elements);
}

// One node from the input x, whose shape is not known, to the output y.
inline model_parts one_node(const message& node, std::int64_t type, std::int64_t opset = 18) {
  return {.nodes = {node},
          .inputs = {value_of_any_rank("x", type)},
          .outputs = {message().text(1, "y")},
          .opset = opset};
}

}  // namespace halfulp::onnx::test
