// What run_options may say, and how runs fail.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "api/support/expect_error.hpp"
#include "threads/support/executors.hpp"
#include "threads/support/work.hpp"

namespace halfulp::test {
namespace {

class options_test : public testing::Test {
 protected:
  work norm_ = make_work(op::reduce_l2, dtype::float32, {700, 400}, {.axes = {{1}}}, 1);
  work unit_ = make_work(op::lp_normalization, dtype::float32, {700, 400}, {}, 4);
};

TEST_F(options_test, numbers_of_threads) {
  expect_same_bits(norm_, {.threads = max_threads});
  for (const int threads : {-1, max_threads + 1}) {
    oracle::expect_error(errc::invalid_argument, {"threads is " + std::to_string(threads)},
                         [&] { run(norm_, {.threads = threads}); });
  }
}

TEST_F(options_test, a_pool_without_threads) {
  for (const int concurrency : {0, -1}) {
    serial_executor none(concurrency);
    oracle::expect_error(errc::invalid_argument, {"concurrency is " + std::to_string(concurrency)},
                         [&] { run(norm_, {.pool = &none}); });
  }
}

TEST_F(options_test, pool_and_threads_both_limit) {
  serial_executor pool(4);
  run_statistics statistics;
  run(norm_, {.pool = &pool, .statistics = &statistics});
  EXPECT_EQ(statistics.threads, 4);
  run(norm_, {.threads = 3, .pool = &pool, .statistics = &statistics});
  EXPECT_EQ(statistics.threads, 3);
  run(norm_, {.threads = 9, .pool = &pool, .statistics = &statistics});
  EXPECT_EQ(statistics.threads, 4);
}

class untouched_executor : public host_executor {
 public:
  using host_executor::host_executor;
  void parallel_for(std::int64_t, const task_function&) override { FAIL() << "was called"; }
};

TEST_F(options_test, little_work_stays_on_the_callers_thread) {
  untouched_executor pool(8);
  const float data[] = {3, -4};
  float norm = 0;
  run_statistics statistics;
  const plan plan(op::reduce_l2, {dtype::float32, {2}, {}});
  plan.run(data, &norm, {.pool = &pool, .statistics = &statistics});
  EXPECT_EQ(norm, 5);
  EXPECT_EQ(statistics.threads, 1);
  EXPECT_EQ(statistics.parts, 1);
}

TEST_F(options_test, statistics_count_slices) {
  const float data[] = {16777216, 1, 0x1p-149F, 3, 4, 5};
  float sums[2];
  run_statistics statistics;
  const plan rows(op::reduce_l1, {dtype::float32, {2, 3}, {}}, {.axes = {{1}}});
  rows.run(data, sums, {.statistics = &statistics});
  EXPECT_EQ(statistics.fast, 1);
  EXPECT_EQ(statistics.extracted + statistics.exact, 1) << "a tie that one far bit breaks";

  // Of nothing, and nothing.
  const plan empty(op::reduce_l1, {dtype::float32, {2, 0}, {}}, {.axes = {{1}}});
  empty.run(data, sums, {.statistics = &statistics});
  EXPECT_EQ(statistics.fast, 2);
  EXPECT_EQ(statistics.parts, 0);
  const plan none(op::reduce_l1, {dtype::float32, {0, 2}, {}}, {.axes = {{1}}});
  none.run(data, sums, {.statistics = &statistics});
  EXPECT_EQ(statistics.fast + statistics.extracted + statistics.exact, 0);
}

TEST_F(options_test, compute_takes_them) {
  run_statistics statistics;
  const float data[] = {3, -4};
  const auto view = view_of<float>(data, {2});
  EXPECT_EQ(reduce_l2(view, {}, {.statistics = &statistics}).elements<float>()[0], 5);
  EXPECT_EQ(statistics.threads, 1);
  float norm = 0;
  statistics = {};
  compute(op::reduce_l2, view, {&norm, {dtype::float32, {1}, {}}}, {}, {.statistics = &statistics});
  EXPECT_EQ(norm, 5);
  EXPECT_EQ(statistics.threads, 1);
}

class failing_executor : public host_executor {
 public:
  using host_executor::host_executor;
  void parallel_for(std::int64_t, const task_function&) override {
    throw std::runtime_error("no thread to be had");
  }
};

TEST_F(options_test, what_a_pool_throws_reaches_the_caller) {
  failing_executor failing(4);
  EXPECT_THROW(run(norm_, {.pool = &failing}), std::runtime_error);
}

}  // namespace
}  // namespace halfulp::test
