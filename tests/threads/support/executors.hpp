// Threads of hosts, of several kinds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

#include "halfulp/halfulp.hpp"

namespace halfulp::test {

using task_function = std::function<void(std::int64_t)>;

class host_executor : public executor {
 public:
  explicit host_executor(int concurrency) : concurrency_(concurrency) {}
  int concurrency() const noexcept override { return concurrency_; }

 private:
  int concurrency_;
};

// A new thread for each task.
class thread_executor : public host_executor {
 public:
  using host_executor::host_executor;
  void parallel_for(std::int64_t count, const task_function& task) override {
    std::vector<std::thread> threads;
    for (std::int64_t i = 0; i < count; ++i) {
      threads.emplace_back([this, &task, i] { run(task, i); });
    }
    for (std::thread& thread : threads) thread.join();
  }

 protected:
  virtual void run(const task_function& task, std::int64_t i) { task(i); }
};

// One task after the other, on the calling thread.
class serial_executor : public host_executor {
 public:
  using host_executor::host_executor;
  void parallel_for(std::int64_t count, const task_function& task) override {
    for (std::int64_t i = 0; i < count; ++i) task(i);
  }
};

class reverse_executor : public host_executor {
 public:
  using host_executor::host_executor;
  void parallel_for(std::int64_t count, const task_function& task) override {
    while (count-- > 0) task(count);
  }
};

// Has no thread free, ever.
class busy_executor : public host_executor {
 public:
  using host_executor::host_executor;
  void parallel_for(std::int64_t /*count*/, const task_function& /*task*/) override {}
};

}  // namespace halfulp::test
