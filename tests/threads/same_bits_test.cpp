// However many threads there are, and whoever's: the bits of one thread.
// SPDX-License-Identifier: Apache-2.0
#include <fenv.h>
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "threads/support/executors.hpp"
#include "threads/support/tbb_loop.hpp"
#include "threads/support/work.hpp"
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace halfulp::test {
namespace {

TEST(same_bits, any_number_of_threads) {
  const std::vector<work> all = make_all_work();
  for (int threads = 1; threads <= 8; ++threads) {
    for (const work& work : all) {
      run_statistics statistics;
      const run_options options{.threads = threads, .statistics = &statistics};
      tbb_loop(8, 1, [&](int) { expect_same_bits(work, options); });
      EXPECT_GE(statistics.threads, 1);
      EXPECT_LE(statistics.threads, threads);
      EXPECT_EQ(statistics.fast + statistics.extracted + statistics.exact,
                work.computation.describe().slices)
          << work.name;
    }
  }
}

// What the test above relies on.
TEST(same_bits, work_is_shared_out) {
  for (const work& work : make_some_work()) {
    run_statistics statistics;
    run(work, {.threads = 4, .statistics = &statistics});
    EXPECT_GT(statistics.threads, 1) << work.name;
    EXPECT_GE(statistics.parts, statistics.threads) << work.name;
  }
}

TEST(same_bits, threads_of_a_host) {
  const std::vector<work> all = make_all_work();
  thread_executor threads(5);
  serial_executor serial(4);
  reverse_executor reverse(8);
  busy_executor busy(3);
  for (const work& work : all) {
    for (executor* const pool :
         std::initializer_list<executor*>{&threads, &serial, &reverse, &busy}) {
      expect_same_bits(work, {.pool = pool});
    }
    expect_same_bits(work, {.threads = 2, .pool = &threads});
  }
}

// Threads whose environment would spoil every result, and who find it again afterwards.
class spoiled_executor : public thread_executor {
 public:
  using thread_executor::thread_executor;

 protected:
  void run(const task_function& task, std::int64_t i) override {
    fesetround(i % 2 == 0 ? FE_UPWARD : FE_TOWARDZERO);
#if defined(__SSE2__)
    _mm_setcsr(_mm_getcsr() | 0x8040);  // FTZ and DAZ
    const unsigned before = _mm_getcsr();
#endif
    const int rounding = fegetround();
    task(i);
    EXPECT_EQ(fegetround(), rounding);
#if defined(__SSE2__)
    EXPECT_EQ(_mm_getcsr(), before);
#endif
  }
};

TEST(same_bits, environment_of_the_threads) {
  spoiled_executor spoiled(4);
  for (const work& work : make_all_work()) expect_same_bits(work, {.pool = &spoiled});
}

// Of the arithmetic that halfulp uses; fegetround() knows another one, too, on x86.
bool rounds_upward() {
  volatile double one = 1, tiny = 0x1p-60;
  return one + tiny > 1;
}

// The host's function runs in the environment of whoever called run().
class noting_executor : public serial_executor {
 public:
  using serial_executor::serial_executor;
  void parallel_for(std::int64_t count, const task_function& task) override {
    upward = rounds_upward();
    serial_executor::parallel_for(count, task);
  }
  bool upward = false;
};

TEST(same_bits, environment_of_the_caller) {
  noting_executor noting(4);
  for (const work& work : make_some_work()) {
    noting.upward = false;
    const run_options options{.pool = &noting};
    std::vector<std::byte> output = work.expected;
    ASSERT_EQ(fesetround(FE_UPWARD), 0);
    work.computation.run(work.input.data(), output.data(), options);
    const bool after = rounds_upward();
    ASSERT_EQ(fesetround(FE_TONEAREST), 0);
    EXPECT_TRUE(after);
    EXPECT_TRUE(noting.upward);
    EXPECT_EQ(output, work.expected) << work.name;
  }
}

}  // namespace
}  // namespace halfulp::test
