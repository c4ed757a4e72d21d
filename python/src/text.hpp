// Python objects in messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>

namespace halfulp::python {

// What str() gives.
inline std::string text_of(nanobind::handle object) {
  return nanobind::cast<std::string>(nanobind::str(object));
}

inline std::string type_text(nanobind::handle object) {
  return text_of(object.type().attr("__name__"));
}

}  // namespace halfulp::python
