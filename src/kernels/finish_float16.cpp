// SPDX-License-Identifier: Apache-2.0
#define HALFULP_OUTPUT float16

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/finish_float16.cpp"
#include "kernels/all_targets.hpp"
#include "kernels/finish-inl.hpp"
