// The JSON header of a .safetensors file.
// SPDX-License-Identifier: Apache-2.0
//
// Format: huggingface/safetensors. Eight bytes with the header's length, the header, which is a
// JSON object of tensors by name, and their elements, in C order without holes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace halfulp::io::safetensors {

struct entry {
  std::string name;
  std::string dtype;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0, end = 0;  // of its elements, from the end of the header
};

// In the order of the header. Throws error(invalid_file) that starts with `label` for what is not
// such an object: also for a key that appears twice or is unknown. Whether offsets and shapes fit
// is not looked at.
std::vector<entry> parse_header(std::string_view text, std::string_view label);

// The header of a file with one tensor. Throws error(invalid_file) for a name that is no UTF-8 or
// has another meaning.
std::string format_header(const entry& tensor, std::string_view label);

}  // namespace halfulp::io::safetensors
