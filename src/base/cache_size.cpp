// SPDX-License-Identifier: Apache-2.0
#include "base/cache_size.hpp"

#include <unistd.h>

#include <fstream>
#include <string>

namespace halfulp {

namespace {

// What the kernel says of the first processor, "32768K" for example; 0 where it says nothing.
// (sysconf, on processors of several chips, may give what they have all together.)
std::int64_t size_from_kernel(int level) {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(level) + "/size");
  std::int64_t size = 0;
  char unit = 0;
  if (!(file >> size >> unit) || size <= 0 || size > (1 << 20)) return 0;
  return unit == 'K' ? size << 10 : unit == 'M' ? size << 20 : 0;
}

std::int64_t find_last_cache_size() {
  constexpr std::int64_t usual = 32 << 20;
  for (const int level : {3, 2}) {
    if (const std::int64_t size = size_from_kernel(level); size > 0) return size;
  }
  const long size = sysconf(_SC_LEVEL3_CACHE_SIZE);
  return size > 0 ? std::int64_t{size} : usual;
}

}  // namespace

std::int64_t last_cache_size() noexcept {
  static const std::int64_t size = find_last_cache_size();
  return size;
}

}  // namespace halfulp
