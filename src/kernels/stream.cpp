// SPDX-License-Identifier: Apache-2.0
#include "kernels/stream.hpp"

#include <hwy/cache_control.h>

namespace halfulp::kernels {

void end_stream() noexcept { hwy::FlushStream(); }

}  // namespace halfulp::kernels
