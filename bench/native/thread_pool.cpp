// SPDX-License-Identifier: Apache-2.0
#include "thread_pool.hpp"

#include <map>

namespace halfulp::bench {

thread_pool::thread_pool(unsigned threads) {
  for (unsigned index = 1; index < threads; ++index) {
    workers_.emplace_back([this, index] { work(index); });
  }
}

thread_pool::~thread_pool() {
  part_ = nullptr;
  call_.fetch_add(1);
  call_.notify_all();
  for (std::thread& worker : workers_) {
    worker.join();
  }
}

void thread_pool::run(const std::function<void(unsigned)>& part) {
  part_ = &part;
  running_ = static_cast<std::uint32_t>(workers_.size());
  call_.fetch_add(1);
  call_.notify_all();
  part(0);
  for (std::uint32_t running = running_; running != 0; running = running_) {
    running_.wait(running);
  }
}

void thread_pool::work(unsigned index) {
  for (std::uint32_t seen = 0;; ++seen) {
    call_.wait(seen);
    if (part_ == nullptr) {
      return;
    }
    (*part_)(index);
    if (running_.fetch_sub(1) == 1) {
      running_.notify_one();
    }
  }
}

thread_pool& pool_of(unsigned threads) {
  static std::map<unsigned, thread_pool> pools;
  return pools.try_emplace(threads, threads).first->second;
}

}  // namespace halfulp::bench
