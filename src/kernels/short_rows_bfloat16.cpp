// SPDX-License-Identifier: Apache-2.0
#define HALFULP_ELEMENT bfloat16

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/short_rows_bfloat16.cpp"
#include "kernels/all_targets.hpp"
#include "kernels/short_rows-inl.hpp"
