// Arguments from Python, checked and converted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "halfulp/halfulp.hpp"

namespace halfulp::python {

// Each of these throws error(unsupported_type), which is a TypeError, where `given` is no such
// thing; `name` is the argument's.

// An int, or what has __index__.
std::int64_t integer_argument(nanobind::handle given, const char* name);

// False and True, or 0 and 1. Other integers are error(invalid_argument).
bool flag_argument(nanobind::handle given, const char* name);

// A float, or what has __float__. One that is too large is error(invalid_argument).
double number_argument(nanobind::handle given, const char* name);

// 1 or 2. Other numbers are error(invalid_argument).
int order_argument(nanobind::handle given, const char* name);

// None, an integer, or a sequence of them.
std::optional<std::vector<std::int64_t>> axes_argument(nanobind::handle given, const char* name);

std::vector<std::int64_t> shape_argument(nanobind::handle given);

// None, or as dtype_from_python.
std::optional<dtype> dtype_argument(nanobind::handle given);

// "reduce_l1", ... as this package has them, or ONNX's names.
op op_argument(nanobind::handle given);

// None is the default.
run_options threads_argument(nanobind::handle given);

}  // namespace halfulp::python
