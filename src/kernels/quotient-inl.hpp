// The kernels of quotient.hpp, to be instantiated for one input type at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <type_traits>

#include "kernels/quotient.hpp"
#include "kernels/term.hpp"

namespace halfulp::kernels {

namespace detail {

// Elements that are tested together.
inline constexpr int block = 64;

// A verdict: 0 where every element of the block is settled.
using verdict = std::uint64_t;

// float32: |x| a <= |x| / N <= |x| b even after the rounding of the products, because a and b have
// room for it; if both ends round alike, so does the quotient. A product below double's normal
// range is below half of the smallest Out. Signs pass through.
template <bool PerElement, typename Count>
inline verdict settle_block(const double* m, float* y, Count n, const reciprocal<float>* r,
                            double) {
  std::uint32_t open = 0;
  for (int i = 0; i < n; ++i) {
    const auto low = static_cast<float>(m[i] * r[PerElement ? i : 0].a);
    const auto high = static_cast<float>(m[i] * r[PerElement ? i : 0].b);
    open |= to_bits(low) ^ to_bits(high);
    y[i] = low;
  }
  return open;
}

// 16-bit types: the same test, rounding each end once, from double.
template <bool PerElement, typename Out>
inline verdict settle_block_from_double(const double* m, Out* y, int n, const reciprocal<Out>* r) {
  verdict open = 0;
  for (int i = 0; i < n; ++i) {
    y[i] = encode<Out>(m[i] * r[PerElement ? i : 0].a);
    open |= to_bits(y[i]) ^ to_bits(encode<Out>(m[i] * r[PerElement ? i : 0].b));
  }
  return open;
}

// 16-bit types, quicker: by way of float32, whose bits, scaled to Out's exponent range, hold Out's
// in their upper part. That would be a second rounding where the float32 is a midpoint of Out, and
// only there: float32 holds every midpoint, so rounding to it, which is monotone, does not carry a
// value past one. Such blocks, and those whose ends differ, are tested again from double. There is
// no overflow, since |x| / N <= 1.
template <bool PerElement, typename Out, typename Count>
  requires(float_format<Out>::width == 16)
inline verdict settle_block(const double* m, Out* y, Count n, const reciprocal<Out>* r, double) {
  using format = float_format<Out>;
  constexpr int shift = float_format<float>::fraction_bits - format::fraction_bits;
  constexpr std::uint32_t half = std::uint32_t{1} << (shift - 1);
  constexpr double scale = from_bits<double>(
      static_cast<std::uint64_t>(1023 + format::bias - float_format<float>::bias) << 52);
  std::uint32_t open = 0;
  for (int i = 0; i < n; ++i) {
    const double scaled = m[i] * scale;
    const std::uint32_t low = to_bits(static_cast<float>(scaled * r[PerElement ? i : 0].a));
    const std::uint32_t high = to_bits(static_cast<float>(scaled * r[PerElement ? i : 0].b));
    const std::uint32_t low_rounded = (low + (half - 1) + ((low >> shift) & 1)) >> shift;
    const std::uint32_t high_rounded = (high + (half - 1) + ((high >> shift) & 1)) >> shift;
    const bool midpoint = (low & (2 * half - 1)) == half || (high & (2 * half - 1)) == half;
    open |= (low_rounded ^ high_rounded) | (midpoint ? 1u : 0u);
    y[i] = Out::from_bits(static_cast<std::uint16_t>(low_rounded));
  }
  return open == 0 ? 0 : settle_block_from_double<PerElement>(m, y, n, r);
}

// float64: q = RN(|x| a), and |x| / N = q + e with e = (|x| a - q) + |x| b up to a relative error
// of 2^-102 and that of the pair. If q + (e - d) and q + (e + d) round alike, d that error, so does
// all in between. Where q is tiny but not zero, the error of the product may be lost: open.
template <bool PerElement, typename Count>
inline verdict settle_block(const double* m, double* y, Count n, const reciprocal<double>* r,
                            double error) {
  verdict open = 0;
  for (int i = 0; i < n; ++i) {
    const reciprocal<double>& inverse = r[PerElement ? i : 0];
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

// `n` is an int, or a constant for the whole blocks, for which the compiler then needs no loop for
// what is left over.
template <bool PerElement, typename T, typename Out, typename Count>
inline bool quotient_block(const T* x, Out* y, Count n, const reciprocal<Out>* r, double error) {
  double m[block];
  for (int i = 0; i < n; ++i) m[i] = magnitude(x[i]);
  Out unsigned_y[block];
  const verdict open = settle_block<PerElement>(m, unsigned_y, n, r, error);
  for (int i = 0; i < n; ++i) y[i] = with_sign(unsigned_y[i], is_negative(x[i]));
  return open == 0;
}

}  // namespace detail

template <float_element T, float_element Out, bool PerElement>
bool quotients(const T* x, Out* y, std::int64_t n, const reciprocal<Out>* r,
               double error) noexcept {
  bool settled = true;
  std::int64_t done = 0;
  for (; n - done >= detail::block; done += detail::block) {
    settled &= detail::quotient_block<PerElement>(x + done, y + done,
                                                  std::integral_constant<int, detail::block>{},
                                                  r + (PerElement ? done : 0), error);
  }
  return detail::quotient_block<PerElement>(x + done, y + done, static_cast<int>(n - done),
                                            r + (PerElement ? done : 0), error) &&
         settled;
}

// T and Out are types, which take no parentheses.
// NOLINTBEGIN(bugprone-macro-parentheses)
#define HALFULP_INSTANTIATE_QUOTIENTS(T, Out)                                                  \
  template bool quotients<T, Out, false>(const T*, Out*, std::int64_t, const reciprocal<Out>*, \
                                         double) noexcept;                                     \
  template bool quotients<T, Out, true>(const T*, Out*, std::int64_t, const reciprocal<Out>*,  \
                                        double) noexcept;
// NOLINTEND(bugprone-macro-parentheses)

}  // namespace halfulp::kernels
