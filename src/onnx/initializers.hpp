// The tensors that a model brings along.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "onnx/external_data.hpp"
#include "onnx/fact.hpp"
#include "onnx/model_proto.hpp"

namespace halfulp::onnx {

// One initializer. Elements in raw_data stay where they are in the model's content, which must
// outlive it.
struct initializer {
  initializer_info info;
  // Set where the type is one of ours; without elements where those are external and not read.
  std::optional<fact> known = {};
  buffer decoded = {};  // out of a typed field
  std::shared_ptr<const buffer> external = {};
};

enum class external_elements : std::uint8_t { ignore, check, read };

// Throws error(invalid_file) or error(io) that names the tensor. Of types that are none of ours
// only `info` is set.
initializer load_initializer(const model_source& source, const tensor_message& tensor,
                             external_data& external, external_elements wanted);

}  // namespace halfulp::onnx
