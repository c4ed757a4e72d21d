// Conversion of elements between the eight types: the operator Cast.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "halfulp/types.hpp"

namespace halfulp::onnx {

// Writes each element of the tensor at `from` (of index 0; any strides), converted to the type
// `to`, to `output`, in C order.
//
// To a floating-point type the value is rounded once, to nearest, ties to even, past the largest
// finite value to infinity; NaN gives the positive quiet NaN. From floating point to an integer it
// is truncated towards zero. From integer to integer the low bits stay, as ONNX has it. Elements of
// the same type are copied as they are. None of it depends on the processor's rounding mode.
//
// Throws error(invalid_argument) that starts with `name` and names the index of the first element
// that is NaN or out of range where the type is an integer.
void convert(const tensor_layout& layout, const std::byte* from, dtype to, std::byte* output,
             std::string_view name);

}  // namespace halfulp::onnx
