// ReduceL1, ReduceL2, ReduceSumSquare and LpNormalization in a model.
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/memory_access.hpp"
#include "io/checks.hpp"
#include "onnx/operation.hpp"
#include "plan/output_shape.hpp"
#include "schema/table.hpp"

namespace halfulp::onnx {

namespace {

// The elements of a tensor of axes.
std::vector<std::int64_t> read_axes(const fact& axes) {
  const tensor_layout layout = layout_of(axes);
  std::vector<std::int64_t> values(static_cast<std::size_t>(layout.shape.front()));
  const std::byte* element = axes.elements;
  for (std::int64_t& value : values) {
    value = load<std::int64_t>(element);
    element += layout.strides.front();
  }
  return values;
}

// Of more, some must be named twice, or there is no such tensor in any file. They are not looked at
// one by one, each time that a shape is inferred.
void check_axes_count(const std::string& name, std::int64_t count) {
  if (count <= std::int64_t{io::max_rank}) return;
  fail(errc::invalid_argument, "{}: axes name {} axes; at most {} are allowed", name, count,
       io::max_rank);
}

class norm : public operation {
 public:
  norm(op op, options options) : op_(op), options_(std::move(options)) {}

  fact infer(std::span<const fact* const> inputs) const override {
    const fact& data = *inputs.front();
    const fact* const axes = inputs.size() > 1 ? inputs[1] : nullptr;
    if (axes != nullptr) check_axes(*axes);
    const options options = options_with(axes);
    const schema::computation computation =
        schema::resolve({.op = op_, .input_type = data.type, .options = options});
    fact result{.type = computation.output_type, .shape = {}, .elements = nullptr, .strides = {}};
    if (data.shape) {
      if (axes == nullptr || axes->elements != nullptr) {
        result.shape =
            output_shape(computation, options,
                         reduced_axes(computation, options, data.shape->size()), *data.shape);
      } else if (options.keepdims == 1) {
        // Each extent is the input's or 1, as axes will say.
        result.shape.emplace(data.shape->size());
      }
    }
    return result;
  }

  void run(std::span<const fact* const> inputs, std::byte* output,
           const run_options& options) const override {
    const fact& data = *inputs.front();
    const plan plan(op_, layout_of(data), options_with(inputs.size() > 1 ? inputs[1] : nullptr));
    plan.run(data.elements, output, options);
  }

 private:
  // Type and rank are settled before the elements are there.
  void check_axes(const fact& axes) const {
    const std::string name = schema::name_of(schema::find(op_, options_.opset));
    if (axes.type != dtype::int64) {
      fail(errc::unsupported_type, "{}: the input axes has type {}; it must have int64", name,
           halfulp::name_of(axes.type));
    }
    if (axes.shape && axes.shape->size() != 1) {
      fail(errc::invalid_shape, "{}: the input axes has shape {}; it must have one axis", name,
           format_shape(axes.shape));
    }
    if (axes.shape) check_axes_count(name, axes.shape->front().extent.value_or(0));
  }

  options options_with(const fact* axes) const {
    options options = options_;
    if (axes != nullptr && axes->elements != nullptr) options.axes = read_axes(*axes);
    return options;
  }

  op op_;
  options options_;
};

}  // namespace

std::unique_ptr<operation> make_norm(const operation_request& request) {
  const op op = op_from_name(request.op_type);
  const schema::op_version& row = schema::find(op, request.opset);
  options options;
  options.opset = request.opset;
  for (const attribute& attribute : request.attributes) {
    if (attribute.name == "axes") {
      options.axes = read_integers(request.source, attribute);
    } else if (const schema::attribute_rule* rule = schema::find_attribute(row, attribute.name)) {
      options.*rule->value = read_integer(request.source, attribute);
    } else {
      fail_attribute(request, attribute);
    }
  }
  if (options.axes) {
    schema::check_axes_place(row, schema::axes_place::attribute);
    check_axes_count(name_of(request), static_cast<std::int64_t>(options.axes->size()));
  }
  if (request.input_count > 1) schema::check_axes_place(row, schema::axes_place::input);
  return std::make_unique<norm>(op, std::move(options));
}

}  // namespace halfulp::onnx
