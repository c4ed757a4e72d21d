// Sums of rows of two, three or four elements without gaps, of as many rows at a time as a vector
// has lanes. Included once for each target. SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_INTERLEAVED_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_INTERLEAVED_INL_HPP
#undef HALFULP_KERNELS_INTERLEAVED_INL_HPP
#else
#define HALFULP_KERNELS_INTERLEAVED_INL_HPP
#endif

#include "kernels/accumulate-inl.hpp"
#include "kernels/prefetch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

// v[i]: the elements i of rows of L elements at x, as many rows as D has lanes.
template <class D, class E, std::size_t L>
HWY_INLINE void load_rows(D d, const E* x, hn::Vec<D> (&v)[L]) {
  static_assert(L >= 2 && L <= 4);
  if constexpr (L == 2) {
    hn::LoadInterleaved2(d, x, v[0], v[1]);
  } else if constexpr (L == 3) {
    hn::LoadInterleaved3(d, x, v[0], v[1], v[2]);
  } else {
    hn::LoadInterleaved4(d, x, v[0], v[1], v[2], v[3]);
  }
}

// The sum of the terms of magnitudes, lane by lane.
template <power P, class D, std::size_t L>
HWY_INLINE hn::Vec<D> sum_of_terms(D d, const hn::Vec<D> (&m)[L]) {
  auto sum = P == power::abs ? m[0] : hn::Mul(m[0], m[0]);
  for (std::size_t i = 1; i < L; ++i) sum = plus_value<P>(d, sum, m[i]);
  return sum;
}
template <power P, class T, class D, std::size_t L>
HWY_INLINE pair<D> pair_of_terms(D d, const hn::Vec<D> (&m)[L]) {
  pair<D> sum = pair_term_of<D, P, T>(d, m[0]);
  for (std::size_t i = 1; i < L; ++i) add_term<D, P, T>(d, pair_term_of<D, P, T>(d, m[i]), sum);
  return sum;
}

template <power P, precision Q, class T, class D, std::size_t L>
HWY_INLINE auto sum_of_rows(D d, const hn::Vec<D> (&m)[L]) {
  if constexpr (Q == precision::pair) {
    return pair_of_terms<P, T>(d, m);
  } else {
    return sum_of_terms<P>(d, m);
  }
}

// Passes sums of rows of magnitudes in DF's type on, in D's type.
template <power P, precision Q, class T, class D, class DF, std::size_t L, class Take>
HWY_INLINE void take_rows(D d, DF, std::int64_t j, const hn::Vec<DF> (&m)[L], const Take& take) {
  if constexpr (std::is_same_v<hn::TFromD<D>, hn::TFromD<DF>>) {
    take(j, sum_of_rows<P, Q, T>(d, m));
  } else {
    const hn::Half<DF> half;
    hn::Vec<D> lower[L], upper[L];
    for (std::size_t i = 0; i < L; ++i) {
      lower[i] = hn::PromoteTo(d, hn::LowerHalf(half, m[i]));
      upper[i] = hn::PromoteTo(d, hn::UpperHalf(half, m[i]));
    }
    take(j, sum_of_rows<P, Q, T>(d, lower));
    take(j + static_cast<std::int64_t>(hn::MaxLanes(d)), sum_of_rows<P, Q, T>(d, upper));
  }
}

// The number of rows whose elements are loaded at a time.
template <class T>
inline constexpr auto interleaved_rows = static_cast<std::int64_t>(
    hn::MaxLanes(hn::ScalableTag<std::conditional_t<sizeof(T) == 2, std::uint16_t, T>>()));

// Calls take(j, sums) with the sums of rows j and following, for j < rows, a multiple of
// interleaved_rows, of rows of L elements at x: as a vector of D's lanes, a pair, or, of bfloat16
// in float, twice as many as even_odd.
template <std::size_t L, power P, precision Q, class D, class T, class Take>
HWY_INLINE void sum_interleaved(D d, const T* x, std::int64_t rows, const Take& take) {
  using element = std::conditional_t<sizeof(T) == 2, std::uint16_t, T>;
  const hn::ScalableTag<element> de;
  constexpr std::int64_t lanes = interleaved_rows<T>;
  for (std::int64_t j = 0; j < rows; j += lanes, x += lanes * L) {
    prefetch_block<lanes * L * sizeof(T)>(x, prefetch_distance);
    hn::Vec<decltype(de)> v[L];
    load_rows(de, reinterpret_cast<const element*>(x), v);
    if constexpr (sizeof(T) > 2) {
      for (std::size_t i = 0; i < L; ++i) v[i] = hn::Abs(v[i]);
      take_rows<P, Q, T>(d, de, j, v, take);
    } else if constexpr (std::is_same_v<T, bfloat16> && std::is_same_v<hn::TFromD<D>, float>) {
      hn::Vec<D> even[L], odd[L];
      const hn::RebindToUnsigned<D> du;
      for (std::size_t i = 0; i < L; ++i) {
        const auto pairs = hn::BitCast(du, v[i]);
        even[i] = hn::Abs(even_values(d, pairs));
        odd[i] = hn::Abs(odd_values(d, pairs));
      }
      take(j, even_odd<D>{sum_of_terms<P>(d, even), sum_of_terms<P>(d, odd)});
    } else {
      const hn::ScalableTag<float> df;
      const hn::Half<decltype(de)> half;
      hn::Vec<decltype(df)> lower[L], upper[L];
      for (std::size_t i = 0; i < L; ++i) {
        lower[i] = hn::Abs(to_floats<T>(df, hn::LowerHalf(half, v[i])));
        upper[i] = hn::Abs(to_floats<T>(df, hn::UpperHalf(half, v[i])));
      }
      take_rows<P, Q, T>(d, df, j, lower, take);
      take_rows<P, Q, T>(d, df, j + lanes / 2, upper, take);
    }
  }
}

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
