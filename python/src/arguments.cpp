// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <array>
#include <string>
#include <string_view>

#include "dtypes.hpp"
#include "failure.hpp"
#include "libraries.hpp"
#include "text.hpp"

namespace nb = nanobind;

namespace halfulp::python {

namespace {

constexpr std::array<std::pair<std::string_view, op>, 4> function_names = {{
    {"reduce_l1", op::reduce_l1},
    {"reduce_l2", op::reduce_l2},
    {"reduce_sum_square", op::reduce_sum_square},
    {"lp_normalize", op::lp_normalization},
}};

// Of an exception that means that an object is not what was asked for; others are thrown.
void clear_type_error() {
  if (PyErr_ExceptionMatches(PyExc_TypeError) == 0) nb::raise_python_error();
  PyErr_Clear();
}

// The int that `given` stands for, null where it stands for none. An array has __index__, whether
// or not it is one number.
nb::object index_of(nb::handle given) {
  nb::object number = nb::steal(PyNumber_Index(given.ptr()));
  if (!number.is_valid()) clear_type_error();
  return number;
}

std::int64_t value_of(const nb::object& number, const char* name) {
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0) {
    fail(errc::invalid_argument, "{} is {}, which takes more than 64 bits", name, shown(number));
  }
  return value;
}

std::vector<std::int64_t> integers(nb::handle given, const char* name, const char* allowed) {
  if (const nb::object number = index_of(given); number.is_valid()) return {value_of(number, name)};
  const nb::object items = nb::steal(PyObject_GetIter(given.ptr()));
  if (!items.is_valid()) clear_type_error();
  if (!items.is_valid() || nb::isinstance<nb::str>(given) || nb::isinstance<nb::bytes>(given)) {
    fail(errc::unsupported_type, "{} is of type {} (allowed: {})", name, type_text(given), allowed);
  }
  std::vector<std::int64_t> numbers;
  for (const nb::handle item : items) numbers.push_back(integer_argument(item, name));
  return numbers;
}

}  // namespace

std::int64_t integer_argument(nb::handle given, const char* name) {
  const nb::object number = index_of(given);
  if (!number.is_valid()) {
    fail(errc::unsupported_type, "{} is of type {} (allowed: an int)", name, type_text(given));
  }
  return value_of(number, name);
}

bool flag_argument(nb::handle given, const char* name) {
  if (given.ptr() == Py_True) return true;
  if (given.ptr() == Py_False) return false;
  // Which is no int.
  if (is_numpy_bool(given)) return is_true(given);
  const std::int64_t value = integer_argument(given, name);
  if (value != 0 && value != 1) {
    fail(errc::invalid_argument, "{} is {} (allowed: False, True)", name, value);
  }
  return value == 1;
}

double number_argument(nb::handle given, const char* name) {
  const double value = PyFloat_AsDouble(given.ptr());
  if (value == -1 && PyErr_Occurred() != nullptr) {
    if (PyErr_ExceptionMatches(PyExc_OverflowError) != 0) {
      PyErr_Clear();
      fail(errc::invalid_argument, "{} is too large for a float64", name);
    }
    clear_type_error();
    fail(errc::unsupported_type, "{} is of type {} (allowed: a float)", name, type_text(given));
  }
  return value;
}

int order_argument(nb::handle given, const char* name) {
  const double value = number_argument(given, name);
  if (value != 1 && value != 2) {
    fail(errc::invalid_argument, "{} is {} (allowed: 1, 2)", name, value);
  }
  return static_cast<int>(value);
}

std::optional<std::vector<std::int64_t>> axes_argument(nb::handle given, const char* name) {
  if (given.is_none()) return {};
  return integers(given, name, "None, an int, a tuple of ints");
}

std::vector<std::int64_t> shape_argument(nb::handle given) {
  return integers(given, "shape", "an int, a tuple of ints");
}

std::optional<dtype> dtype_argument(nb::handle given) {
  if (given.is_none()) return {};
  return dtype_from_python(given);
}

op op_argument(nb::handle given) {
  if (!nb::isinstance<nb::str>(given)) {
    fail(errc::unsupported_type, "op is of type {} (allowed: a str)", type_text(given));
  }
  const std::string name = text_of(given);
  for (const auto& [function, op] : function_names) {
    if (name == function || name == name_of(op)) return op;
  }
  std::string allowed;
  for (const auto& [function, op] : function_names) allowed += fmt::format("{}, ", function);
  fail(errc::invalid_argument, "op is {} (allowed: {}or an operator's name in ONNX)", shown(given),
       allowed);
}

run_options threads_argument(nb::handle given) {
  if (given.is_none()) return {};
  const std::int64_t threads = integer_argument(given, "threads");
  if (threads < 1 || threads > max_threads) {
    fail(errc::invalid_argument, "threads is {} (allowed: 1 to {}, or None for the default)",
         threads, max_threads);
  }
  return {.threads = static_cast<int>(threads)};
}

}  // namespace halfulp::python
