// SPDX-License-Identifier: Apache-2.0
#include "bound_model.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "borrowed_array.hpp"
#include "dtypes.hpp"
#include "halfulp/onnx.hpp"
#include "new_array.hpp"
#include "text.hpp"

namespace nb = nanobind;

namespace halfulp::python {

namespace {

// The path as the system has it, which need not be text.
onnx::model read_file(const nb::bytes& path) {
  const std::string name(path.c_str(), path.size());
  const nb::gil_scoped_release released;
  return onnx::model(name);
}

onnx::model read_bytes(const nb::bytes& content) {
  const std::span bytes(static_cast<const std::byte*>(content.data()), content.size());
  const nb::gil_scoped_release released;
  return onnx::model(bytes);
}

nb::object dimension_in_python(const onnx::dimension& dimension) {
  if (dimension.extent) return nb::int_(*dimension.extent);
  if (!dimension.symbol.empty()) return nb::cast(dimension.symbol);
  return nb::none();
}

// (name, dtype, shape), of which what is not known is None.
nb::tuple value_in_python(const onnx::value_info& value) {
  const nb::object type = value.type ? nb::borrow(numpy_dtype(*value.type)) : nb::none();
  if (!value.shape) return nb::make_tuple(value.name, type, nb::none());
  nb::list shape;
  for (const onnx::dimension& dimension : *value.shape)
    shape.append(dimension_in_python(dimension));
  return nb::make_tuple(value.name, type, nb::tuple(shape));
}

nb::tuple values_in_python(const std::vector<onnx::value_info>& values) {
  nb::list all;
  for (const onnx::value_info& value : values) all.append(value_in_python(value));
  return nb::tuple(all);
}

// An input of a model.
struct fed_array {
  fed_array(nb::handle key, nb::handle value)
      : name(text_of(key)),
        shown_name(shown(key)),
        array(value, shown_name.c_str(), access::read) {}

  onnx::named_view view() const { return {.name = name, .view = {array.data(), array.layout()}}; }

  std::string name;
  std::string shown_name;
  borrowed_array array;
};

// `inputs` are arrays by name.
nb::list run(const onnx::model& model, const nb::dict& inputs,
             const std::vector<std::string>& outputs, nb::handle threads) {
  const run_options options = threads_argument(threads);
  // A deque: what is in it stays where it is.
  std::deque<fed_array> arrays;
  std::vector<onnx::named_view> views;
  for (const auto& [key, value] : inputs) views.push_back(arrays.emplace_back(key, value).view());
  std::vector<tensor> tensors;
  {
    const nb::gil_scoped_release released;
    tensors =
        model.run(views, std::vector<std::string_view>(outputs.begin(), outputs.end()), options);
  }
  nb::list results;
  for (tensor& result : tensors) results.append(numpy_array_of(std::move(result)));
  return results;
}

}  // namespace

void bind_model(nb::module_& module) {
  nb::class_<onnx::model>(module, "Model")
      .def("run", &run, nb::arg(), nb::arg(), nb::arg().none())
      .def_prop_ro("inputs",
                   [](const onnx::model& self) { return values_in_python(self.inputs()); })
      .def_prop_ro("outputs",
                   [](const onnx::model& self) { return values_in_python(self.outputs()); });
  module.def("read_model_file", &read_file);
  module.def("read_model_bytes", &read_bytes);
}

}  // namespace halfulp::python
