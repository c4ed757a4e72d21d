// SPDX-License-Identifier: Apache-2.0
#include "base/processor_count.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdio>
#include <limits>
#include <thread>

namespace halfulp {

namespace {

// Fewer than 1024 processors fit into the set; on a larger machine the system refuses, and the
// processors of the machine are as good an answer.
int affinity() noexcept {
  cpu_set_t set;
  if (::sched_getaffinity(0, sizeof(set), &set) == 0) return CPU_COUNT(&set);
  return static_cast<int>(std::thread::hardware_concurrency());
}

// How many of the numbers that the file should hold are there.
template <typename... Numbers>
int read_numbers(const char* path, const char* format, Numbers*... numbers) noexcept {
  std::FILE* const file = std::fopen(path, "re");
  if (file == nullptr) return 0;
  const int count = std::fscanf(file, format, numbers...);
  std::fclose(file);
  return count;
}

// The time in each period that a control group, of version 2 or 1, gets on all processors together,
// as a container sees its own. Without a limit it is "max" or -1.
int control_group_limit() noexcept {
  long long quota = 0, period = 0;
  if (read_numbers("/sys/fs/cgroup/cpu.max", "%lld %lld", &quota, &period) < 2) {
    read_numbers("/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "%lld", &quota);
    read_numbers("/sys/fs/cgroup/cpu/cpu.cfs_period_us", "%lld", &period);
  }
  constexpr int no_limit = std::numeric_limits<int>::max();
  if (quota <= 0 || period <= 0) return no_limit;
  return static_cast<int>(std::min<long long>((quota - 1) / period + 1, no_limit));
}

}  // namespace

int processor_count() noexcept { return std::max(1, std::min(affinity(), control_group_limit())); }

}  // namespace halfulp
