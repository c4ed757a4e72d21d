// SPDX-License-Identifier: Apache-2.0
#include "without_interpreter.hpp"

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace nb = nanobind;

namespace halfulp::python {

namespace {

// Once the interpreter is ending, only the thread that ends it may take it again, and that one
// waits until all that were about to have it. Sequential consistency: a thread that does not see
// `ending` is counted before the other looks.
std::atomic<bool> ending = false;
std::atomic<int> taking = 0;
std::thread::id ending_thread;

void wait_a_little() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

void note_end() {
  ending_thread = std::this_thread::get_id();
  ending = true;
  const nb::gil_scoped_release released;
  while (taking != 0) wait_a_little();
}

}  // namespace

without_interpreter::without_interpreter() noexcept : thread_(PyEval_SaveThread()) {}

without_interpreter::~without_interpreter() {
  ++taking;
  if (ending && std::this_thread::get_id() != ending_thread) {
    --taking;
    while (true) wait_a_little();
  }
  PyEval_RestoreThread(thread_);
  --taking;
}

void watch_interpreter() {
  nb::module_::import_("atexit").attr("register")(nb::cpp_function(&note_end));
  // A child has the count of its parent, but one thread, which is not taking anything.
  pthread_atfork(nullptr, nullptr, [] { taking = 0; });
}

}  // namespace halfulp::python
