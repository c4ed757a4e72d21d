// Reciprocals of norms from fast sums (quotient.hpp). Included once for each target.
// SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_RECIPROCAL_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_RECIPROCAL_INL_HPP
#undef HALFULP_KERNELS_RECIPROCAL_INL_HPP
#else
#define HALFULP_KERNELS_RECIPROCAL_INL_HPP
#endif

#include "accum/certificate.hpp"
#include "kernels/pair-inl.hpp"
#include "kernels/quotient.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// v lowered by two units in the last place, v > 0.
template <class D>
HWY_INLINE hn::Vec<D> two_units_below(D d, hn::Vec<D> v) {
  const hn::RebindToUnsigned<D> du;
  return hn::BitCast(d, hn::Sub(hn::BitCast(du, v), hn::Set(du, 2)));
}

// The floats of `reciprocals` for 1/N = (hi + lo)(1 + e), |e| <= error <= 2^-41, where N fits.
template <class D>
HWY_INLINE void store_floats(D d, hn::Vec<D> hi, hn::Vec<D> lo, double error, hn::Mask<D> fits,
                             const reciprocal_arrays& r, std::int64_t j) {
  const hn::Rebind<float, D> df;
  // At least 2^-24 (in proportion) below hi, or low could come out negative.
  const auto h = hn::IfThenElseZero(
      fits, hn::PromoteTo(d, two_units_below(
                                 df, hn::DemoteTo(df, hn::IfThenElse(fits, hi, hn::Set(d, 1.0))))));
  const auto rest = hn::Add(hn::Sub(hi, h), lo);
  // rest is between 2^-24 and 2^-21 of hi. Its rounding to float and that of its product with x
  // each take 2^-24 of it, 2^-44 of hi in all.
  const auto room = hn::Mul(hi, hn::Set(d, 2 * error + 0x1p-43));
  const auto low = hn::IfThenElseZero(fits, hn::Sub(rest, room));
  const auto high = hn::IfThenElseZero(fits, hn::Add(rest, room));
  hn::StoreU(hn::DemoteTo(df, h), df, r.h + j);
  hn::StoreU(hn::DemoteTo(df, low), df, r.low + j);
  hn::StoreU(hn::DemoteTo(df, high), df, r.high + j);
}

// Those of as many norms as D has lanes, zeros where there are none; true where there are.
template <class Out, power P, class D>
HWY_INLINE hn::Mask<D> reciprocate(D d, const norm_sums& sums, const reciprocal_arrays& r,
                                   std::int64_t j) {
  const auto sum = hn::LoadU(d, sums.hi + j);
  pair<D> n = fast_two_sum(d, sum, sums.lo == nullptr ? hn::Zero(d) : hn::LoadU(d, sums.lo + j));
  if constexpr (P == power::square) n = sqrt_pair(d, n);
  const double margin = sums.norm_bound(P) + test_slack;
  const auto usable = hn::And(hn::And(hn::Ge(sum, hn::Set(d, pair_range_lowest)),
                                      hn::Le(sum, hn::Set(d, pair_range_highest))),
                              hn::Lt(hn::Set(d, sums.eps), hn::Mul(n.hi, hn::Set(d, 1 - margin))));

  const auto one = hn::Set(d, 1.0);
  const auto h = hn::Div(one, n.hi);
  // One Newton step: 1/N = h + h (1 - N h) + h (1 - N h)^2 + ..., the third term below 2^-104 h.
  const pair<D> product = two_product(d, n.hi, h);
  const auto residue = hn::Sub(hn::Sub(hn::Sub(one, product.hi), product.lo), hn::Mul(n.lo, h));
  const auto rest = hn::Mul(h, residue);
  if constexpr (std::is_same_v<Out, double>) {
    // The first part is lowered so that the second is not negative.
    const auto a = two_units_below(d, h);
    hn::StoreU(hn::IfThenElseZero(usable, a), d, r.a + j);
    hn::StoreU(hn::IfThenElseZero(usable, hn::Add(hn::Sub(h, a), rest)), d, r.b + j);
  } else {
    // h and the products of x, h and the bounds make at most five roundings; N differs from n.hi by
    // n.lo, at most one more.
    const auto center = hn::IfThenElseZero(usable, h);
    hn::StoreU(hn::Mul(center, hn::Set(d, 1 - margin)), d, r.a + j);
    hn::StoreU(hn::Mul(center, hn::Set(d, 1 + margin)), d, r.b + j);
    const auto in_range =
        hn::And(hn::Ge(n.hi, hn::Set(d, 0x1p-100)), hn::Le(n.hi, hn::Set(d, 0x1p+100)));
    const auto known = hn::Eq(hn::Set(d, sums.reciprocal_error(P) <= 0x1p-41 ? 1.0 : 0.0), one);
    store_floats(d, h, rest, sums.reciprocal_error(P), hn::And(hn::And(in_range, known), usable), r,
                 j);
  }
  return usable;
}

template <class Out, power P>
bool reciprocate_all(const norm_sums& sums, std::int64_t n, const reciprocal_arrays& r) {
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(wide()));
  const norm_sums local = sums;
  bool usable = true;
  std::int64_t j = 0;
  for (; j + lanes <= n; j += lanes) {
    usable = hn::AllTrue(wide(), reciprocate<Out, P>(wide(), local, r, j)) && usable;
  }
  for (; j < n; ++j) {
    usable = hn::AllTrue(single(), reciprocate<Out, P>(single(), local, r, j)) && usable;
  }
  return usable;
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
