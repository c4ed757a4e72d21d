// ONNX TensorProto messages, in files of their own and inside of models.
// SPDX-License-Identifier: Apache-2.0
//
// Format: onnx/onnx.proto. Elements may be raw_data or in the typed field of their type; what lies
// outside of the message (external data) is refused. Repeated scalars may be packed or not; of a
// scalar that appears twice the last counts; unknown fields are skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/tensor_file.hpp"

namespace halfulp::io::tensor_proto {

// The tensor in `message`. Where that has raw_data, the tensor's data points into it and its
// storage is empty; else the elements are decoded into storage. Throws error(invalid_file) that
// starts with `label` for what is no valid TensorProto or holds a type that is none of ours.
loaded_tensor decode(std::span<const std::byte> message, std::string_view label);

// The same checks and what they found, without decoding. Types that are none of ours are listed.
tensor_info describe(std::span<const std::byte> message, std::string_view label);

// The message up to the bytes of raw_data, `bytes` of them, which end it. Throws
// error(invalid_file) where it would exceed protobuf's limit.
std::string encode_header(dtype type, std::span<const std::int64_t> shape, std::string_view name,
                          std::size_t bytes, std::string_view label);

}  // namespace halfulp::io::tensor_proto
