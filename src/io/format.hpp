// What a file format is: the row of a table.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/input_file.hpp"
#include "io/output_file.hpp"
#include "io/tensor_file.hpp"

namespace halfulp::io {

// What the caller of read_tensor and inspect_tensors wants of a file.
struct request {
  std::optional<std::string> tensor_name;  // only where the format has named tensors
  std::optional<dtype> declared;
};

// A tensor to be written.
struct output_tensor {
  dtype type;
  std::vector<std::int64_t> shape;
  std::string name;
  std::size_t bytes;  // of all elements
};

// Writes a tensor's file, given its elements.
using element_writer = std::function<void(output_file&, const std::byte* elements)>;

struct format {
  std::string_view ending;
  bool named_tensors;  // FILE:NAME picks one of several
  loaded_tensor (*read)(input_file&, const request&);
  file_info (*inspect)(input_file&, const request&);
  // Throws error(invalid_file) for what the format cannot hold; `label` is the file's name. The
  // elements come later, so that this shows first.
  element_writer (*prepare)(const output_tensor&, const std::string& label);
};

// All formats; npy, which "-" is read and written as, comes first.
std::span<const format> formats() noexcept;

// The writer of a format that is a header followed by the elements.
element_writer header_then_elements(std::string header, std::size_t bytes);

}  // namespace halfulp::io
