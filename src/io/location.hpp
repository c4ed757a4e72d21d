// What a caller's FILE or FILE:NAME means.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "io/format.hpp"

namespace halfulp::io {

struct location {
  const io::format* format;
  std::string path;
  std::optional<std::string> tensor_name;
};

// FILE, whose ending decides the format, or FILE.safetensors:NAME, split after the first
// ".safetensors:" since NAME may hold anything. FILE is the whole text where that has a known
// ending and exists. Throws error(invalid_argument) for an unknown ending.
location locate_input(const std::string& where);

// FILE. Throws error(invalid_argument) for an unknown ending.
location locate_output(const std::string& where);

}  // namespace halfulp::io
