// SPDX-License-Identifier: Apache-2.0
#include "failure.hpp"

#include <nanobind/nanobind.h>

#include <exception>

namespace nb = nanobind;

namespace halfulp::python {

namespace {

PyObject* exception_of(errc code) {
  switch (code) {
    case errc::unsupported_type:
      return PyExc_TypeError;
    case errc::io:
      return PyExc_OSError;
    case errc::out_of_memory:
      return PyExc_MemoryError;
    case errc::internal:
      return PyExc_RuntimeError;
    case errc::invalid_argument:
    case errc::invalid_shape:
    case errc::overlap:
    case errc::invalid_file:
      break;
  }
  return PyExc_ValueError;
}

}  // namespace

void translate_errors() {
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const error& e) {
      PyErr_SetString(exception_of(e.code()), e.what());
    }
  });
}

}  // namespace halfulp::python
