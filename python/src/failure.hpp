// Errors as Python's exceptions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <utility>

#include "halfulp/types.hpp"

namespace halfulp::python {

// Makes every halfulp::error that leaves a function of this module a Python exception with the same
// one line: TypeError for unsupported_type, OSError for io, MemoryError for out_of_memory,
// RuntimeError for internal, and ValueError for the rest.
void translate_errors();

// Throws error(code) with a formatted message.
template <typename... Args>
[[noreturn]] void fail(errc code, fmt::format_string<Args...> text, Args&&... args) {
  throw error(code, fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace halfulp::python
