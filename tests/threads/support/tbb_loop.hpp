// A host's own use of oneTBB, around runs of plans.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "exec/task_order.hpp"

namespace halfulp::test {

// body(context, i) for each i below `count` in an arena of that width, each a task of its own; in
// tasks that are cancelled as soon as they begin, if `cancelled`.
void run_tbb_loop(int width, int count, bool cancelled, void (*body)(void*, int), void* context);

template <typename F>
void tbb_loop(int width, int count, const F& f, bool cancelled = false) {
  struct {
    const F& f;
    task_order order;
  } shared{f, {}};
  shared.order.start();
  run_tbb_loop(
      width, count, cancelled,
      [](void* context, int i) {
        auto& in_task = *static_cast<decltype(shared)*>(context);
        in_task.order.enter();
        in_task.f(i);
        in_task.order.leave();
      },
      &shared);
  shared.order.end();
}

}  // namespace halfulp::test
