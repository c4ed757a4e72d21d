// ONNX's messages as they stand in a file. Names and tensors point into it.
// SPDX-License-Identifier: Apache-2.0
//
// Format: onnx/onnx.proto.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "halfulp/onnx.hpp"
#include "onnx/message.hpp"

namespace halfulp::onnx {

// Decoded when an operator asks for it: see attribute.hpp.
struct attribute_proto {
  std::string_view name;
  std::string_view reference;  // ref_attr_name: the attribute of the function's caller to take
  byte_span message;
  std::size_t weight = 0;  // bytes that must be looked at to decode it: all but raw_data
};

struct node_proto {
  std::string_view name, op_type, domain, overload;
  std::vector<std::string_view> inputs, outputs;
  std::vector<attribute_proto> attributes;
  std::size_t weight = 0;  // as above
};

struct tensor_message {
  std::string_view name;
  byte_span message;
};

struct graph_proto {
  std::string_view name;
  std::vector<node_proto> nodes;
  std::vector<tensor_message> initializers;
  std::vector<std::string_view> sparse_initializers;  // names
  std::vector<value_info> inputs, outputs, values;
};

struct function_proto {
  std::string_view name, domain, overload;
  std::vector<std::string_view> inputs, outputs;
  std::vector<std::string_view> attributes;  // those without a default
  std::vector<attribute_proto> defaults;
  std::vector<node_proto> nodes;
  std::vector<opset_import> opset_imports;
};

struct model_proto {
  std::int64_t ir_version = 0;
  std::string_view producer_name, producer_version;
  std::vector<opset_import> opset_imports;
  graph_proto graph;
  std::vector<function_proto> functions;
};

// Both spellings of ONNX's own domain become the empty one.
inline std::string_view canonical_domain(std::string_view domain) {
  return domain == "ai.onnx" ? std::string_view() : domain;
}

}  // namespace halfulp::onnx
