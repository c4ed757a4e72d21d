// SPDX-License-Identifier: Apache-2.0
#define HALFULP_ELEMENT double

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/sum_float64.cpp"
#include "kernels/all_targets.hpp"
#include "kernels/sum_kernels-inl.hpp"
