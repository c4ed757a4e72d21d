// Highway, set up for all targets of this library: included by each file of kernels first, after
// HWY_TARGET_INCLUDE has named that file. Has no include guard, since what it includes comes back
// once for each target.
// SPDX-License-Identifier: Apache-2.0

// SSSE3 alone would help processors that nobody runs this on. The vectors of SVE have no size at
// compile time, and kernels keep vectors in structs; all processors with SVE have NEON.
#ifndef HWY_DISABLED_TARGETS
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#endif

// clang-format off: the order matters
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on
