// Whether an output is a number's rounding, told by the midpoints on both sides of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "accum/exact_finish.hpp"
#include "base/float_format.hpp"
#include "unit/support/float128.hpp"

namespace halfulp {

template <typename Out>
float128 value_of(typename float_format<Out>::bits_type pattern) {
  using format = float_format<Out>;
  if (pattern == format::infinity) return power_of_two(format::max_exponent + format::precision);
  const decomposed d = decompose(from_bits<Out>(pattern));
  return static_cast<float128>(d.significand) * power_of_two(d.exponent);
}

// Halfway to the next value, which of the largest one is where infinity would be.
template <typename Out>
float128 midpoint_above(typename float_format<Out>::bits_type pattern) {
  using bits = typename float_format<Out>::bits_type;
  return (value_of<Out>(pattern) + value_of<Out>(static_cast<bits>(pattern + 1))) / 2;
}

// Whether `out` is RN(s) or RN(sqrt(s)): by the midpoints on both sides of it.
template <typename Out>
bool is_rounding(Out out, float128 s, root r) {
  using format = float_format<Out>;
  using bits = typename format::bits_type;
  const bits pattern = to_bits(out);
  if (pattern > format::infinity) return false;
  const bool even = (pattern & 1) == 0;
  const auto limit = [r](float128 midpoint) {
    return r == root::yes ? midpoint * midpoint : midpoint;
  };
  if (pattern != 0) {
    const float128 low = limit(midpoint_above<Out>(static_cast<bits>(pattern - 1)));
    if (s < low || (s == low && !even)) return false;
  }
  if (pattern == format::infinity) return true;
  const float128 high = limit(midpoint_above<Out>(pattern));
  return s < high || (s == high && even);
}

}  // namespace halfulp
