// SPDX-License-Identifier: Apache-2.0
#include "base/buffer.hpp"
#include "base/error.hpp"
#include "base/shape.hpp"
#include "halfulp/halfulp.hpp"

namespace halfulp {

namespace {

std::size_t checked_count(const tensor_layout& layout) {
  const auto count = element_count(layout.shape, size_of(layout.type));
  if (!count) {
    fail(errc::invalid_shape, "shape {} is negative or too large for memory",
         format_shape(layout.shape));
  }
  return *count;
}

}  // namespace

tensor::tensor(const tensor_layout& layout)
    : layout_{layout.type, layout.shape, {}},
      count_(checked_count(layout)),
      data_(allocate_buffer(count_ * size_of(layout.type)).release()) {
  layout_.strides = c_strides(layout.shape, size_of(layout.type));
}

void tensor::deleter::operator()(std::byte* data) const noexcept { buffer_deleter{}(data); }

void tensor::expect_type(dtype type) const {
  if (type == layout_.type) return;
  fail(errc::unsupported_type, "the tensor has type {}, not {}", name_of(layout_.type),
       name_of(type));
}

const_view view_of(dtype type, const void* data, std::size_t count,
                   std::vector<std::int64_t> shape) {
  tensor_layout layout{type, std::move(shape), {}};
  if (checked_count(layout) != count) {
    fail(errc::invalid_shape, "shape {} has {} elements, the data {}", format_shape(layout.shape),
         checked_count(layout), count);
  }
  return {data, std::move(layout)};
}

tensor compute(op op, const const_view& input, const options& options, const run_options& run) {
  const plan plan(op, input.layout, options);
  tensor output(plan.output());
  plan.run(input.data, output.data(), run);
  return output;
}

void compute(op op, const const_view& input, const mutable_view& output, const options& options,
             const run_options& run) {
  halfulp::options typed = options;
  typed.output_type = output.layout.type;
  if (options.output_type && *options.output_type != output.layout.type) {
    fail(errc::unsupported_type, "{}: the output has type {}, output_type says {}", name_of(op),
         name_of(output.layout.type), name_of(*options.output_type));
  }
  const plan plan(op, input.layout, typed, output.layout.strides);
  if (plan.output().shape != output.layout.shape) {
    fail(errc::invalid_shape, "{}: the output has shape {}, the result {}", name_of(op),
         format_shape(output.layout.shape), format_shape(plan.output().shape));
  }
  plan.run(input.data, output.data, run);
}

}  // namespace halfulp
