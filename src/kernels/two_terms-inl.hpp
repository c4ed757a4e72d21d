// Sums of two magnitudes, rounded at once (sum.hpp). Included once for each target.
// SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_TWO_TERMS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_TWO_TERMS_INL_HPP
#undef HALFULP_KERNELS_TWO_TERMS_INL_HPP
#else
#define HALFULP_KERNELS_TWO_TERMS_INL_HPP
#endif

#include "kernels/encode-inl.hpp"
#include "kernels/prefetch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// The type in which two Ts are added. A sum of two 16-bit elements rounded to float and then to
// their type is the sum rounded once, as float has more than twice their digits and two (Figueroa,
// "When is double rounding innocuous?", 1995).
template <class T>
using sum_type = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <bool Stream, class D, class T>
HWY_INLINE void store_rounded(D d, hn::Vec<D> sum, T* out) {
  const auto nan =
      hn::BitCast(d, hn::Set(hn::RebindToUnsigned<D>(), float_format<hn::TFromD<D>>::quiet_nan));
  sum = hn::IfThenElse(hn::Eq(sum, sum), sum, nan);
  if constexpr (sizeof(T) == sizeof(hn::TFromD<D>)) {
    store<Stream>(d, sum, out);
  } else {
    store<Stream>(hn::Rebind<std::uint16_t, D>(), half_bits_of<T>(d, sum),
                  reinterpret_cast<std::uint16_t*>(out));
  }
}

template <bool Stream, class T>
HWY_INLINE void add_two_rows(const T* x, const T* y, std::int64_t n, T* out) {
  const hn::ScalableTag<sum_type<T>> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  std::int64_t j = 0;
  for (; j + lanes <= n; j += lanes) {
    prefetch_block<lanes * sizeof(T)>(x + j, prefetch_distance);
    prefetch_block<lanes * sizeof(T)>(y + j, prefetch_distance);
    store_rounded<Stream>(d, hn::Add(magnitudes(d, x + j), magnitudes(d, y + j)), out + j);
  }
  const hn::CappedTag<sum_type<T>, 1> one;
  for (; j < n; ++j) {
    store_rounded<false>(one, hn::Add(magnitudes(one, x + j), magnitudes(one, y + j)), out + j);
  }
}

template <bool Stream, class T>
HWY_INLINE void add_neighbours(const T* x, std::int64_t n, T* out) {
  std::int64_t j = 0;
#if HWY_TARGET != HWY_SCALAR
  const hn::ScalableTag<sum_type<T>> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  for (; j + lanes <= n; j += lanes) {
    prefetch_block<2 * lanes * sizeof(T)>(x + 2 * j, prefetch_distance);
    hn::Vec<decltype(d)> sum;
    if constexpr (std::is_same_v<T, bfloat16>) {
      const auto pairs = load_pairs(d, x + 2 * j);
      sum = hn::Add(hn::Abs(even_values(d, pairs)), hn::Abs(odd_values(d, pairs)));
    } else {
      const auto a = magnitudes(d, x + 2 * j), b = magnitudes(d, x + 2 * j + lanes);
      sum = hn::Add(hn::ConcatEven(d, b, a), hn::ConcatOdd(d, b, a));
    }
    store_rounded<Stream>(d, sum, out + j);
  }
#endif
  const hn::CappedTag<sum_type<T>, 1> one;
  for (; j < n; ++j) {
    store_rounded<false>(one, hn::Add(magnitudes(one, x + 2 * j), magnitudes(one, x + 2 * j + 1)),
                         out + j);
  }
}

// See sum.hpp.
template <class T>
void add_two_rows_to(const T* x, const T* y, std::int64_t n, T* out, bool stream) {
  stream&& is_aligned(out) ? add_two_rows<true>(x, y, n, out) : add_two_rows<false>(x, y, n, out);
}
template <class T>
void add_neighbours_to(const T* x, std::int64_t n, T* out, bool stream) {
  stream&& is_aligned(out) ? add_neighbours<true>(x, n, out) : add_neighbours<false>(x, n, out);
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
