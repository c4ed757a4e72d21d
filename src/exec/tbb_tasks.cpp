// SPDX-License-Identifier: Apache-2.0
#include "exec/tbb_tasks.hpp"

#include <pthread.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <new>

namespace halfulp {

namespace {

std::atomic<bool> used = false;
std::atomic<bool> lost_in_a_fork = false;

// From the start, since a fork may come while another thread is in its first call. Not 0 where
// there was no memory for it.
const int fork_handler_error = pthread_atfork(nullptr, nullptr, [] {
  if (used) lost_in_a_fork = true;
});

}  // namespace

bool tbb_is_usable() noexcept { return !lost_in_a_fork; }

void run_on_tbb(int tasks, void (*task)(void*), void* context) {
  if (fork_handler_error != 0) throw std::bad_alloc();
  used = true;
  tbb::this_task_arena::isolate([&] {
    tbb::task_group_context own(tbb::task_group_context::isolated);
    tbb::parallel_for(
        0, tasks, [&](int) { task(context); }, tbb::simple_partitioner(), own);
  });
}

}  // namespace halfulp
