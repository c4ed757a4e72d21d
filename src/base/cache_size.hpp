// The size of the processor's caches. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace halfulp {

// Bytes of the last cache before the memory; a usual size where the system does not tell.
std::int64_t last_cache_size() noexcept;

}  // namespace halfulp
