// How many slices of a run each tier settled.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

namespace halfulp {

// Tasks add to it at once, each when it is through with its part.
struct tier_counts {
  std::atomic<std::int64_t> fast{0};
  std::atomic<std::int64_t> extracted{0};
  std::atomic<std::int64_t> exact{0};
};

}  // namespace halfulp
