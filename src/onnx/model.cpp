// SPDX-License-Identifier: Apache-2.0
#include "halfulp/onnx.hpp"
#include "onnx/program.hpp"
#include "onnx/run.hpp"

namespace halfulp::onnx {

struct model::state {
  onnx::program program;
};

model::model(const std::string& path)
    : state_(std::make_shared<const state>(state{name_memory(
          path, [&] { return compile(read_file(path), path == "-" ? std::string() : path); })})) {}

model::model(std::span<const std::byte> bytes, std::string_view name)
    : state_(std::make_shared<const state>(
          state{name_memory(name, [&] { return compile(read_bytes(bytes, name), ""); })})) {}

const std::vector<value_info>& model::inputs() const noexcept { return state_->program.inputs; }

const std::vector<value_info>& model::outputs() const noexcept { return state_->program.outputs; }

std::vector<tensor> model::run(std::span<const named_view> inputs,
                               std::span<const std::string_view> outputs,
                               const run_options& options) const {
  return name_memory(state_->program.label(),
                     [&] { return onnx::run(state_->program, inputs, outputs, options); });
}

}  // namespace halfulp::onnx
