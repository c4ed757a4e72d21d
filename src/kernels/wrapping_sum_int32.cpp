// SPDX-License-Identifier: Apache-2.0
#define HALFULP_ELEMENT std::int32_t
#define HALFULP_ELEMENT_HAS_32_BITS

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/wrapping_sum_int32.cpp"
#include "kernels/all_targets.hpp"
#include "kernels/wrapping_sum-inl.hpp"
