// SPDX-License-Identifier: Apache-2.0
#include "libraries.hpp"

#include "lazy_object.hpp"

namespace nb = nanobind;

namespace halfulp::python {

namespace {

nb::handle torch_if_imported() {
  static lazy_object modules;
  const nb::handle all =
      modules.get([] { return nb::object(nb::module_::import_("sys").attr("modules")); });
  return PyDict_GetItemString(all.ptr(), "torch");
}

bool is_instance(nb::handle object, nb::handle type) {
  return PyType_IsSubtype(Py_TYPE(object.ptr()), reinterpret_cast<PyTypeObject*>(type.ptr())) != 0;
}

}  // namespace

nb::handle numpy() {
  static lazy_object module;
  return module.get([] { return nb::module_::import_("numpy"); });
}

bool is_numpy_array(nb::handle object) {
  static lazy_object type;
  return is_instance(object, type.get([] { return nb::object(numpy().attr("ndarray")); }));
}

bool is_numpy_scalar(nb::handle object) {
  static lazy_object type;
  return is_instance(object, type.get([] { return nb::object(numpy().attr("generic")); }));
}

bool is_masked_array(nb::handle array) {
  return nb::hasattr(array, "mask") && nb::hasattr(array, "filled");
}

bool is_torch_tensor(nb::handle object) {
  // May be None, where somebody forbids its import, or half imported.
  const nb::handle torch = torch_if_imported();
  return torch.is_valid() && nb::hasattr(torch, "Tensor") &&
         is_instance(object, torch.attr("Tensor"));
}

void note_written(nb::handle tensor) {
  torch_if_imported().attr("autograd").attr("graph").attr("increment_version")(tensor);
}

nb::object array_like(nb::handle origin, nb::handle tensor) {
  if (is_torch_tensor(origin)) return torch_if_imported().attr("from_dlpack")(tensor);
  // As the Python array API standard has it.
  if (!nb::hasattr(origin, "__array_namespace__")) return {};
  const nb::object library = origin.attr("__array_namespace__")();
  if (!nb::hasattr(library, "from_dlpack")) return {};
  return library.attr("from_dlpack")(tensor);
}

}  // namespace halfulp::python
