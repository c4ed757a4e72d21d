// Counts what a program allocates. It replaces the global operator new, so one source of a program
// includes it, and the program is one of its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <malloc.h>

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace halfulp::io::test {

inline std::atomic<std::size_t> largest_request{0};
inline std::atomic<std::size_t> live_bytes{0};
inline std::atomic<std::size_t> peak_bytes{0};  // the most that were ever live

inline void raise_to(std::atomic<std::size_t>& most, std::size_t value) {
  std::size_t before = most;
  while (value > before && !most.compare_exchange_weak(before, value)) {
  }
}

inline void* request(std::size_t size, std::size_t alignment) {
  raise_to(largest_request, size);
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  raise_to(peak_bytes, live_bytes += ::malloc_usable_size(memory));
  return memory;
}

// Out of line, or GCC takes the pair for a mistake.
[[gnu::noinline]] inline void release(void* memory) noexcept {
  if (memory != nullptr) live_bytes -= ::malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace halfulp::io::test

void* operator new(std::size_t size) {
  return halfulp::io::test::request(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return halfulp::io::test::request(size, static_cast<std::size_t>(alignment));
}
// The sanitizers have one of their own, whose memory must not get to the operators below.
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  try {
    return halfulp::io::test::request(size, alignof(std::max_align_t));
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept { halfulp::io::test::release(memory); }
void operator delete(void* memory, std::size_t) noexcept { halfulp::io::test::release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept {
  halfulp::io::test::release(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  halfulp::io::test::release(memory);
}
