// One element as text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

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

// Whether an element's text is neither an infinity nor NaN.
bool is_number(std::string_view text);

}  // namespace halfulp::cli
