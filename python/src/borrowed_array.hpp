// Arrays of the caller's, read or written where they are.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>

#include "halfulp/types.hpp"

namespace halfulp::python {

enum class access : bool { read, write };

// Holds an array's memory, which is not copied, whatever its strides. Taken are
//
//   - numpy arrays, memory-mapped and read-only ones too; bfloat16 by ml_dtypes;
//   - what has DLPack and lies in memory that the processor reaches: tensors of PyTorch, JAX, ...
//   - what has the buffer protocol;
//   - whatever else numpy.asarray() makes an array of: numbers, lists.
//
// The last, and numpy arrays of another byte order, are copied, so they can only be read. Written
// are numpy arrays and PyTorch's tensors.
//
// All functions need the interpreter; `data` may be used without it.
class borrowed_array {
 public:
  // `name` is the argument's, for messages. Throws error for what is no such array, and what the
  // object itself throws.
  borrowed_array(nanobind::handle array, const char* name, access access);
  ~borrowed_array();
  borrowed_array(const borrowed_array&) = delete;
  borrowed_array& operator=(const borrowed_array&) = delete;

  const tensor_layout& layout() const noexcept { return layout_; }
  void* data() const noexcept { return data_; }

  // The caller's object where results have to be arrays of its library, by DLPack; else null, and
  // results are numpy's.
  nanobind::handle origin() const noexcept { return origin_; }

 private:
  void borrow_numpy(nanobind::handle given, access access);
  // False, with nothing borrowed, where there is no buffer of one of the eight types. `type` is
  // that of the elements, where the buffer itself does not say.
  bool borrow_buffer(nanobind::handle array, access access, std::optional<dtype> type = {});
  void borrow_dlpack(nanobind::handle array);
  void check_torch_tensor(nanobind::handle tensor) const;
  nanobind::object as_numpy(nanobind::handle object) const;
  [[noreturn]] void refuse_object(nanobind::handle array) const;
  [[noreturn]] void refuse_type(nanobind::handle type) const;

  const char* name_;
  nanobind::handle origin_;
  tensor_layout layout_;
  void* data_ = nullptr;

  // What holds the memory; of these, one is in use.
  Py_buffer buffer_{};
  nanobind::ndarray<nanobind::ro> tensor_;
};

}  // namespace halfulp::python
