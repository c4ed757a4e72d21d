// SPDX-License-Identifier: Apache-2.0
#define HALFULP_ELEMENT bfloat16

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sum_bfloat16.cpp"
#include "kernels/all_targets.hpp"
#include "kernels/sum_kernels-inl.hpp"
