// Tasks that run out of memory. Replaces the global operator new, so it is a program of its own.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "threads/support/executors.hpp"
#include "threads/support/work.hpp"

namespace {

// While it is set, this thread gets no memory.
thread_local bool out_of_memory = false;

}  // namespace

// Out of line, or GCC takes the pair for a mistake.
[[gnu::noinline]] void* operator new(std::size_t size) {
  void* const memory = out_of_memory ? nullptr : std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// The sanitizers have one of their own, whose memory must not get to the operators below.
[[gnu::noinline]] void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return out_of_memory ? nullptr : std::malloc(size == 0 ? 1 : size);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace halfulp::test {
namespace {

// Threads that have no memory left.
class starved_executor : public thread_executor {
 public:
  using thread_executor::thread_executor;

 protected:
  void run(const task_function& task, std::int64_t i) override {
    out_of_memory = true;
    task(i);
    out_of_memory = false;
  }
};

TEST(memory, of_a_task_that_gets_none) {
  const work unit = make_work(op::lp_normalization, dtype::float32, {700, 400}, {}, 4);
  starved_executor starved(4);
  EXPECT_THROW(run(unit, {.pool = &starved}), std::bad_alloc);
  expect_same_bits(unit, {.threads = 4});
}

}  // namespace
}  // namespace halfulp::test
