// The threads of one run: the caller's own, oneTBB's, or those of a host.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "base/fp_environment.hpp"
#include "halfulp/halfulp.hpp"

namespace halfulp {

class parallel {
 public:
  // Throws error(invalid_argument). The floating-point environment is the caller's still.
  explicit parallel(const run_options& options);

  // Threads that may be used; at least 1.
  int width() const noexcept { return width_; }

  // Threads that the work was shared out to, and the parts it was cut into, where there was the
  // most of it so far.
  int threads_used() const noexcept { return threads_used_; }
  std::int64_t parts() const noexcept { return parts_; }

  // Calls f(i) for each i below count, in any order, on any threads, and returns when all have
  // returned. The floating-point environment is the standard one in each, and here. If one throws,
  // others are left out, and the exception is thrown here; likewise what a host's threads throw.
  template <typename F>
  void for_each(std::int64_t count, const F& f) {
    parts_ = std::max(parts_, count);
    if (width_ == 1 || count <= 1) {
      for (std::int64_t i = 0; i < count; ++i) f(i);
    } else {
      share(count, [&f](std::int64_t i) { f(i); });
    }
  }

  // Cuts `items`, at least one, of `elements` in all, into parts that are worth a task, and calls
  // f(first, last) for each as for_each does.
  template <typename F>
  void for_each_part(std::int64_t items, std::int64_t elements, const F& f) {
    const std::int64_t most = std::min(items, std::int64_t{parts_per_thread} * width_);
    const std::int64_t parts = std::clamp<std::int64_t>(elements / part_elements, 1, most);
    for_each(parts, [&](std::int64_t part) {
      f(start_of_part(part, parts, items), start_of_part(part + 1, parts, items));
    });
  }

 private:
  // A smaller part would not be through before another thread has woken up for it.
  static constexpr std::int64_t part_elements = 1 << 15;
  // So that threads are done at about the same time though some parts take longer.
  static constexpr int parts_per_thread = 8;

  // The first item of a part, the first parts being longer by one where the division has a rest.
  static std::int64_t start_of_part(std::int64_t part, std::int64_t parts, std::int64_t items) {
    return part * (items / parts) + std::min(part, items % parts);
  }

  void share(std::int64_t count, const std::function<void(std::int64_t)>& f);

  executor* host_;
  int width_;
  int threads_used_ = 1;
  std::int64_t parts_ = 0;
  fp_environment::state callers_environment_;
};

}  // namespace halfulp
