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
#include "without_interpreter.hpp"

namespace nb = nanobind;

namespace halfulp::python {

namespace {

// The path as the system has it, which need not be text.
onnx::model read_file(const nb::bytes& path) {
  const std::string name(path.c_str(), path.size());
  const without_interpreter released;
  return onnx::model(name);
}

onnx::model read_bytes(const nb::bytes& content) {
  const std::span bytes(static_cast<const std::byte*>(content.data()), content.size());
  const without_interpreter released;
  return onnx::model(bytes);
}

// Names in a model need not be UTF-8. What is not is lone surrogates in Python, as in its names of
// files, and comes back as it was.
constexpr const char* name_errors = "surrogateescape";

nb::object name_in_python(std::string_view name) {
  return nb::steal(
      PyUnicode_DecodeUTF8(name.data(), static_cast<Py_ssize_t>(name.size()), name_errors));
}

std::string name_from_python(nb::handle name) {
  const auto encoded =
      nb::steal<nb::bytes>(PyUnicode_AsEncodedString(name.ptr(), "utf-8", name_errors));
  if (!encoded.is_valid()) nb::raise_python_error();
  return {encoded.c_str(), encoded.size()};
}

nb::object dimension_in_python(const onnx::dimension& dimension) {
  if (dimension.extent) return nb::int_(*dimension.extent);
  if (!dimension.symbol.empty()) return name_in_python(dimension.symbol);
  return nb::none();
}

// (name, dtype, shape), of which what is not known is None.
nb::tuple value_in_python(const onnx::value_info& value) {
  const nb::object name = name_in_python(value.name);
  const nb::object type = value.type ? nb::borrow(numpy_dtype(*value.type)) : nb::none();
  if (!value.shape) return nb::make_tuple(name, type, nb::none());
  nb::list shape;
  for (const onnx::dimension& dimension : *value.shape)
    shape.append(dimension_in_python(dimension));
  return nb::make_tuple(name, type, nb::tuple(shape));
}

nb::tuple values_in_python(const std::vector<onnx::value_info>& values) {
  nb::list all;
  for (const onnx::value_info& value : values) all.append(value_in_python(value));
  return nb::tuple(all);
}

// An input of a model.
struct fed_array {
  fed_array(nb::handle key, nb::handle value)
      : name(name_from_python(key)),
        shown_name(shown(key)),
        array(value, shown_name.c_str(), access::read) {}

  onnx::named_view view() const { return {.name = name, .view = {array.data(), array.layout()}}; }

  std::string name;
  std::string shown_name;
  borrowed_array array;
};

// `inputs` are arrays by name.
nb::list run(const onnx::model& model, const nb::dict& inputs, const nb::list& outputs,
             nb::handle threads) {
  const run_options options = threads_argument(threads);
  // A deque: what is in it stays where it is.
  std::deque<fed_array> arrays;
  std::vector<onnx::named_view> views;
  for (const auto& [key, value] : inputs) views.push_back(arrays.emplace_back(key, value).view());
  std::vector<std::string> names;
  for (const nb::handle name : outputs) names.push_back(name_from_python(name));
  std::vector<tensor> tensors;
  {
    const without_interpreter released;
    tensors = model.run(views, std::vector<std::string_view>(names.begin(), names.end()), options);
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
