// A Python object that is made at its first use.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>

namespace halfulp::python {

// For static variables. Never releases the object, since the interpreter may be gone before they
// are destroyed.
class lazy_object {
 public:
  // What make() returns, the first time; afterwards the same.
  template <typename Make>
  nanobind::handle get(const Make& make) {
    PyObject* known = object_.load();
    if (known != nullptr) return known;
    nanobind::object made = make();
    // Where another thread was quicker, its object stays, and this one is released.
    return object_.compare_exchange_strong(known, made.ptr()) ? made.release() : known;
  }

 private:
  std::atomic<PyObject*> object_ = nullptr;
};

}  // namespace halfulp::python
