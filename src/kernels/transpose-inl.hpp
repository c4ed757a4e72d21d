// The sums of the lanes of several vectors at once: up to four rows are finished together.
// Included once for each target. SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_TRANSPOSE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_TRANSPOSE_INL_HPP
#undef HALFULP_KERNELS_TRANSPOSE_INL_HPP
#else
#define HALFULP_KERNELS_TRANSPOSE_INL_HPP
#endif

#include <bit>

#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// Rows that are finished together: as many as lanes, but four at most. A vector of eight lanes is
// first folded to four, which is cheaper than shuffles across the whole of it.
template <class D>
inline constexpr std::size_t group_size = hn::MaxLanes(D()) < 4 ? hn::MaxLanes(D()) : 4;

template <class D>
using group_tag = hn::CappedTag<hn::TFromD<D>, group_size<D>>;

// Additions that a term passes through in here: one for each halving of the lanes.
template <class D>
inline constexpr int group_depth = std::bit_width(hn::MaxLanes(D())) - 1;

#if HWY_TARGET != HWY_SCALAR

// The two halves of a vector, of which the upper one is wanted, too, where it is no vector of
// Highway's but a pair of them.
template <class D, class V>
HWY_INLINE V interleave_lower(D d, V a, V b) {
  return hn::InterleaveLower(d, a, b);
}
template <class D>
HWY_INLINE pair<D> interleave_lower(D d, pair<D> a, pair<D> b) {
  return {hn::InterleaveLower(d, a.hi, b.hi), hn::InterleaveLower(d, a.lo, b.lo)};
}

template <class D, class V>
HWY_INLINE V interleave_upper(D d, V a, V b) {
  return hn::InterleaveUpper(d, a, b);
}
template <class D>
HWY_INLINE pair<D> interleave_upper(D d, pair<D> a, pair<D> b) {
  return {hn::InterleaveUpper(d, a.hi, b.hi), hn::InterleaveUpper(d, a.lo, b.lo)};
}

template <class D, class V>
HWY_INLINE V lower_halves(D d, V hi, V lo) {
  return hn::ConcatLowerLower(d, hi, lo);
}
template <class D>
HWY_INLINE pair<D> lower_halves(D d, pair<D> hi, pair<D> lo) {
  return {hn::ConcatLowerLower(d, hi.hi, lo.hi), hn::ConcatLowerLower(d, hi.lo, lo.lo)};
}

template <class D, class V>
HWY_INLINE V upper_halves(D d, V hi, V lo) {
  return hn::ConcatUpperUpper(d, hi, lo);
}
template <class D>
HWY_INLINE pair<D> upper_halves(D d, pair<D> hi, pair<D> lo) {
  return {hn::ConcatUpperUpper(d, hi.hi, lo.hi), hn::ConcatUpperUpper(d, hi.lo, lo.lo)};
}

template <class D, class V>
HWY_INLINE auto fold(D, V v) {
  const hn::Half<D> half;
  return combine(half, hn::LowerHalf(half, v), hn::UpperHalf(half, v));
}
template <class D>
HWY_INLINE auto fold(D, pair<D> v) {
  using half = hn::Half<D>;
  return combine(half(), pair<half>{hn::LowerHalf(half(), v.hi), hn::LowerHalf(half(), v.lo)},
                 pair<half>{hn::UpperHalf(half(), v.hi), hn::UpperHalf(half(), v.lo)});
}

#endif  // HWY_TARGET != HWY_SCALAR

// Lane i of the result is the sum of the lanes of rows[i].
template <class D, class V>
HWY_INLINE auto sums_of_lanes(D d, const V* rows) {
#if HWY_TARGET == HWY_SCALAR
  (void)d;
  return rows[0];
#else
  if constexpr (hn::MaxLanes(D()) == 1) {
    return rows[0];
  } else if constexpr (hn::MaxLanes(D()) == 2) {
    return combine(d, interleave_lower(d, rows[0], rows[1]), interleave_upper(d, rows[0], rows[1]));
  } else if constexpr (hn::MaxLanes(D()) == 4) {
    // Within each half of 128 bits first, then the halves.
    const auto sum01 =
        combine(d, interleave_lower(d, rows[0], rows[1]), interleave_upper(d, rows[0], rows[1]));
    const auto sum23 =
        combine(d, interleave_lower(d, rows[2], rows[3]), interleave_upper(d, rows[2], rows[3]));
    return combine(d, lower_halves(d, sum23, sum01), upper_halves(d, sum23, sum01));
  } else {
    const decltype(fold(d, rows[0])) folded[] = {fold(d, rows[0]), fold(d, rows[1]),
                                                 fold(d, rows[2]), fold(d, rows[3])};
    return sums_of_lanes(hn::Half<D>(), folded);
  }
#endif
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
