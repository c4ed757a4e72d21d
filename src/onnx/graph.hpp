// A model's graph with its names resolved: functions inlined, nodes in an order of computation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/attribute.hpp"
#include "onnx/message.hpp"
#include "onnx/model_proto.hpp"

namespace halfulp::onnx {

using value_id = std::uint32_t;
using node_id = std::uint32_t;
// No value: an optional input that is left out. No node: a value that none writes.
inline constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// One call of a function; the graph itself is the null scope.
struct scope {
  const scope* parent;
  const node_proto* call;
  std::uint32_t position;  // of the call among the nodes around it
};

struct value {
  std::string_view name;
  const scope* where = nullptr;
  // What the graph states of it: as an input, an inner tensor, an output. Points into the
  // model_proto.
  std::vector<const value_info*> declared = {};
  bool is_input = false;
  bool is_sparse = false;            // a sparse initializer
  std::uint32_t initializer = none;  // index into graph_proto::initializers
  node_id writer = none;
};

struct node {
  const node_proto* proto = nullptr;
  const scope* where = nullptr;
  std::uint32_t position = 0;  // among the nodes of its graph or function, from 0
  std::int64_t opset = 0;      // imported for its domain; 0 if none is
  std::vector<attribute> attributes;
  std::vector<value_id> inputs;  // `none` where left out; never `none` at the end
  std::vector<value_id> outputs;
};

struct graph {
  std::vector<value> values;
  std::vector<node> nodes;        // each after those whose outputs it reads
  std::vector<value_id> inputs;   // of graph_proto::inputs, in that order
  std::vector<value_id> outputs;  // of graph_proto::outputs
  std::vector<std::unique_ptr<scope>> scopes;
};

// Throws error(invalid_file) for a name that is written twice or never, a cycle, a function that
// calls itself, an opset that is not known.
graph build_graph(const model_source& source, const model_proto& model);

// The name after those of the calls that lead to it: "norm/x". Names in the graph itself are as
// they are; inside of calls they are shortened where they are long. A call without a name is
// "#3", the third node of its graph or function.
std::string path_of(const value& value);
std::string path_of(const node& node);

// "node 'norm'", or "node #3 (ReduceL1)" where it has no name; fit for messages.
std::string label_of(const node& node);

}  // namespace halfulp::onnx
