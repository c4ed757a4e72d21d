// SPDX-License-Identifier: Apache-2.0
#include "threads/support/tbb_loop.hpp"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace halfulp::test {

void run_tbb_loop(int width, int count, bool cancelled, void (*body)(void*, int), void* context) {
  // As many threads on any machine.
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(width));
  tbb::task_arena arena(width);
  arena.execute([&] {
    tbb::task_group_context tasks;
    tbb::parallel_for(
        0, count,
        [&](int i) {
          if (cancelled) tasks.cancel_group_execution();
          body(context, i);
        },
        tbb::simple_partitioner(), tasks);
  });
}

}  // namespace halfulp::test
