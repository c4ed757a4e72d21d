// A node's attributes, decoded.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "onnx/message.hpp"

namespace halfulp::onnx {

// An attribute of a node once references to a function's attributes are resolved: `message` may
// be the caller's, and then has another name.
struct attribute {
  std::string_view name;
  byte_span message;
  std::size_t weight = 0;  // as attribute_proto::weight
};

// Each throws error(invalid_file) where the attribute has another type.
std::int64_t read_integer(const model_source& source, const attribute& attribute);
std::vector<std::int64_t> read_integers(const model_source& source, const attribute& attribute);
float read_real(const model_source& source, const attribute& attribute);
std::vector<float> read_reals(const model_source& source, const attribute& attribute);
std::string_view read_text(const model_source& source, const attribute& attribute);
byte_span read_tensor(const model_source& source, const attribute& attribute);

// "axes=[0,1]", "p=2"; what is neither number nor text is shortened to its type: "value=TENSOR".
std::string describe(const model_source& source, const attribute& attribute);

}  // namespace halfulp::onnx
