// Python objects as text and as truth.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <algorithm>
#include <string>

namespace halfulp::python {

// UTF-8 on one line, with escapes for what is no Unicode text.
inline std::string utf8(const nanobind::str& text) {
  const auto encoded = nanobind::steal<nanobind::bytes>(
      PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
  if (!encoded.is_valid()) nanobind::raise_python_error();
  std::string line(encoded.c_str(), encoded.size());
  std::ranges::replace(line, '\n', ' ');
  return line;
}

// What str() gives.
inline std::string text_of(nanobind::handle object) { return utf8(nanobind::str(object)); }

inline std::string type_text(nanobind::handle object) {
  return text_of(object.type().attr("__name__"));
}

// What repr() gives, if that is short and there is one.
inline std::string shown(nanobind::handle object) {
  constexpr std::size_t longest = 80;
  try {
    std::string text = utf8(nanobind::repr(object));
    if (text.size() <= longest) return text;
  } catch (const nanobind::python_error& e) {
    if (!e.matches(PyExc_Exception)) throw;
  }
  return "of type " + type_text(object);
}

// Whether Python takes it for true.
inline bool is_true(nanobind::handle object) {
  const int truth = PyObject_IsTrue(object.ptr());
  if (truth < 0) nanobind::raise_python_error();
  return truth == 1;
}

}  // namespace halfulp::python
