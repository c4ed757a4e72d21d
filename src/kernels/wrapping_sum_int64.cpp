// SPDX-License-Identifier: Apache-2.0
#define HALFULP_ELEMENT std::int64_t

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/wrapping_sum_int64.cpp"
#include "kernels/all_targets.hpp"
#include "kernels/wrapping_sum-inl.hpp"
