// SPDX-License-Identifier: Apache-2.0
#include "base/cache_size.hpp"

#include <unistd.h>

#include <initializer_list>

namespace halfulp {

std::int64_t last_cache_size() noexcept {
  static const std::int64_t size = [] {
    constexpr std::int64_t usual = 32 << 20;
    for (const int level : {_SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE}) {
      if (const long bytes = sysconf(level); bytes > 0) return std::int64_t{bytes};
    }
    return usual;
  }();
  return size;
}

}  // namespace halfulp
