// Arithmetic with unevaluated sums. Included once for each target.
// SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_PAIR_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_PAIR_INL_HPP
#undef HALFULP_KERNELS_PAIR_INL_HPP
#else
#define HALFULP_KERNELS_PAIR_INL_HPP
#endif

#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

template <class D>
HWY_INLINE pair<D> fast_two_sum(D, hn::Vec<D> a, hn::Vec<D> b) {
  const auto s = hn::Add(a, b);
  return {s, hn::Sub(b, hn::Sub(s, a))};
}

// sqrt(hi + lo) by one Newton step (certificate.hpp: sqrt_pair).
template <class D>
HWY_INLINE pair<D> sqrt_pair(D d, pair<D> s) {
  const auto y = hn::Sqrt(s.hi);
  const pair<D> square = two_product(d, y, y);
  const auto rest = hn::Add(hn::Sub(hn::Sub(s.hi, square.hi), square.lo), s.lo);
  return fast_two_sum(d, y, hn::Div(rest, hn::Add(y, y)));
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
