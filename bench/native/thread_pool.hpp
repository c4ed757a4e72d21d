// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace halfulp::bench {

// Threads that sleep between calls, so that a measured call wakes them but does not make them.
class thread_pool {
 public:
  // The calling thread is one of `threads`.
  explicit thread_pool(unsigned threads);
  ~thread_pool();
  thread_pool(const thread_pool&) = delete;
  thread_pool& operator=(const thread_pool&) = delete;

  // Calls part(0) to part(threads - 1), each on a thread of its own, and returns when all are done.
  void run(const std::function<void(unsigned)>& part);

 private:
  void work(unsigned index);

  const std::function<void(unsigned)>* part_ = nullptr;  // null: stop
  std::atomic<std::uint32_t> call_ = 0;
  std::atomic<std::uint32_t> running_ = 0;
  std::vector<std::thread> workers_;
};

// The pool of that many threads, made at the first call. For one caller at a time.
thread_pool& pool_of(unsigned threads);

}  // namespace halfulp::bench
