// From an exact sum to an output element, rounding once: the last word when a certificate fails.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accum/exact_sum.hpp"
#include "accum/isqrt.hpp"
#include "accum/limbs.hpp"
#include "base/round.hpp"

namespace halfulp {

// RN(value). The 64 leading bits and a sticky bit decide: 64 > 53 + 1.
template <float_element Out>
Out round_sum(const dyadic& value) noexcept {
  const leading_64 lead = leading_bits_64(value);
  return round_to<Out>(lead.significand, lead.exponent, lead.sticky);
}

// sqrt(value) as leading bits; the significand has 64 bits unless it is 0.
//
// Let v = (m + f) 4^k with m the 127 or 128 leading bits, so that the exponent is even. Then
// floor(sqrt(v / 4^k)) = floor(sqrt(m)), a 64-bit integer r, and sqrt(v) = r 2^k exactly iff f = 0
// and r^2 = m.
inline leading_64 leading_bits_of_sqrt(const dyadic& value) noexcept {
  leading_128 lead = leading_bits_128(value);
  if (lead.significand == 0) return {0, 0, false};
  if (lead.exponent % 2 != 0) {
    lead.sticky |= (lead.significand & 1) != 0;
    lead.significand >>= 1;
    ++lead.exponent;
  }
  const root_64 root = integer_sqrt(lead.significand);
  return {root.root, lead.exponent / 2, lead.sticky || !root.exact};
}

// RN(sqrt(value)).
template <float_element Out>
Out round_sqrt(const dyadic& value) noexcept {
  const leading_64 lead = leading_bits_of_sqrt(value);
  return round_to<Out>(lead.significand, lead.exponent, lead.sticky);
}

// What is done with a sum.
enum class root : bool { no, yes };

// RN(sum) or RN(sqrt(sum)); NaN if there was one, else infinity if there was one.
template <float_element Out, element T, power P>
Out finish_exact(const exact_sum<T, P>& sum, root root) noexcept {
  if (sum.has_nan()) return quiet_nan<Out>();
  if (sum.has_infinity()) return infinity<Out>();
  return root == root::yes ? round_sqrt<Out>(sum.value()) : round_sum<Out>(sum.value());
}

// The sum, or the floor of its root, modulo 2^n for an n-bit Out.
template <integer_element Out, integer_element T, power P>
Out finish_exact(const exact_sum<T, P>& sum, root root) noexcept {
  const auto& words = sum.integer().words;
  if (root == root::no) return static_cast<Out>(words[0]);
  limbs<3> wide;
  for (std::size_t i = 0; i < words.size(); ++i) wide.words[i] = words[i];
  return static_cast<Out>(integer_sqrt_low_bits(wide));
}

}  // namespace halfulp
