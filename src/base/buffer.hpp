// Memory for elements: 64-byte aligned, uninitialised, owned.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <new>

#include "base/machine_memory.hpp"

namespace halfulp {

inline constexpr std::align_val_t buffer_alignment{64};

struct buffer_deleter {
  void operator()(std::byte* data) const noexcept { ::operator delete(data, buffer_alignment); }
};

using buffer = std::unique_ptr<std::byte[], buffer_deleter>;

// Throws std::bad_alloc, also for what is more than the machine has. A size of zero gives a pointer
// that is not null.
inline buffer allocate_buffer(std::size_t size) {
  if (size > machine_memory()) throw std::bad_alloc();
  return buffer(static_cast<std::byte*>(::operator new(size, buffer_alignment)));
}

}  // namespace halfulp
