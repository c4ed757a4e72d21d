// What is asked of numpy, PyTorch and other array libraries.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace halfulp::python {

nanobind::handle numpy();  // the module

bool is_numpy_array(nanobind::handle object);
bool is_numpy_scalar(nanobind::handle object);
bool is_numpy_bool(nanobind::handle object);  // a scalar
// Of a numpy array.
bool is_masked_array(nanobind::handle array);

// Does not import PyTorch: nothing is its tensor before something else did.
bool is_torch_tensor(nanobind::handle object);
// Tells PyTorch that a tensor's elements were written, so that its autograd can refuse to use what
// it had of the old ones.
void note_written(nanobind::handle tensor);

// An array of the library that `origin` is of, over the memory of `tensor`, which has DLPack.
// Null where that library cannot make one.
nanobind::object array_like(nanobind::handle origin, nanobind::handle tensor);

}  // namespace halfulp::python
