// A model that was read and checked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/buffer.hpp"
#include "base/error.hpp"
#include "io/descriptor.hpp"
#include "onnx/fact.hpp"
#include "onnx/graph.hpp"
#include "onnx/infer.hpp"
#include "onnx/initializers.hpp"
#include "onnx/model_proto.hpp"
#include "onnx/operation.hpp"

namespace halfulp::onnx {

// A file's messages and its graph. Everything points into `content`, which stays where it is.
struct parsed_model {
  buffer content;
  model_source source;
  model_proto proto;
  onnx::graph graph;
};

// Throws error(io) or error(invalid_file).
std::unique_ptr<const parsed_model> read_file(const std::string& path);
std::unique_ptr<const parsed_model> read_bytes(std::span<const std::byte> bytes,
                                               std::string_view name);

struct program {
  std::unique_ptr<const parsed_model> model;
  std::vector<initializer> initializers;               // as in graph_proto
  std::vector<std::unique_ptr<operation>> operations;  // as graph::nodes
  std::vector<fact> known;                             // of each value, before inputs are fed
  symbol_table symbols;                                // what no input can change
  std::size_t bytes = 0;                               // of the content and of initializers
  std::vector<value_info> inputs, outputs;             // of the graph

  const onnx::graph& graph() const { return model->graph; }
  const std::string& label() const { return model->source.label(); }
};

// Checks all that needs no input. `path` is the model's, for external data; empty where there is
// none. Throws error.
program compile(std::unique_ptr<const parsed_model> model, const std::string& path);

// Calls action(), and names the model where memory does not suffice.
template <typename Action>
auto name_memory(std::string_view label, const Action& action) {
  try {
    return action();
  } catch (const std::bad_alloc&) {
    fail(errc::out_of_memory, "{}: out of memory", printable(label, io::longest_path));
  }
}

// A graph's input or output as far as its fact knows it.
value_info info_of(const value& value, const fact& fact);

}  // namespace halfulp::onnx
