// What a model holds, as text or JSON.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace halfulp::cli {

// Whether the name says that the file is an ONNX model.
bool is_model(const std::string& file);

// Throws error as onnx::inspect does.
void print_model(const std::string& file, bool as_json);

}  // namespace halfulp::cli
