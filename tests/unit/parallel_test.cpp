// Calls shared out to threads: each once, in the right environment, and exceptions on the way back.
// SPDX-License-Identifier: Apache-2.0
#include "exec/parallel.hpp"

#include <fenv.h>
#include <gtest/gtest.h>

#include <atomic>
#include <new>
#include <stdexcept>
#include <vector>

#include "threads/support/executors.hpp"

namespace halfulp {
namespace {

TEST(parallel, calls_each_once) {
  test::reverse_executor reverse(3);
  for (executor* const pool : std::initializer_list<executor*>{nullptr, &reverse}) {
    for (const int threads : {1, 2, 7}) {
      parallel shared({.threads = threads, .pool = pool});
      for (const std::int64_t count : {0, 1, 2, 100}) {
        std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
        shared.for_each(count, [&](std::int64_t i) { ++calls[static_cast<std::size_t>(i)]; });
        for (const auto& n : calls) EXPECT_EQ(n, 1);
      }
    }
  }
}

TEST(parallel, parts_cover_all_items) {
  for (const int threads : {1, 2, 7}) {
    for (const std::int64_t items : {1, 2, 15, 16, 17, 1000}) {
      for (const std::int64_t elements : {1, 1 << 16, 1 << 20, 1 << 30}) {
        parallel shared({.threads = threads});
        std::vector<std::atomic<int>> calls(static_cast<std::size_t>(items));
        shared.for_each_part(items, elements, [&](std::int64_t first, std::int64_t last) {
          EXPECT_LT(first, last);
          for (std::int64_t i = first; i < last; ++i) ++calls[static_cast<std::size_t>(i)];
        });
        for (const auto& n : calls) EXPECT_EQ(n, 1);
      }
    }
  }
}

TEST(parallel, exceptions_reach_the_caller) {
  for (const int threads : {1, 4}) {
    parallel shared({.threads = threads});
    const auto throw_at = [&](std::int64_t at, const auto& exception) {
      shared.for_each(50, [&](std::int64_t i) {
        if (i == at) throw exception;
      });
    };
    for (const std::int64_t at : {0, 49}) {
      EXPECT_THROW(throw_at(at, std::bad_alloc()), std::bad_alloc);
      EXPECT_THROW(throw_at(at, std::runtime_error("one")), std::runtime_error);
    }
    EXPECT_THROW(shared.for_each(50, [](std::int64_t) { throw std::bad_alloc(); }), std::bad_alloc);
    std::atomic<int> calls{0};
    shared.for_each(50, [&](std::int64_t) { ++calls; });
    EXPECT_EQ(calls, 50) << "afterwards";
  }
}

// Of the arithmetic that halfulp uses; fegetround() knows another one, too, on x86.
bool rounds_upward() {
  volatile double one = 1, tiny = 0x1p-60;
  return one + tiny > 1;
}

TEST(parallel, the_environment_is_the_standard_one) {
  ASSERT_EQ(fesetround(FE_UPWARD), 0);
  test::serial_executor serial(4);
  for (executor* const pool : std::initializer_list<executor*>{nullptr, &serial}) {
    parallel shared({.threads = 4, .pool = pool});
    std::atomic<int> others{0};
    shared.for_each(50, [&](std::int64_t) { others += rounds_upward() ? 1 : 0; });
    EXPECT_EQ(others, 0);
    EXPECT_TRUE(rounds_upward());
  }
  ASSERT_EQ(fesetround(FE_TONEAREST), 0);
}

}  // namespace
}  // namespace halfulp
