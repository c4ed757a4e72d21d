// A tensor as the command prints it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "halfulp/types.hpp"

namespace halfulp::cli {

// "float32 (2,3)", and the array in the lines below. The elements are in C order without gaps.
std::string to_text(const tensor_layout& layout, const std::byte* elements);

// Writes `"type":"float32","shape":[2,3],"values":[...]` to standard output: every element, in C
// order, in one flat list. Throws error(io).
void write_json_members(const tensor_layout& layout, const std::byte* elements);

}  // namespace halfulp::cli
