// Python objects in messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <string>

namespace halfulp::python {

// UTF-8, with escapes for what is no Unicode text.
inline std::string utf8(const nanobind::str& text) {
  const auto encoded = nanobind::steal<nanobind::bytes>(
      PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
  if (!encoded.is_valid()) nanobind::raise_python_error();
  return {encoded.c_str(), encoded.size()};
}

// What str() gives.
inline std::string text_of(nanobind::handle object) { return utf8(nanobind::str(object)); }

// What repr() gives, on one line.
inline std::string shown(nanobind::handle object) {
  std::string text = utf8(nanobind::repr(object));
  std::ranges::replace(text, '\n', ' ');
  return text;
}

inline std::string type_text(nanobind::handle object) {
  return text_of(object.type().attr("__name__"));
}

}  // namespace halfulp::python
