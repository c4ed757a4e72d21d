// Arrays as text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "halfulp/types.hpp"

namespace halfulp::cli {

// The array, whose elements are in C order without gaps, in nested brackets as NumPy prints it:
// columns aligned at the decimal point, lines wrapped at 75 characters, and of each axis of an
// array of more than 1000 elements only the first and the last three. No newline at the end.
std::string format_array(dtype type, std::span<const std::int64_t> shape,
                         const std::byte* elements);

}  // namespace halfulp::cli
