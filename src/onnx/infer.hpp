// Types and shapes over a graph.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "onnx/fact.hpp"
#include "onnx/graph.hpp"
#include "onnx/operation.hpp"

namespace halfulp::onnx {

// The extents that symbols stand for, as far as tensors have shown them.
class symbol_table {
 public:
  // Throws error(invalid_shape) that starts with `label` if the symbol has another extent already;
  // `where` is the tensor that has this one.
  void bind(std::string_view symbol, std::int64_t extent, const std::string& where,
            std::string_view label);

 private:
  struct binding {
    std::int64_t extent;
    std::string where;
  };
  std::map<std::string, binding, std::less<>> bindings_;
};

// A shape of many axes, had by each of many tensors, would take many times the size of its file.
class axis_counter {
 public:
  // Throws error(invalid_file) that starts with `label` where there are too many axes in all.
  void add(std::size_t axes, std::string_view label);
  void add(const fact& fact, std::string_view label) {
    if (fact.shape) add(fact.shape->size(), label);
  }

 private:
  std::size_t count_ = 0;
};

// What is known of a tensor together with what the model states of it, which fills what is not
// known. Throws error(unsupported_type) or error(invalid_shape) that starts with `label` and names
// the tensor where the two differ.
fact merge(const value& tensor, fact found, symbol_table& symbols, std::string_view label);

// The output of a node, given what is known of all values, merged with what the model states.
// Messages start with `label` and name the node.
fact infer_node(const graph& graph, const node& node, const operation& operation,
                const std::vector<fact>& known, symbol_table& symbols, std::string_view label);

// The inputs of a node as its operation takes them: null where left out.
std::vector<const fact*> inputs_of(const node& node, const std::vector<fact>& known);

// Calls action(), and puts the label and the node before the message of an error.
template <typename Action>
decltype(auto) name_node(const node& node, std::string_view label, Action&& action) {
  try {
    return std::forward<Action>(action)();
  } catch (const error& problem) {
    std::string_view text = problem.what();
    // Messages about bytes name the file themselves.
    if (text.starts_with(label) && text.substr(label.size()).starts_with(": ")) {
      text.remove_prefix(label.size() + 2);
    }
    fail(problem.code(), "{}: {}: {}", label, label_of(node), text);
  }
}

}  // namespace halfulp::onnx
