// SPDX-License-Identifier: Apache-2.0
#include "exec/tbb_tasks.hpp"

#include <pthread.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <new>

namespace halfulp {

namespace {

// Only a child sets it, before it has other threads.
std::atomic<bool> lost_in_a_fork = false;

// Once: handlers cannot be taken back.
bool watch_forks() {
  const int error = pthread_atfork(nullptr, nullptr,
                                   [] { lost_in_a_fork.store(true, std::memory_order_relaxed); });
  // It has no other reason to fail. The next call tries again.
  if (error != 0) throw std::bad_alloc();
  return true;
}

}  // namespace

bool tbb_is_usable() noexcept { return !lost_in_a_fork.load(std::memory_order_relaxed); }

void run_on_tbb(int tasks, void (*task)(void*), void* context) {
  [[maybe_unused]] static const bool watched = watch_forks();
  tbb::this_task_arena::isolate([&] {
    tbb::task_group_context own(tbb::task_group_context::isolated);
    tbb::parallel_for(
        0, tasks, [&](int) { task(context); }, tbb::simple_partitioner(), own);
  });
}

}  // namespace halfulp
