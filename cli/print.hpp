// Elements and arrays as text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "halfulp/types.hpp"

namespace halfulp::cli {

// Appends the element at `element`, which needs no alignment: an integer in full, a floating-point
// number with the fewest digits that read back as the same value of its type (and of those the
// nearest), as "3.0", "0.1", "1e+20", "-0.0", "inf", "-inf" or "nan". A number from 1e-4 to below
// 1e16 is written without an exponent, unless that takes zeros that stand for unknown digits: the
// largest float16, 65504, is 6.55e+04.
void append_element(std::string& out, dtype type, const std::byte* element);

// The same as a JSON value: inf, -inf and nan are strings.
void append_json_element(std::string& out, dtype type, const std::byte* element);

// The array, whose elements are in C order without gaps, in nested brackets as NumPy prints it:
// columns aligned at the decimal point, lines wrapped at 75 characters, and of each axis of an
// array of more than 1000 elements only the first and the last three. No newline at the end.
std::string format_array(dtype type, std::span<const std::int64_t> shape,
                         const std::byte* elements);

}  // namespace halfulp::cli
