// SPDX-License-Identifier: Apache-2.0
#include "bound_plan.hpp"

#include <nanobind/stl/string_view.h>
#include <nanobind/stl/vector.h>

#include <utility>

#include "arguments.hpp"
#include "compute.hpp"
#include "dtypes.hpp"
#include "function.hpp"

namespace nb = nanobind;

namespace halfulp::python {

namespace {

// A plan with what it takes to make it again for other strides. Immutable, so it may be used by
// many threads at once.
class bound_plan {
 public:
  bound_plan(op op, const tensor_layout& input, options options)
      : op_(op), options_(std::move(options)), plan_(op, input, options_) {}

  nb::object run(nb::handle x, nb::handle out, nb::handle threads) const {
    const run_options run = threads_argument(threads);
    const borrowed_array input(x, "x", access::read);
    expect_fit("x", input.layout(), "the plan", plan_.input());
    return compute(plan_, op_, input, options_, out, run);
  }

  // What make_plan takes to make it again.
  nb::tuple arguments() const;

  const tensor_layout& input() const noexcept { return plan_.input(); }
  const tensor_layout& output() const noexcept { return plan_.output(); }

 private:
  op op_;
  options options_;
  plan plan_;
};

nb::object shape_of(const tensor_layout& layout) { return nb::tuple(nb::cast(layout.shape)); }

nb::object name_or_none(std::optional<dtype> type) {
  if (!type) return nb::none();
  return nb::cast(name_of(*type));
}

nb::tuple bound_plan::arguments() const {
  nb::object axes = nb::none();
  if (options_.axes) axes = nb::tuple(nb::cast(*options_.axes));
  return nb::make_tuple(name_of(op_), shape_of(input()), name_of(input().type), axes,
                        options_.keepdims, options_.noop_with_empty_axes, options_.axis, options_.p,
                        options_.eps, name_or_none(options_.output_type));
}

nb::object make_plan(nb::handle op, nb::handle shape, nb::handle dtype, nb::handle axes,
                     nb::handle keepdims, nb::handle noop_with_empty_axes, nb::handle axis,
                     nb::handle p, nb::handle eps, nb::handle out_dtype) {
  return nb::cast(bound_plan(
      op_argument(op), {.type = dtype_from_python(dtype), .shape = shape_argument(shape)},
      {.axes = axes_argument(axes, "axes"),
       .keepdims = flag_argument(keepdims, "keepdims") ? 1 : 0,
       .noop_with_empty_axes = flag_argument(noop_with_empty_axes, "noop_with_empty_axes") ? 1 : 0,
       .axis = integer_argument(axis, "axis"),
       .p = order_argument(p, "p"),
       .eps = number_argument(eps, "eps"),
       .output_type = dtype_argument(out_dtype)}));
}

}  // namespace

void bind_plan(nb::module_& module) {
  nb::class_<bound_plan>(module, "Plan")
      .def("run", &bound_plan::run, nb::arg().none(), nb::arg().none(), nb::arg().none())
      .def_prop_ro("arguments", &bound_plan::arguments)
      .def_prop_ro("shape", [](const bound_plan& self) { return shape_of(self.input()); })
      .def_prop_ro("dtype", [](const bound_plan& self) { return numpy_dtype(self.input().type); })
      .def_prop_ro("out_shape", [](const bound_plan& self) { return shape_of(self.output()); })
      .def_prop_ro("out_dtype",
                   [](const bound_plan& self) { return numpy_dtype(self.output().type); });
  def_with_any_arguments(module, "make_plan", &make_plan);
}

}  // namespace halfulp::python
