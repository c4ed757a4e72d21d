// The module halfulp._core: what the package's functions call, with all arguments given. Their
// signatures, defaults and documentation are in the package.
// SPDX-License-Identifier: Apache-2.0
#include <nanobind/nanobind.h>
#include <nanobind/stl/string_view.h>

#include "arguments.hpp"
#include "borrowed_array.hpp"
#include "bound_model.hpp"
#include "bound_plan.hpp"
#include "compute.hpp"
#include "failure.hpp"
#include "function.hpp"
#include "halfulp/halfulp.hpp"
#include "without_interpreter.hpp"

namespace nb = nanobind;

namespace halfulp::python {

namespace {

template <op Op>
nb::object reduce(nb::handle x, nb::handle axes, nb::handle keepdims,
                  nb::handle noop_with_empty_axes, nb::handle dtype, nb::handle out,
                  nb::handle threads) {
  const options options{
      .axes = axes_argument(axes, "axes"),
      .keepdims = flag_argument(keepdims, "keepdims") ? 1 : 0,
      .noop_with_empty_axes = flag_argument(noop_with_empty_axes, "noop_with_empty_axes") ? 1 : 0,
      .output_type = dtype_argument(dtype)};
  const run_options run = threads_argument(threads);
  // Last: converting arguments may run any code of theirs.
  const borrowed_array input(x, "x", access::read);
  return compute(Op, input, options, out, run);
}

nb::object lp_normalize(nb::handle x, nb::handle axis, nb::handle p, nb::handle eps,
                        nb::handle dtype, nb::handle out, nb::handle threads) {
  const options options{.axis = integer_argument(axis, "axis"),
                        .p = order_argument(p, "p"),
                        .eps = number_argument(eps, "eps"),
                        .output_type = dtype_argument(dtype)};
  const run_options run = threads_argument(threads);
  const borrowed_array input(x, "x", access::read);
  return compute(op::lp_normalization, input, options, out, run);
}

// Where ONNX takes an empty list of axes for all of them, the array API standard means it: the
// norms of single elements.
nb::object vector_norm(nb::handle x, nb::handle axis, nb::handle keepdims, nb::handle order,
                       nb::handle dtype) {
  const op op = order_argument(order, "ord") == 1 ? op::reduce_l1 : op::reduce_l2;
  options options{.axes = axes_argument(axis, "axis"),
                  .keepdims = flag_argument(keepdims, "keepdims") ? 1 : 0,
                  .output_type = dtype_argument(dtype)};
  options.noop_with_empty_axes = options.axes && options.axes->empty() ? 1 : 0;
  const borrowed_array input(x, "x", access::read);
  if (!options.output_type && !is_float(input.layout().type)) {
    options.output_type = dtype::float64;
  }
  return compute(op, input, options, nb::none(), {});
}

}  // namespace

}  // namespace halfulp::python

NB_MODULE(_core, m) {
  using namespace halfulp;
  using namespace halfulp::python;
  // numpy's objects, which are kept, are those of one interpreter.
  if (PyInterpreterState_GetID(PyInterpreterState_Get()) != 0) {
    throw nb::import_error("halfulp works in the main interpreter only");
  }
  translate_errors();
  watch_interpreter();
  // What a stopped thread holds is no leak.
  nb::set_leak_warnings(false);
  m.attr("version") = version();
  def_with_any_arguments(m, "reduce_l1", &reduce<op::reduce_l1>);
  def_with_any_arguments(m, "reduce_l2", &reduce<op::reduce_l2>);
  def_with_any_arguments(m, "reduce_sum_square", &reduce<op::reduce_sum_square>);
  def_with_any_arguments(m, "lp_normalize", &lp_normalize);
  def_with_any_arguments(m, "vector_norm", &vector_norm);
  bind_plan(m);
  bind_model(m);
}
