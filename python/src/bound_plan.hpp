// halfulp::plan in Python.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace halfulp::python {

void bind_plan(nanobind::module_& module);

}  // namespace halfulp::python
