// The end of writing around the caches. SPDX-License-Identifier: Apache-2.0
#pragma once

namespace halfulp::kernels {

// What this thread has written around the caches is there for others that it tells so.
void end_stream() noexcept;

}  // namespace halfulp::kernels
