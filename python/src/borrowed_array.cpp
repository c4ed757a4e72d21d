// SPDX-License-Identifier: Apache-2.0
#include "borrowed_array.hpp"

#include <string>

#include "dtypes.hpp"
#include "failure.hpp"
#include "libraries.hpp"
#include "text.hpp"

namespace nb = nanobind;

namespace halfulp::python {

namespace {

// Memory of these kinds is read by the processor as any other.
bool is_reachable(int device_type) {
  return device_type == nb::device::cpu::value || device_type == nb::device::cuda_host::value ||
         device_type == nb::device::rocm_host::value;
}

// A producer that knows DLPack 1 only marks read-only memory in a versioned capsule, and may refuse
// to make another; one that is older does not know the argument.
nb::object dlpack_capsule(nb::handle array) {
  const nb::object export_function = array.attr("__dlpack__");
  try {
    return export_function(nb::arg("max_version") = nb::make_tuple(nb::dlpack::major_version,
                                                                   nb::dlpack::minor_version));
  } catch (const nb::python_error& e) {
    if (!e.matches(PyExc_TypeError)) throw;
  }
  return export_function();
}

}  // namespace

borrowed_array::borrowed_array(nb::handle array, const char* name, access access) : name_(name) {
  if (is_numpy_array(array)) {
    borrow_numpy(array, access);
    return;
  }
  if (access == access::write) {
    if (!is_torch_tensor(array)) {
      fail(errc::unsupported_type, "{} is of type {} (allowed: a numpy array, a PyTorch tensor)",
           name, type_text(array));
    }
    borrow_dlpack(array);
    return;
  }
  if (nb::hasattr(array, "__dlpack__") && !is_numpy_scalar(array)) {
    origin_ = array;
    borrow_dlpack(array);
    return;
  }
  if (PyObject_CheckBuffer(array.ptr()) != 0 && !is_numpy_scalar(array)) {
    if (borrow_buffer(array, access)) return;
    // Else, as a numpy array, it can say of what type it is.
  }
  const nb::object made = as_numpy(array);
  if (text_of(made.attr("dtype")) == "object") {
    fail(errc::unsupported_type,
         "{} is of type {} (allowed: an array, a number, a list of numbers)", name,
         type_text(array));
  }
  borrow_numpy(made, access);
}

borrowed_array::~borrowed_array() {
  if (buffer_.obj != nullptr) PyBuffer_Release(&buffer_);
}

void borrowed_array::refuse_object(nb::handle array) const {
  fail(errc::unsupported_type, "{} is of type {}, which has no memory to read", name_,
       type_text(array));
}

void borrowed_array::refuse_type(nb::handle type) const {
  fail(errc::unsupported_type, "{} has dtype {} (allowed: {})", name_, text_of(type),
       dtype_names());
}

nb::object borrowed_array::as_numpy(nb::handle object) const {
  try {
    return numpy().attr("asarray")(object);
  } catch (const nb::python_error& e) {
    if (!e.matches(PyExc_ValueError)) throw;
    fail(errc::invalid_argument, "{} makes no array: {}", name_, text_of(e.value()));
  }
}

void borrowed_array::borrow_numpy(nb::handle given, access access) {
  if (is_masked_array(given)) {
    fail(errc::unsupported_type, "{} is a masked array: take its filled() or its data", name_);
  }
  if (borrow_buffer(given, access)) return;

  // The same array without what a derived class makes of its methods.
  const nb::object array = as_numpy(given);
  const nb::object type = array.attr("dtype");
  if (access == access::write && !is_true(array.attr("flags").attr("writeable"))) {
    fail(errc::invalid_argument, "{} is read-only", name_);
  }
  if (!is_true(type.attr("isnative"))) {
    if (access == access::write) {
      fail(errc::unsupported_type, "{} is not in the byte order of this machine", name_);
    }
    borrow_numpy(array.attr("astype")(type.attr("newbyteorder")("=")), access);
    return;
  }
  // numpy has no format for a buffer of bfloat16, but one for its bits.
  const bool is_bfloat16 = text_of(type.attr("name")) == name_of(dtype::bfloat16);
  if (!is_bfloat16 || !borrow_buffer(array.attr("view")("uint16"), access, dtype::bfloat16)) {
    refuse_type(type);
  }
}

bool borrowed_array::borrow_buffer(nb::handle array, access access, std::optional<dtype> type) {
  if (PyObject_GetBuffer(array.ptr(), &buffer_,
                         access == access::read ? PyBUF_RECORDS_RO : PyBUF_RECORDS) != 0) {
    if (PyErr_ExceptionMatches(PyExc_Exception) == 0) nb::raise_python_error();
    PyErr_Clear();
    return false;
  }
  if (!type) type = dtype_from_format(buffer_.format, static_cast<std::size_t>(buffer_.itemsize));
  if (!type) {
    PyBuffer_Release(&buffer_);
    return false;
  }
  layout_.type = *type;
  layout_.shape.assign(buffer_.shape, buffer_.shape + buffer_.ndim);
  // Arrays of ctypes have none.
  if (buffer_.strides != nullptr) {
    layout_.strides.assign(buffer_.strides, buffer_.strides + buffer_.ndim);
  }
  data_ = buffer_.buf;
  return true;
}

void borrowed_array::check_torch_tensor(nb::handle tensor) const {
  if (is_true(tensor.attr("requires_grad"))) {
    fail(errc::invalid_argument,
         "{} requires grad, which halfulp cannot record: call detach() first", name_);
  }
  // DLPack cannot say that the numbers in memory have the wrong sign, and PyTorch does not object.
  if (is_true(tensor.attr("is_neg")())) {
    fail(errc::invalid_argument, "{} is a view of negated numbers: call resolve_neg() first",
         name_);
  }
}

void borrowed_array::borrow_dlpack(nb::handle array) {
  if (is_torch_tensor(array)) check_torch_tensor(array);
  // A tracer of JAX has the one function but not the other.
  if (!nb::hasattr(array, "__dlpack_device__")) refuse_object(array);
  const nb::object device = array.attr("__dlpack_device__")();
  int device_type = nb::device::none::value;
  nb::try_cast(device[0].attr("__index__")(), device_type, false);
  if (!is_reachable(device_type)) {
    const nb::object place = nb::getattr(array, "device", device);
    fail(errc::invalid_argument,
         "{} is on the device {}, and halfulp computes on the processor: call cpu() first, or what "
         "its library has for that",
         name_, text_of(place));
  }
  if (!nb::try_cast(dlpack_capsule(array), tensor_, false) ||
      !is_reachable(tensor_.device_type()) ||
      (tensor_.data_handle() == nullptr && tensor_.size() != 0)) {
    refuse_object(array);
  }
  const auto type = dtype_from_dlpack(tensor_.dtype());
  if (!type) refuse_type(nb::getattr(array, "dtype", nb::str("that is none of halfulp's")));
  layout_.type = *type;
  for (std::size_t axis = 0; axis < tensor_.ndim(); ++axis) {
    layout_.shape.push_back(static_cast<std::int64_t>(tensor_.shape(axis)));
    layout_.strides.push_back(tensor_.stride(axis) * static_cast<std::int64_t>(size_of(*type)));
  }
  // Without the qualifier for what may be written, which the caller has asked for.
  data_ = const_cast<void*>(tensor_.data());
}

}  // namespace halfulp::python
