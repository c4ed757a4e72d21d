// Error-free transformations.
// SPDX-License-Identifier: Apache-2.0
//
// Knuth, TAOCP 2, 4.2.2 (TwoSum); Dekker, Numer. Math. 18 (1971) (the split and the product without
// FMA). They need rounding to nearest and no contraction or reassociation by the compiler.
#pragma once

namespace halfulp {

struct double_pair {
  double hi, lo;
};

// hi = RN(a + b), hi + lo = a + b, for any a, b without overflow.
inline double_pair two_sum(double a, double b) noexcept {
  const double s = a + b;
  const double t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}

// The same for |a| >= |b| or a = 0.
inline double_pair fast_two_sum(double a, double b) noexcept {
  const double s = a + b;
  return {s, b - (s - a)};
}

// Two halves of at most 26 bits with hi + lo = a, for |a| < 2^996.
inline double_pair split(double a) noexcept {
  const double c = 0x1.0000002p27 * a;
  const double hi = c - (c - a);
  return {hi, a - hi};
}

// hi = RN(a b), hi + lo = a b, for |a|, |b| < 2^996 without overflow, if a b is 0 or at least
// 2^-960.
inline double_pair two_product(double a, double b) noexcept {
  const double p = a * b;
  const double_pair x = split(a), y = split(b);
  return {p, ((x.hi * y.hi - p) + x.hi * y.lo + x.lo * y.hi) + x.lo * y.lo};
}

}  // namespace halfulp
