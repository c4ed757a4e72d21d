// Functions of the module.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace halfulp::python {

// Adds a function whose arguments are any objects, None too, which it checks itself: its messages
// name the argument, those of nanobind would list signatures.
template <typename... Objects>
void def_with_any_arguments(nanobind::module_& module, const char* name,
                            nanobind::object (*function)(Objects...)) {
  module.def(name, function, (static_cast<void>(sizeof(Objects)), nanobind::arg().none())...);
}

}  // namespace halfulp::python
