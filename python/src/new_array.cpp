// SPDX-License-Identifier: Apache-2.0
#include "new_array.hpp"

#include <fmt/ranges.h>
#include <nanobind/ndarray.h>

#include <new>
#include <utility>
#include <vector>

#include "dtypes.hpp"
#include "failure.hpp"
#include "libraries.hpp"

namespace nb = nanobind;

namespace halfulp::python {

namespace {

constexpr std::size_t numpy_max_rank = 64;

nb::object with_type(nb::object bits, dtype type) {
  return type == dtype::bfloat16 ? bits.attr("view")(numpy_dtype(type)) : std::move(bits);
}

nb::capsule owner_of(tensor&& memory) {
  return {new tensor(std::move(memory)),
          [](void* owned) noexcept { delete static_cast<tensor*>(owned); }};
}

// The memory of `owner` as an object of nanobind's that has DLPack and the buffer protocol.
nb::object exported(const nb::capsule& owner, nb::dlpack::dtype type) {
  const auto& memory = *static_cast<const tensor*>(owner.data());
  const std::vector<std::size_t> shape(memory.layout().shape.begin(), memory.layout().shape.end());
  return nb::cast(nb::ndarray<nb::array_api>(const_cast<void*>(memory.data()), shape.size(),
                                             shape.data(), owner, nullptr, type));
}

nb::object numpy_array_over(const nb::capsule& owner, dtype type) {
  const std::size_t rank = static_cast<const tensor*>(owner.data())->layout().shape.size();
  if (rank > numpy_max_rank) {
    fail(errc::invalid_shape, "the result has {} dimensions (numpy allows: {})", rank,
         numpy_max_rank);
  }
  nb::dlpack::dtype bits = dlpack_dtype(type);
  if (type == dtype::bfloat16) bits.code = static_cast<std::uint8_t>(nb::dlpack::dtype_code::UInt);
  return with_type(numpy().attr("asarray")(exported(owner, bits)), type);
}

nb::object make_numpy_array(const tensor_layout& layout) {
  nb::list shape;
  for (const std::int64_t extent : layout.shape) shape.append(extent);
  return numpy().attr("empty")(shape, numpy_bits_dtype(layout.type));
}

// False for null, and where it cannot be told.
bool has_dtype(nb::handle array, dtype type) {
  if (!array.is_valid() || !nb::hasattr(array, "dtype")) return false;
  try {
    return dtype_from_python(array.attr("dtype")) == type;
  } catch (const error&) {
    return false;
  }
}

void* address_of(nb::handle numpy_array) {
  Py_buffer buffer;
  if (PyObject_GetBuffer(numpy_array.ptr(), &buffer, PyBUF_SIMPLE) != 0) nb::raise_python_error();
  void* const address = buffer.buf;
  PyBuffer_Release(&buffer);
  return address;
}

}  // namespace

nb::object numpy_array_of(tensor&& tensor) {
  const dtype type = tensor.layout().type;
  return numpy_array_over(owner_of(std::move(tensor)), type);
}

new_array::new_array(const tensor_layout& layout, nb::handle origin)
    : type_(layout.type), origin_(origin) {
  if (origin.is_valid()) {
    data_ = make_tensor(layout).data();
  } else {
    numpy_array_ = make_numpy_array(layout);
    data_ = address_of(numpy_array_);
  }
}

tensor& new_array::make_tensor(const tensor_layout& layout) {
  try {
    return tensor_.emplace(layout);
  } catch (const std::bad_alloc&) {
    fail(errc::out_of_memory, "no memory for a result of dtype {} and shape ({})",
         name_of(layout.type), fmt::join(layout.shape, ","));
  }
}

nb::object new_array::take() {
  if (!tensor_) return with_type(std::move(numpy_array_), type_);
  const nb::capsule owner = owner_of(std::move(*tensor_));
  nb::object array = array_like(origin_, exported(owner, dlpack_dtype(type_)));
  if (has_dtype(array, type_)) return array;
  return numpy_array_over(owner, type_);
}

}  // namespace halfulp::python
