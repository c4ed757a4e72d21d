// Running a checked model.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "halfulp/onnx.hpp"
#include "onnx/program.hpp"

namespace halfulp::onnx {

// As model::run.
std::vector<tensor> run(const program& program, std::span<const named_view> inputs,
                        std::span<const std::string_view> outputs, const run_options& options);

}  // namespace halfulp::onnx
