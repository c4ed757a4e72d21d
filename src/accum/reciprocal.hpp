// The reciprocal of a norm, known well enough that most quotients x / N round with certainty.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "accum/certificate.hpp"

namespace halfulp {

// What the rounding tests of x / N need. For outputs narrower than double an interval: a <= 1/N <=
// b, with room for one more rounding (x times a bound). For double a pair: 1/N = (a + b)(1 + e)
// with |e| <= error.
//
// For outputs narrower than double also floats, none of them negative, so that a product with them
// has the sign of x: h + low <= 1/N <= h + high, with room for the rounding of x low and x high to
// float, and low and high at most 2^-36 h apart. Zeros where N is out of the range, or not known
// well enough, for that.
struct reciprocal {
  double a = 0, b = 0;
  float h = 0, low = 0, high = 0;
};

// N as hi + lo with relative error `bound`.
struct approximate_norm {
  double hi, lo, bound;
};

// sum^(1/k) from an approximate sum in the pair range.
inline approximate_norm norm_of(const approximate_sum& sum, double bound, power p) noexcept {
  const double_pair s = normalize(sum);
  if (p == power::abs) return {s.hi, s.lo, bound};
  const double_pair n = sqrt_pair(s);
  return {n.hi, n.lo, bound / 2 + bound * bound + 0x1p-101};
}

namespace detail {

// Fills in the floats for 1/N = (hi + lo)(1 + e), |e| <= 2^-41. h is at least 2^-20 (in proportion)
// below hi, or low could come out negative.
inline void set_floats(double hi, double lo, reciprocal& r) noexcept {
  r.h = static_cast<float>(hi);
  // Down to the next float but one.
  r.h = from_bits<float>(to_bits(r.h) - 2);
  const double rest = (hi - static_cast<double>(r.h)) + lo;
  // rest is between 2^-24 and 2^-21 of hi. Its rounding to float and that of its product with x
  // each take 2^-24 of it, 2^-44 of hi in all, e takes 2^-41.
  const double room = hi * 0x1p-39;
  r.low = static_cast<float>(rest - room);
  r.high = static_cast<float>(rest + room);
}

}  // namespace detail

// `norm.hi` is in the pair range. Sets `error` to the relative error of a pair (unused otherwise).
template <float_element Out>
reciprocal reciprocal_of(const approximate_norm& norm, double* error) noexcept {
  const double h = 1 / norm.hi;
  // One Newton step: 1/N = h + h (1 - N h) + h (1 - N h)^2 + ..., the third term below 2^-104 h.
  const double_pair product = two_product(norm.hi, h);
  const double rest = h * (((1 - product.hi) - product.lo) - norm.lo * h);
  const double pair_error = norm.bound * (1 + 0x1p-40) + 0x1p-100;
  reciprocal r;
  if constexpr (std::same_as<Out, double>) {
    *error = pair_error;
    r.a = h;
    r.b = rest;
  } else {
    // h and the products of x, h and the bounds make at most five roundings; N differs from norm.hi
    // by norm.lo, at most one more.
    const double slack = norm.bound + test_slack;
    *error = 0;
    r.a = h * (1 - slack);
    r.b = h * (1 + slack);
    const bool fits = norm.hi >= 0x1p-100 && norm.hi <= 0x1p+100;
    if (fits && pair_error <= 0x1p-41) detail::set_floats(h, rest, r);
  }
  return r;
}

}  // namespace halfulp
