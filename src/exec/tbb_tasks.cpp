// SPDX-License-Identifier: Apache-2.0
#include "exec/tbb_tasks.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace halfulp {

void run_on_tbb(int tasks, void (*task)(void*), void* context) {
  tbb::this_task_arena::isolate([&] {
    tbb::task_group_context own(tbb::task_group_context::isolated);
    tbb::parallel_for(
        0, tasks, [&](int) { task(context); }, tbb::simple_partitioner(), own);
  });
}

}  // namespace halfulp
