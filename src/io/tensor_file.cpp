// SPDX-License-Identifier: Apache-2.0
#include "io/tensor_file.hpp"

#include <utility>

#include "base/error.hpp"
#include "io/checks.hpp"
#include "io/format.hpp"
#include "io/location.hpp"

namespace halfulp::io {

loaded_tensor read_tensor(const std::string& where, std::optional<dtype> declared) {
  location found = locate_input(where);
  input_file in(found.path);
  return found.format->read(in, {std::move(found.tensor_name), declared});
}

file_info inspect_tensors(const std::string& where, std::optional<dtype> declared) {
  location found = locate_input(where);
  input_file in(found.path);
  return found.format->inspect(in, {std::move(found.tensor_name), declared});
}

struct tensor_writer::state {
  const io::format* format;
  std::string label;
  output_file file;
  element_writer write = {};
};

tensor_writer::tensor_writer(const std::string& where) {
  const location found = locate_output(where);
  state_ = std::unique_ptr<state>(
      new state{found.format, output_label(found.path), output_file(found.path)});
}

tensor_writer::tensor_writer(const std::string& where, dtype type, std::vector<std::int64_t> shape,
                             std::string_view name)
    : tensor_writer(where) {
  prepare(type, std::move(shape), name);
}

tensor_writer::~tensor_writer() = default;
tensor_writer::tensor_writer(tensor_writer&&) noexcept = default;
tensor_writer& tensor_writer::operator=(tensor_writer&&) noexcept = default;

void tensor_writer::prepare(dtype type, std::vector<std::int64_t> shape, std::string_view name) {
  const std::size_t bytes = checked_bytes(state_->label, shape, size_of(type));
  state_->write =
      state_->format->prepare({type, std::move(shape), std::string(name), bytes}, state_->label);
}

void tensor_writer::write(const std::byte* elements) { state_->write(state_->file, elements); }

void tensor_writer::commit() { state_->file.commit(); }

}  // namespace halfulp::io
