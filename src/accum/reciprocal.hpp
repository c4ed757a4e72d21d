// The reciprocal of a norm, known well enough that most quotients x / N round with certainty.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "accum/certificate.hpp"

namespace halfulp {

// What the rounding test of x / N needs. For outputs narrower than double an interval: a <= 1/N <=
// b, with room for one more rounding (x times a bound). For double a pair: 1/N = (a + b)(1 + e)
// with |e| <= error.
template <float_element Out>
struct reciprocal {
  double a = 0, b = 0;

  static constexpr bool is_pair = std::same_as<Out, double>;
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

// `norm.hi` is in the pair range. Sets `error` to the relative error of a pair (unused otherwise).
template <float_element Out>
reciprocal<Out> reciprocal_of(const approximate_norm& norm, double* error) noexcept {
  const double h = 1 / norm.hi;
  if constexpr (reciprocal<Out>::is_pair) {
    // One Newton step: 1/N = h + h (1 - N h) + h (1 - N h)^2 + ..., the third term below 2^-104 h.
    const double_pair product = two_product(norm.hi, h);
    const double rest = ((1 - product.hi) - product.lo) - norm.lo * h;
    *error = norm.bound * (1 + 0x1p-40) + 0x1p-100;
    return {h, h * rest};
  } else {
    // h and the products of x, h and the bounds make at most five roundings; N differs from norm.hi
    // by norm.lo, at most one more.
    const double slack = norm.bound + test_slack;
    *error = 0;
    return {h * (1 - slack), h * (1 + slack)};
  }
}

}  // namespace halfulp
