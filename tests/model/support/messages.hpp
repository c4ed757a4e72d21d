// ONNX models as bytes, written here so that the tests share no code with what they test.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace halfulp::onnx::test {

// A protobuf message, field after field.
class message {
 public:
  message& integer(std::uint32_t field, std::int64_t value) {
    tag(field, 0);
    varint(static_cast<std::uint64_t>(value));
    return *this;
  }
  message& text(std::uint32_t field, std::string_view value) {
    tag(field, 2);
    varint(value.size());
    bytes_ += value;
    return *this;
  }
  message& nested(std::uint32_t field, const message& value) { return text(field, value.bytes_); }
  message& real(std::uint32_t field, float value) {
    tag(field, 5);
    char raw[sizeof(value)];
    std::memcpy(raw, &value, sizeof(value));
    bytes_.append(raw, sizeof(raw));
    return *this;
  }
  // Bytes that need be no field.
  message& raw(std::string_view bytes) {
    bytes_ += bytes;
    return *this;
  }

  const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  void tag(std::uint32_t field, std::uint32_t wire) { varint(field << 3 | wire); }

  std::string bytes_;
};

// TensorProto.DataType.
inline constexpr std::int64_t float32_type = 1, string_type = 8, int32_type = 6, int64_type = 7,
                              float16_type = 10, float64_type = 11, uint32_type = 12,
                              uint64_type = 13, bfloat16_type = 16;

template <typename T>
std::string raw_bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

// TensorProto without elements.
inline message tensor_header(std::string_view name, std::int64_t type,
                             const std::vector<std::int64_t>& shape) {
  message tensor;
  for (const std::int64_t extent : shape) tensor.integer(1, extent);
  tensor.integer(2, type).text(8, name);
  return tensor;
}

inline message raw_tensor(std::string_view name, std::int64_t type,
                          const std::vector<std::int64_t>& shape, std::string_view raw) {
  return tensor_header(name, type, shape).text(9, raw);
}

inline message axes_tensor(std::string_view name, const std::vector<std::int64_t>& axes) {
  return raw_tensor(name, int64_type, {static_cast<std::int64_t>(axes.size())}, raw_bytes(axes));
}

using entries = std::vector<std::pair<std::string, std::string>>;

inline message external_tensor(std::string_view name, std::int64_t type,
                               const std::vector<std::int64_t>& shape, const entries& where) {
  message tensor = tensor_header(name, type, shape);
  for (const auto& [key, value] : where) {
    tensor.nested(13, message().text(1, key).text(2, value));
  }
  return tensor.integer(14, 1);
}

// ValueInfoProto. A dimension is an extent in digits or a symbol; an empty one is not known.
inline message value(std::string_view name, std::int64_t type,
                     const std::vector<std::string>& shape) {
  message shape_proto;
  for (const std::string& axis : shape) {
    const bool is_extent = !axis.empty() && (axis[0] == '-' || (axis[0] >= '0' && axis[0] <= '9'));
    message dimension;
    if (is_extent) dimension.integer(1, std::stoll(axis));
    if (!is_extent && !axis.empty()) dimension.text(2, axis);
    shape_proto.nested(1, dimension);
  }
  const message tensor_type = message().integer(1, type).nested(2, shape_proto);
  return message().text(1, name).nested(2, message().nested(1, tensor_type));
}

// The same without a shape.
inline message value_of_any_rank(std::string_view name, std::int64_t type) {
  return message().text(1, name).nested(2, message().nested(1, message().integer(1, type)));
}

// AttributeProto.
inline message integer_attribute(std::string_view name, std::int64_t value) {
  return message().text(1, name).integer(20, 2).integer(3, value);
}
inline message integers_attribute(std::string_view name, const std::vector<std::int64_t>& values) {
  message attribute = message().text(1, name).integer(20, 7);
  for (const std::int64_t value : values) attribute.integer(8, value);
  return attribute;
}
inline message text_attribute(std::string_view name, std::string_view value) {
  return message().text(1, name).integer(20, 3).text(4, value);
}
inline message real_attribute(std::string_view name, float value) {
  return message().text(1, name).integer(20, 1).real(2, value);
}
inline message tensor_attribute(std::string_view name, const message& value) {
  return message().text(1, name).integer(20, 4).nested(5, value);
}
inline message reference_attribute(std::string_view name, std::string_view reference,
                                   std::int64_t type) {
  return message().text(1, name).text(21, reference).integer(20, type);
}

using names = std::vector<std::string>;

// NodeProto.
inline message node(std::string_view op_type, const names& inputs, const names& outputs,
                    std::string_view name = "", const std::vector<message>& attributes = {},
                    std::string_view domain = "") {
  message node;
  for (const std::string& input : inputs) node.text(1, input);
  for (const std::string& output : outputs) node.text(2, output);
  if (!name.empty()) node.text(3, name);
  node.text(4, op_type);
  for (const message& attribute : attributes) node.nested(5, attribute);
  if (!domain.empty()) node.text(7, domain);
  return node;
}

// FunctionProto, in the domain "local".
struct function {
  std::string name;
  names inputs, outputs;
  std::vector<message> nodes;
  names attributes = {};
  std::vector<message> defaults = {};
  std::int64_t opset = 18;
};

inline message opset_import(std::string_view domain, std::int64_t version) {
  return message().text(1, domain).integer(2, version);
}

inline message to_message(const function& function) {
  message proto = message().text(1, function.name).text(10, "local");
  for (const std::string& input : function.inputs) proto.text(4, input);
  for (const std::string& output : function.outputs) proto.text(5, output);
  for (const std::string& attribute : function.attributes) proto.text(6, attribute);
  for (const message& node : function.nodes) proto.nested(7, node);
  for (const message& attribute : function.defaults) proto.nested(11, attribute);
  return proto.nested(9, opset_import("", function.opset)).nested(9, opset_import("local", 1));
}

// ModelProto with one graph.
struct model_parts {
  std::vector<message> nodes;
  std::vector<message> inputs = {};
  std::vector<message> outputs = {};
  std::vector<message> initializers = {};
  std::vector<message> values = {};
  std::vector<function> functions = {};
  std::int64_t opset = 18;
  std::int64_t ir_version = 8;
};

inline message to_graph(const model_parts& parts) {
  message graph = message().text(2, "graph");
  for (const message& node : parts.nodes) graph.nested(1, node);
  for (const message& tensor : parts.initializers) graph.nested(5, tensor);
  for (const message& input : parts.inputs) graph.nested(11, input);
  for (const message& output : parts.outputs) graph.nested(12, output);
  for (const message& value : parts.values) graph.nested(13, value);
  return graph;
}

inline std::string to_bytes(const model_parts& parts) {
  message model = message().integer(1, parts.ir_version).nested(7, to_graph(parts));
  model.nested(8, opset_import("", parts.opset));
  if (!parts.functions.empty()) model.nested(8, opset_import("local", 1));
  for (const function& function : parts.functions) model.nested(25, to_message(function));
  return model.bytes();
}

}  // namespace halfulp::onnx::test
