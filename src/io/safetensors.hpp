// .safetensors files, of which one tensor is read or written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/format.hpp"

namespace halfulp::io::safetensors {

// Only the picked tensor's bytes are read. The file must be a regular one.
loaded_tensor read(input_file& in, const request& request);
file_info inspect(input_file& in, const request& request);

element_writer prepare(const output_tensor& tensor, const std::string& label);

}  // namespace halfulp::io::safetensors
