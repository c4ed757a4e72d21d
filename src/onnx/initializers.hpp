// The tensors that a model brings along: initializers and the values of Constant nodes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "onnx/external_data.hpp"
#include "onnx/fact.hpp"
#include "onnx/model_proto.hpp"

namespace halfulp::onnx {

// One tensor. Elements in raw_data stay where they are in the model's content, which must
// outlive it.
struct initializer {
  initializer_info info;
  // Set where the type is one of ours; without elements where those are external and not read.
  std::optional<fact> known = {};
  buffer decoded = {};  // out of a typed field
  std::shared_ptr<const buffer> external = {};
};

enum class external_elements : std::uint8_t { ignore, check, read };

// Throws error(invalid_file), error(io) or error(out_of_memory) that starts with `label`. Of types
// that are none of ours only `info` is set.
initializer load_initializer(byte_span message, const std::string& label, external_data& external,
                             external_elements wanted);

}  // namespace halfulp::onnx
