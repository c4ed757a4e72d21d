// What ThreadSanitizer is told of tasks on threads that it does not see into.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define HALFULP_THREAD_SANITIZER 1
#include <sanitizer/tsan_interface.h>
#endif
#endif

namespace halfulp {

// What came before start() happens before each task, and each task before what comes after end(),
// which is what oneTBB guarantees by atomics in a library that is not compiled for the sanitizer.
// Among themselves tasks stay unordered. Without the sanitizer it does nothing.
class task_order {
 public:
#if HALFULP_THREAD_SANITIZER
  void start() { __tsan_release(&started_); }
  void enter() { __tsan_acquire(&started_); }
  void leave() { __tsan_release(&ended_); }
  void end() { __tsan_acquire(&ended_); }

 private:
  char started_, ended_;
#else
  void start() {}
  void enter() {}
  void leave() {}
  void end() {}
#endif
};

}  // namespace halfulp
