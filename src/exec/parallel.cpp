// SPDX-License-Identifier: Apache-2.0
#include "exec/parallel.hpp"

#include <atomic>
#include <exception>

#include "base/error.hpp"
#include "exec/task_order.hpp"
#include "exec/tbb_tasks.hpp"

namespace halfulp {

namespace {

int find_width(const run_options& options) {
  if (options.threads < 0 || options.threads > max_threads) {
    fail(errc::invalid_argument, "threads is {} (allowed: 1 to {}, or 0 for the default)",
         options.threads, max_threads);
  }
  if (options.pool == nullptr) {
    if (!tbb_is_usable()) return 1;
    return options.threads == 0 ? default_threads() : options.threads;
  }
  const int concurrency = options.pool->concurrency();
  if (concurrency < 1) {
    fail(errc::invalid_argument, "the pool's concurrency is {} (allowed: 1 and more)", concurrency);
  }
  return options.threads == 0 ? concurrency : std::min(options.threads, concurrency);
}

// The calls f(0), ..., f(count - 1), of which each task takes one after another until none is left.
// So there are no more threads than tasks, and none of them idles while there is work, whatever
// order a pool starts its tasks in.
class work {
 public:
  work(std::int64_t count, const std::function<void(std::int64_t)>& f) : count_(count), f_(f) {}

  void run_task() noexcept {
    const fp_environment environment;
    try {
      for (std::int64_t i = take_next(); i < count_; i = take_next()) f_(i);
    } catch (...) {
      next_ = count_;
      if (!failed_.test_and_set()) exception_ = std::current_exception();
    }
  }

  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  // Relaxed: calls have nothing to tell each other, and what they tell the caller is seen when the
  // tasks have returned.
  std::int64_t take_next() noexcept { return next_.fetch_add(1, std::memory_order_relaxed); }

  std::int64_t count_;
  const std::function<void(std::int64_t)>& f_;
  std::atomic<std::int64_t> next_{0};
  std::atomic_flag failed_;
  std::exception_ptr exception_;
};

void share_with_tbb(int tasks, work& work) {
  struct {
    class work& work;
    task_order order;
  } shared{work, {}};
  shared.order.start();
  run_on_tbb(
      tasks,
      [](void* context) {
        auto& in_task = *static_cast<decltype(shared)*>(context);
        in_task.order.enter();
        in_task.work.run_task();
        in_task.order.leave();
      },
      &shared);
  shared.order.end();
}

}  // namespace

parallel::parallel(const run_options& options)
    : host_(options.pool),
      width_(find_width(options)),
      callers_environment_(fp_environment::current()) {}

void parallel::share(std::int64_t count, const std::function<void(std::int64_t)>& f) {
  const int tasks = static_cast<int>(std::min<std::int64_t>(width_, count));
  threads_used_ = std::max(threads_used_, tasks);
  work work(count, f);
  if (host_ == nullptr) {
    share_with_tbb(tasks, work);
  } else {
    const fp_environment callers(callers_environment_);
    host_->parallel_for(tasks, [&work](std::int64_t) { work.run_task(); });
    // A host may leave tasks out.
    work.run_task();
  }
  work.rethrow();
}

}  // namespace halfulp
