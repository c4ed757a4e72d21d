// SPDX-License-Identifier: Apache-2.0
#include "compute.hpp"

#include <fmt/ranges.h>

#include "failure.hpp"
#include "libraries.hpp"
#include "new_array.hpp"
#include "without_interpreter.hpp"

namespace nb = nanobind;

namespace halfulp::python {

namespace {

void run_without_interpreter(const plan& plan, const void* input, void* output,
                             const run_options& run) {
  const without_interpreter released;
  plan.run(input, output, run);
}

nb::object compute_new(const plan& plan, const borrowed_array& input, const run_options& run) {
  new_array result(plan.output(), input.origin());
  run_without_interpreter(plan, input.data(), result.data(), run);
  return result.take();
}

// A plan that fits `input` and `output` as `plan` does, whose strides are others.
plan with_strides(const plan& plan, op op, const tensor_layout& input, const options& options,
                  const tensor_layout& output) {
  if (input.strides == plan.input().strides && output.strides == plan.output().strides) return plan;
  return {op, input, options, output.strides};
}

}  // namespace

void expect_fit(const char* name, const tensor_layout& given, const char* what,
                const tensor_layout& wanted) {
  if (given.type != wanted.type) {
    fail(errc::unsupported_type, "{} has dtype {}, {} {}", name, name_of(given.type), what,
         name_of(wanted.type));
  }
  if (given.shape != wanted.shape) {
    fail(errc::invalid_shape, "{} has shape ({}), {} ({})", name, fmt::join(given.shape, ","), what,
         fmt::join(wanted.shape, ","));
  }
}

nb::object compute(op op, const borrowed_array& input, const options& options, nb::handle out,
                   const run_options& run) {
  return compute(plan(op, input.layout(), options), op, input, options, out, run);
}

nb::object compute(const plan& plan, op op, const borrowed_array& input, const options& options,
                   nb::handle out, const run_options& run) {
  if (out.is_none()) {
    return compute_new(with_strides(plan, op, input.layout(), options, plan.output()), input, run);
  }
  const borrowed_array output(out, "out", access::write);
  expect_fit("out", output.layout(), "the result", plan.output());
  run_without_interpreter(with_strides(plan, op, input.layout(), options, output.layout()),
                          input.data(), output.data(), run);
  if (is_torch_tensor(out)) note_written(out);
  return nb::borrow(out);
}

}  // namespace halfulp::python
