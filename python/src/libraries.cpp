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

nb::handle numpy_array_type() {
  static lazy_object type;
  return type.get([] { return nb::object(numpy().attr("ndarray")); });
}

bool is_instance(nb::handle object, nb::handle type) {
  return PyType_IsSubtype(Py_TYPE(object.ptr()), reinterpret_cast<PyTypeObject*>(type.ptr())) != 0;
}

}  // namespace

nb::handle numpy() {
  static lazy_object module;
  return module.get([] { return nb::module_::import_("numpy"); });
}

bool is_numpy_array(nb::handle object) { return is_instance(object, numpy_array_type()); }

bool is_numpy_scalar(nb::handle object) {
  static lazy_object type;
  return is_instance(object, type.get([] { return nb::object(numpy().attr("generic")); }));
}

bool is_numpy_bool(nb::handle object) {
  static lazy_object type;
  return is_instance(object, type.get([] { return nb::object(numpy().attr("bool_")); }));
}

bool is_masked_array(nb::handle array) {
  static lazy_object type;
  // Most are arrays and nothing else.
  if (array.type().is(numpy_array_type())) return false;
  return is_instance(array,
                     type.get([] { return nb::object(numpy().attr("ma").attr("MaskedArray")); }));
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
  try {
    return origin.attr("__array_namespace__")().attr("from_dlpack")(tensor);
  } catch (const nb::python_error& e) {
    if (!e.matches(PyExc_Exception)) throw;
    return {};
  }
}

}  // namespace halfulp::python
