// Arrays for results.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <optional>

#include "halfulp/halfulp.hpp"

namespace halfulp::python {

// A numpy array with the elements of `tensor`, whose memory it takes over.
nanobind::object numpy_array_of(tensor&& tensor);

// A result of type and shape `layout`, in C order, to be written before it is taken. `origin` as
// borrowed_array has it.
class new_array {
 public:
  new_array(const tensor_layout& layout, nanobind::handle origin);

  void* data() const noexcept { return data_; }

  // The array itself, once. Of numpy where the library of `origin` cannot have it: JAX without
  // jax_enable_x64 has no 64-bit types.
  nanobind::object take();

 private:
  tensor& make_tensor(const tensor_layout& layout);

  dtype type_;
  nanobind::handle origin_;
  void* data_;
  nanobind::object numpy_array_;  // null for another library
  std::optional<tensor> tensor_;  // empty for numpy
};

}  // namespace halfulp::python
