// How much memory there can be.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace halfulp {

// Bytes of memory and swap that this machine, or the container that the program runs in, has. Linux
// promises more than that and ends programs that take it at its word, so what is larger must not be
// asked for.
std::size_t machine_memory() noexcept;

}  // namespace halfulp
