// Running plans on arrays.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include "borrowed_array.hpp"
#include "halfulp/halfulp.hpp"

namespace halfulp::python {

// Throws error, which names both, unless the array `name` has the type and shape of `what`.
void expect_fit(const char* name, const tensor_layout& given, const char* what,
                const tensor_layout& wanted);

// Computes `op` of `input` into `out`, which has to have the result's type and shape, and returns
// it; or, where `out` is None, into a new array. The interpreter is free for others meanwhile.
nanobind::object compute(op op, const borrowed_array& input, const options& options,
                         nanobind::handle out, const run_options& run);

// The same with a plan that is there. `input` has the plan's type and shape, and `options` are the
// plan's; for strides that are not the plan's, another one is made.
nanobind::object compute(const plan& plan, op op, const borrowed_array& input,
                         const options& options, nanobind::handle out, const run_options& run);

}  // namespace halfulp::python
