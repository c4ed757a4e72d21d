// SPDX-License-Identifier: Apache-2.0
#define HALFULP_OUTPUT double

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/finish_float64.cpp"
#include "kernels/all_targets.hpp"
#include "kernels/finish-inl.hpp"
