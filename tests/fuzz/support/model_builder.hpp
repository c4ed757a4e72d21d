// ONNX messages, encoded one into the other from the inside out.
// SPDX-License-Identifier: Apache-2.0
//
// Field numbers are those of onnx/onnx.proto, written down here once more: a mistake in the
// library's own must not be repeated.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace halfulp::fuzz {

// An encoded message; which one, the function that made it says.
using encoded = std::string;
using names = std::vector<std::string>;
using integers = std::vector<std::int64_t>;

// TensorProto.DataType.
enum element : std::int32_t {
  float32 = 1,
  int32 = 6,
  int64 = 7,
  string = 8,
  float16 = 10,
  float64 = 11,
  uint32 = 12,
  uint64 = 13,
  bfloat16 = 16,
};

// ValueInfoProto. `shape` is "N,3,?": a symbol, an extent, neither; "" is rank 0.
encoded value(std::string_view name, element type, std::string_view shape);
encoded value_without_shape(std::string_view name, element type);

// AttributeProto.
encoded integer(std::string_view name, std::int64_t value);
encoded integer_list(std::string_view name, const integers& values);
encoded real(std::string_view name, float value);
encoded real_list(std::string_view name, const std::vector<float>& values);
encoded text(std::string_view name, std::string_view value);
encoded attribute_without_value(std::string_view name, int type);
encoded tensor_value(std::string_view name, const encoded& tensor);
encoded reference(std::string_view name, std::string_view referred, int type);

// TensorProto with its elements in raw_data, or somewhere in the folder of the model.
encoded raw_tensor(std::string_view name, element type, const integers& dims,
                   std::string_view bytes);
encoded external_tensor(std::string_view name, element type, const integers& dims,
                        std::string_view location, std::string_view offset,
                        std::string_view length);
// With them in int32_data, int64_data or uint64_data (by the field's number), or in floats.
encoded integer_tensor(std::string_view name, element type, const integers& dims,
                       std::uint32_t data_field, const integers& values);
encoded float_tensor(std::string_view name, const integers& dims, const std::vector<float>& values);
encoded double_tensor(std::string_view name, const integers& dims,
                      const std::vector<double>& values);

// NodeProto.
struct node_text {
  std::string op_type;
  names inputs, outputs;
  std::vector<encoded> attributes = {};
  std::string domain = {};
  std::string name = {};
};
encoded node(const node_text& node);

// OperatorSetIdProto.
encoded opset(std::int64_t version, std::string_view domain = {});

// FunctionProto.
struct function_text {
  std::string name, domain;
  names inputs, outputs;
  std::vector<encoded> nodes, opsets;
  names attributes = {};
  std::vector<encoded> defaults = {};
};
encoded function(const function_text& function);

// ModelProto.
struct model_text {
  std::int64_t ir_version = 10;
  std::vector<encoded> opsets;
  std::vector<encoded> nodes;
  std::vector<encoded> inputs, outputs;
  std::vector<encoded> initializers = {};
  std::vector<encoded> values = {};
  std::vector<encoded> functions = {};
};
encoded model(const model_text& model);

}  // namespace halfulp::fuzz
