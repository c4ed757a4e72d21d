// SPDX-License-Identifier: Apache-2.0
#define HALFULP_ELEMENT double

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/short_rows_float64.cpp"
#include "kernels/all_targets.hpp"
#include "kernels/short_rows-inl.hpp"
