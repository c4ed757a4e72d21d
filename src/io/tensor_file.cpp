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
  element_writer write;
  output_file file;
};

tensor_writer::tensor_writer(const std::string& where, dtype type, std::vector<std::int64_t> shape,
                             std::string_view name) {
  const location found = locate_output(where);
  const std::string label = output_label(found.path);
  const std::size_t bytes = checked_bytes(label, shape, size_of(type));
  element_writer write =
      found.format->prepare({type, std::move(shape), std::string(name), bytes}, label);
  state_ = std::unique_ptr<state>(new state{std::move(write), output_file(found.path)});
}

tensor_writer::~tensor_writer() = default;

void tensor_writer::commit(const std::byte* elements) {
  state_->write(state_->file, elements);
  state_->file.commit();
}

}  // namespace halfulp::io
