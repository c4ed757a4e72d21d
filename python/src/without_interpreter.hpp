// Work that leaves the interpreter to other threads.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

namespace halfulp::python {

// While one lives, the thread has let go of the interpreter and must not use it.
//
// A thread that outlives the interpreter stops in the destructor for good. Before Python 3.14,
// taking the interpreter would end the thread by unwinding it, which C++ ends the process for.
class without_interpreter {
 public:
  without_interpreter() noexcept;
  ~without_interpreter();
  without_interpreter(const without_interpreter&) = delete;
  without_interpreter& operator=(const without_interpreter&) = delete;

 private:
  PyThreadState* thread_;
};

// To be called once, by the module: the interpreter then tells when it is about to end.
void watch_interpreter();

}  // namespace halfulp::python
