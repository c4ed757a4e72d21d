// The kernels of quotient.hpp, to be instantiated for one input type at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "kernels/quotient.hpp"
#include "kernels/term.hpp"

namespace halfulp::kernels {

namespace detail {

// Elements that go through the stages of a block together. The stages are loops over local arrays,
// each of one element width, since that is what compilers turn into vector code.
inline constexpr int block = 64;

// Narrow outputs: |x| a <= |x| / N <= |x| b even after the rounding of the products, because a and
// b have room for it. A product below double's normal range is below half of the smallest Out.
template <float_element Out, bool PerElement>
  requires(!reciprocal<Out>::is_pair)
inline auto settle_block(const double* m, Out* y, int n, const reciprocal<Out>* r,
                         double) noexcept {
  Out low[block], high[block];
  for (int i = 0; i < n; ++i) low[i] = encode<Out>(m[i] * r[PerElement ? i : 0].a);
  for (int i = 0; i < n; ++i) high[i] = encode<Out>(m[i] * r[PerElement ? i : 0].b);
  typename float_format<Out>::bits_type open = 0;
  for (int i = 0; i < n; ++i) {
    open |= static_cast<decltype(open)>(to_bits(low[i]) ^ to_bits(high[i]));
    y[i] = low[i];
  }
  return open;
}

// Double: q = RN(|x| a), and |x| / N = q + e with e = (|x| a - q) + |x| b up to a relative error of
// 2^-102 and that of the pair. If q + (e - d) and q + (e + d) round alike, d that error, so does
// all in between. Where q is tiny but not zero, the error of the product may be lost: open.
template <float_element Out, bool PerElement>
  requires(reciprocal<Out>::is_pair)
inline std::uint64_t settle_block(const double* m, Out* y, int n, const reciprocal<Out>* r,
                                  double error) noexcept {
  std::uint64_t open = 0;
  for (int i = 0; i < n; ++i) {
    const reciprocal<Out>& inverse = r[PerElement ? i : 0];
    const double_pair product = two_product(m[i], inverse.a);
    const double e = product.lo + m[i] * inverse.b;
    const double d = product.hi * (error + 0x1p-100);
    const double low = product.hi + (e - d);
    const double high = product.hi + (e + d);
    open |= (to_bits(low) ^ to_bits(high)) | (product.hi >= 0x1p-900 ? 0 : to_bits(m[i]));
    y[i] = low;
  }
  return open;
}

}  // namespace detail

template <float_element T, float_element Out, bool PerElement>
bool quotients(const T* x, Out* y, std::int64_t n, const reciprocal<Out>* r,
               double error) noexcept {
  bool settled = true;
  for (std::int64_t done = 0; done < n; done += detail::block) {
    const int count = static_cast<int>(std::min<std::int64_t>(n - done, detail::block));
    const T* from = x + done;
    Out* to = y + done;
    double m[detail::block];
    Out unsigned_y[detail::block];
    for (int i = 0; i < count; ++i) m[i] = magnitude(from[i]);
    settled &= detail::settle_block<Out, PerElement>(m, unsigned_y, count,
                                                     r + (PerElement ? done : 0), error) == 0;
    for (int i = 0; i < count; ++i) to[i] = with_sign(unsigned_y[i], is_negative(from[i]));
  }
  return settled;
}

#define HALFULP_INSTANTIATE_QUOTIENTS(T, Out)                                                  \
  template bool quotients<T, Out, false>(const T*, Out*, std::int64_t, const reciprocal<Out>*, \
                                         double) noexcept;                                     \
  template bool quotients<T, Out, true>(const T*, Out*, std::int64_t, const reciprocal<Out>*,  \
                                        double) noexcept;

}  // namespace halfulp::kernels
