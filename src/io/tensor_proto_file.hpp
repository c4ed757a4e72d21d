// Files of one ONNX TensorProto: .pb.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/format.hpp"

namespace halfulp::io::tensor_proto {

// raw_data is used where it lies in the file's content.
loaded_tensor read(input_file& in, const request& request);
file_info inspect(input_file& in, const request& request);

// Elements as raw_data.
element_writer prepare(const output_tensor& tensor, const std::string& label);

}  // namespace halfulp::io::tensor_proto
