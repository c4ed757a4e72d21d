// numpy's .npy files, format versions 1.0, 2.0 and 3.0.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/format.hpp"

namespace halfulp::io::npy {

// Fortran order becomes strides; big-endian elements are swapped in memory.
loaded_tensor read(input_file& in, const request& request);
file_info inspect(input_file& in, const request& request);

// Version 1.0, little-endian, C order: byte for byte what numpy writes.
element_writer prepare(const output_tensor& tensor, const std::string& label);

}  // namespace halfulp::io::npy
