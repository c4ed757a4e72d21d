// Highway, set up for all targets of this library: included by each file of kernels first, after
// HWY_TARGET_INCLUDE has named that file. Has no include guard, since what it includes comes back
// once for each target.
// SPDX-License-Identifier: Apache-2.0

// SSSE3 alone would help processors that nobody runs this on. The vectors of SVE have no size at
// compile time, and kernels keep vectors in structs; all processors with SVE have NEON. Builds with
// sanitizers, to which each target costs minutes, leave out those that are like others.
#ifndef HWY_DISABLED_TARGETS
#define HALFULP_UNUSED_TARGETS (HWY_SSSE3 | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
#ifdef HALFULP_FEWER_TARGETS
#define HWY_DISABLED_TARGETS (HALFULP_UNUSED_TARGETS | HWY_SSE4 | HWY_AVX3 | HWY_AVX3_DL)
#else
#define HWY_DISABLED_TARGETS HALFULP_UNUSED_TARGETS
#endif
#endif

// clang-format off: the order matters
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// clang-format on
