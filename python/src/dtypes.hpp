// The eight element types as numpy, the buffer protocol and DLPack have them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <optional>
#include <string>

#include "halfulp/types.hpp"

namespace halfulp::python {

// numpy's dtype of native byte order; for bfloat16 that of ml_dtypes, which is imported for it.
// Borrowed: they live as long as the process.
nanobind::handle numpy_dtype(dtype type);

// The same, but uint16 for bfloat16: numpy can neither allocate nor take over memory of a type that
// is not its own, so arrays of bfloat16 are views of their bits.
nanobind::handle numpy_bits_dtype(dtype type);

// The type that a numpy dtype, scalar type or name, or a dtype of PyTorch or JAX stands for. Throws
// error(unsupported_type) for anything else.
dtype dtype_from_python(nanobind::handle given);

// The type that a format of the buffer protocol stands for. Empty for other formats, and for
// numbers that are not in this machine's byte order. nullptr is allowed, and means bytes.
std::optional<dtype> dtype_from_format(const char* format, std::size_t item_size) noexcept;

nanobind::dlpack::dtype dlpack_dtype(dtype type) noexcept;
std::optional<dtype> dtype_from_dlpack(nanobind::dlpack::dtype type) noexcept;

// "bfloat16, float16, ...": all of them, for messages.
std::string dtype_names();

}  // namespace halfulp::python
