// The dictionary in the header of a .npy file.
// SPDX-License-Identifier: Apache-2.0
//
// Format: numpy's NEP 1 and numpy.lib.format. The header is the text of a Python dictionary.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "halfulp/types.hpp"

namespace halfulp::io::npy {

struct header {
  std::string descr;  // without quotes; the Python text as it is where that is no string
  bool fortran_order = false;
  std::vector<std::int64_t> shape;
};

// Throws error(invalid_file) that starts with `label` unless the text is one dictionary with these
// three keys, each once.
header parse_header(std::string_view text, std::string_view label);

// What numpy writes for C order.
std::string format_header(std::string_view descr, const std::vector<std::int64_t>& shape);

}  // namespace halfulp::io::npy
