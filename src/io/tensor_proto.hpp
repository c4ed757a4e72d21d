// ONNX TensorProto messages, in files of their own and inside of models.
// SPDX-License-Identifier: Apache-2.0
//
// Format: onnx/onnx.proto. Elements may be raw_data or in the typed field of their type. Repeated
// scalars may be packed or not; of a scalar that appears twice the last counts; unknown fields are
// skipped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/tensor_file.hpp"

namespace halfulp::io::tensor_proto {

// Elements that lie in another file, as the message says it: nothing of this has been compared with
// any file.
struct external_reference {
  std::string_view location;
  std::uint64_t offset = 0;
  std::optional<std::uint64_t> length;
};

// What a message says. Where the elements are external, `info` has their size in memory.
struct description {
  tensor_info info;
  std::optional<external_reference> external;
};

// Throws error(invalid_file) that starts with `label` for what is no valid TensorProto. Types that
// are none of ours are listed, not refused.
description describe(std::span<const std::byte> message, std::string_view label);

// The tensor in `message`. Where that has raw_data, the tensor's data points into it and its
// storage is empty; else the elements are decoded into storage. Throws
// error(invalid_file) as describe() does, and for external elements and types that are none of
// ours.
loaded_tensor decode(std::span<const std::byte> message, std::string_view label);

// Throws the error(invalid_file) for external elements where there can be none.
[[noreturn]] void fail_external(std::string_view label);

// The message up to the bytes of raw_data, `bytes` of them, which end it. Throws
// error(invalid_file) where it would exceed protobuf's limit.
std::string encode_header(dtype type, std::span<const std::int64_t> shape, std::string_view name,
                          std::size_t bytes, std::string_view label);

}  // namespace halfulp::io::tensor_proto
