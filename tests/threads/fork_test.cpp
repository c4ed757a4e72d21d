// Processes that are forked from one with threads.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

#include "threads/support/executors.hpp"
#include "threads/support/work.hpp"

namespace halfulp::test {
namespace {

constexpr unsigned seconds_to_live = 60;

// Whether everything has the same bits, with oneTBB as far as it is there, and with a host's
// threads where `pool` is one.
bool all_right(const std::vector<work>& some, executor* pool) {
  bool right = true;
  for (const work& work : some) {
    for (const int threads : {0, 1, 4}) {
      right &= run(work, {.threads = threads, .pool = pool}) == work.expected;
    }
  }
  return right;
}

// Ends with a failure of the test unless f() is true in a child, which is killed where it hangs.
template <typename F>
void expect_in_child(const F& f) {
  const pid_t child = fork();
  ASSERT_NE(child, -1);
  if (child == 0) {
    alarm(seconds_to_live);
    _exit(f() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

class fork_test : public testing::Test {
 protected:
  std::vector<work> some_ = make_some_work();
};

TEST_F(fork_test, after_a_run) {
  EXPECT_TRUE(all_right(some_, nullptr));
  expect_in_child([&] { return all_right(some_, nullptr); });
}

TEST_F(fork_test, of_a_fork) {
  EXPECT_TRUE(all_right(some_, nullptr));
  expect_in_child([&] {
    const pid_t grandchild = fork();
    if (grandchild == 0) _exit(all_right(some_, nullptr) ? 0 : 1);
    int status = 0;
    return waitpid(grandchild, &status, 0) == grandchild && status == 0;
  });
}

TEST_F(fork_test, while_others_run) {
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
  GTEST_SKIP() << "the sanitizer's own allocator may be locked by a thread that is gone";
#endif
#endif
  std::atomic<bool> done = false;
  std::vector<std::thread> busy;
  for (int i = 0; i < 3; ++i) {
    busy.emplace_back([&] {
      while (!done) run(some_.front(), {.threads = 4});
    });
  }
  for (int i = 0; i < 20; ++i) expect_in_child([&] { return all_right(some_, nullptr); });
  done = true;
  for (std::thread& thread : busy) thread.join();
}

TEST_F(fork_test, a_child_says_that_it_has_one_thread) {
  run(some_.front(), {.threads = 4});
  expect_in_child([&] {
    run_statistics statistics;
    run(some_.front(), {.threads = 4, .statistics = &statistics});
    return statistics.threads == 1;
  });
}

TEST_F(fork_test, a_hosts_threads_are_its_own) {
  run(some_.front(), {.threads = 4});
  expect_in_child([&] {
    serial_executor pool(4);
    return all_right(some_, &pool);
  });
}

}  // namespace
}  // namespace halfulp::test
