// SPDX-License-Identifier: Apache-2.0
#include "io/checks.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/shape.hpp"

namespace halfulp::io {

std::size_t checked_bytes(std::string_view label, std::span<const std::int64_t> shape,
                          std::size_t item_size) {
  if (shape.size() > max_rank) {
    fail(errc::invalid_file, "{}: has {} axes; at most {} are allowed", label, shape.size(),
         max_rank);
  }
  if (std::any_of(shape.begin(), shape.end(), [](std::int64_t n) { return n < 0; })) {
    fail(errc::invalid_file, "{}: the shape {} has a negative extent", label, format_shape(shape));
  }
  const std::optional<std::size_t> count = element_count(shape, item_size);
  if (!count) {
    fail(errc::invalid_file, "{}: the shape {} is too large", label, format_shape(shape));
  }
  return *count * item_size;
}

void check_declared(std::string_view label, const tensor_info& info,
                    std::optional<dtype> declared) {
  if (declared && info.type != declared) {
    fail(errc::invalid_file, "{}: holds elements of type {}, not {}", label,
         printable(info.stored_type), name_of(*declared));
  }
}

dtype supported_type(std::string_view label, const tensor_info& info) {
  if (!info.type) {
    fail(errc::invalid_file,
         "{}: holds elements of type {}; supported are bfloat16, float16, float32, float64, int32, "
         "int64, uint32 and uint64",
         label, printable(info.stored_type));
  }
  return *info.type;
}

}  // namespace halfulp::io
