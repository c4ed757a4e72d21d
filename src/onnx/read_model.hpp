// From a model file's bytes to its messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "onnx/message.hpp"
#include "onnx/model_proto.hpp"

namespace halfulp::onnx {

// The versions of ONNX's format that are read.
inline constexpr std::int64_t oldest_ir_version = 3;
inline constexpr std::int64_t newest_ir_version = 14;

// Reads the structure, and checks all that a message alone can tell; what names refer to is not
// looked at. Subgraphs of nodes (which no supported operator has) and training information are
// skipped. Throws error(invalid_file).
model_proto read_model(const model_source& source);

}  // namespace halfulp::onnx
