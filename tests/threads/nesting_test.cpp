// Runs inside other pools, and many at once.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <atomic>
#include <thread>
#include <vector>

#include "numerics/support/check.hpp"
#include "threads/support/executors.hpp"
#include "threads/support/tbb_loop.hpp"
#include "threads/support/work.hpp"

namespace halfulp::test {
namespace {

class nesting : public testing::Test {
 protected:
  const work& some(std::int64_t i) const {
    return some_[static_cast<std::size_t>(i) % some_.size()];
  }
  std::vector<work> some_ = make_some_work();
};

TEST_F(nesting, in_a_loop_of_tbb) {
  for (const int width : {1, 2, 8}) {
    tbb_loop(width, 16, [&](int i) { expect_same_bits(some(i), {.threads = 4}); });
  }
}

TEST_F(nesting, in_two_loops_of_tbb) {
  tbb_loop(4, 4,
           [&](int) { tbb_loop(3, 4, [&](int i) { expect_same_bits(some(i), {.threads = 8}); }); });
}

// A thread that waits for the parts of its run must not begin another task of the host's: here that
// would lock a mutex twice.
TEST_F(nesting, other_tasks_wait) {
  static thread_local bool running = false;
  std::atomic<int> begun_inside{0};
  tbb_loop(8, 400, [&](int i) {
    if (running) ++begun_inside;
    running = true;
    run(some(i), {.threads = 8});
    running = false;
  });
  EXPECT_EQ(begun_inside, 0);
}

// A task that is cancelled may run to its end, and so may its plan.
TEST_F(nesting, in_a_cancelled_loop) {
  int runs = 0;
  tbb_loop(
      1, 1,
      [&](int) {
        for (const work& work : some_) expect_same_bits(work, {.threads = 4});
        ++runs;
      },
      true);
  EXPECT_EQ(runs, 1);
}

TEST_F(nesting, in_a_task_of_the_hosts_executor) {
  thread_executor outer(4), inner(3);
  outer.parallel_for(4, [&](std::int64_t i) {
    const work& work = some(i);
    expect_same_bits(work, {.pool = &inner});
    expect_same_bits(work, {.threads = 3});
  });
}

TEST_F(nesting, a_thousand_calls_from_sixteen_threads) {
  constexpr int callers = 16;
  const int calls = oracle::scaled(1000);
  std::atomic<int> next{0}, wrong{0};
  std::vector<std::thread> threads;
  for (int caller = 0; caller < callers; ++caller) {
    threads.emplace_back([&, caller] {
      for (int i = next++; i < calls; i = next++) {
        const work& work = some(i);
        if (run(work, {.threads = 1 + caller % 8}) != work.expected) ++wrong;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
}

}  // namespace
}  // namespace halfulp::test
