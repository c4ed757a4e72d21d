// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <array>
#include <string>
#include <string_view>

#include "dtypes.hpp"
#include "failure.hpp"
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

bool is_integer(nb::handle given) { return PyIndex_Check(given.ptr()) != 0; }

std::vector<std::int64_t> integers(nb::handle sequence, const char* name) {
  std::vector<std::int64_t> numbers;
  for (const nb::handle item : sequence) numbers.push_back(integer_argument(item, name));
  return numbers;
}

}  // namespace

std::int64_t integer_argument(nb::handle given, const char* name) {
  if (!is_integer(given)) {
    fail(errc::unsupported_type, "{} is of type {} (allowed: an int)", name, type_text(given));
  }
  // An array of one element is an integer, too.
  const nb::object number = nb::steal(PyNumber_Index(given.ptr()));
  if (!number.is_valid()) nb::raise_python_error();
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(number.ptr(), &overflow);
  if (overflow != 0) {
    fail(errc::invalid_argument, "{} is {}, which takes more than 64 bits", name, text_of(number));
  }
  return value;
}

bool flag_argument(nb::handle given, const char* name) {
  if (given.ptr() == Py_True) return true;
  if (given.ptr() == Py_False) return false;
  const std::int64_t value = integer_argument(given, name);
  if (value != 0 && value != 1) {
    fail(errc::invalid_argument, "{} is {} (allowed: False, True)", name, value);
  }
  return value == 1;
}

double number_argument(nb::handle given, const char* name) {
  const double value = PyFloat_AsDouble(given.ptr());
  if (value == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    fail(errc::unsupported_type, "{} is of type {} (allowed: a float)", name, type_text(given));
  }
  return value;
}

std::optional<std::vector<std::int64_t>> axes_argument(nb::handle given, const char* name) {
  if (given.is_none()) return {};
  // Numbers first: an array of one element is both.
  if (is_integer(given)) return std::vector{integer_argument(given, name)};
  if (nb::isinstance<nb::str>(given) || !nb::hasattr(given, "__iter__")) {
    fail(errc::unsupported_type, "{} is of type {} (allowed: None, an int, a tuple of them)", name,
         type_text(given));
  }
  return integers(given, name);
}

std::vector<std::int64_t> shape_argument(nb::handle given) {
  if (is_integer(given)) return {integer_argument(given, "shape")};
  if (nb::isinstance<nb::str>(given) || !nb::hasattr(given, "__iter__")) {
    fail(errc::unsupported_type, "shape is of type {} (allowed: a tuple of ints)",
         type_text(given));
  }
  return integers(given, "shape");
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
    if (name == function) return op;
  }
  return op_from_name(name);
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
