// 113 bits: enough to see relative errors of 2^-105.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cfloat>

#include "accum/limbs.hpp"
#include "base/int128.hpp"

namespace halfulp {

#ifdef __SIZEOF_FLOAT128__
__extension__ using float128 = __float128;
#else
using float128 = long double;
static_assert(LDBL_MANT_DIG == 113);
#endif

// For normal results: -16382 <= exponent <= 16383.
inline float128 power_of_two(int exponent) {
  return __builtin_bit_cast(float128, static_cast<uint128>(exponent + 16383) << 112);
}

// The value up to 2^-113 of it.
inline float128 to_float128(const dyadic& value) {
  const leading_128 lead = leading_bits_128(value);
  if (lead.significand == 0) return 0;
  return static_cast<float128>(lead.significand) * power_of_two(lead.exponent);
}

}  // namespace halfulp
