// Rounding tests: when an approximation of known error settles the correctly rounded result.
// SPDX-License-Identifier: Apache-2.0
//
// All of them rest on one fact: RN is monotone, so if both ends of an interval that holds the exact
// value round to the same element, that element is the answer. docs/numerics.md has the proofs.
#pragma once

#include <cmath>

#include "accum/error_free.hpp"
#include "accum/power.hpp"

namespace halfulp {

// A sum S of non-negative terms with |S - (hi + lo)| <= bound * (hi + lo); the bound comes from the
// kernel, and |lo| <= 2^-20 hi. One of the two is not finite where a term was not finite or the sum
// overflowed.
struct approximate_sum {
  double hi, lo;
};

// What a kernel promises of its sums, and which of them a rounding test may settle.
struct certificate {
  double bound;   // as above
  double lowest;  // Sums below or above these are left open,
  double highest;
  bool exact_zero;  // but for a sum of 0, where this says that only zeros have that.
  // Sums in range are exact: S = hi + lo, and for outputs narrower than double a double.
  bool exact = false;
};

// A bound above this settles nothing: some terms of third order are dropped. (The shortest sums in
// floats have 2^-22, others need some 2^30 terms to come to this.)
inline constexpr double largest_bound = 0x1p-20;

// What the double arithmetic of the tests below itself may add, with room to spare: each makes at
// most seven roundings of relative size 2^-53.
inline constexpr double test_slack = 0x1p-50;

// From here on what squares of bfloat16 lose in float by underflow is nothing.
inline constexpr double in_floats_lowest = 0x1p-50;

// Where two_product and the pair kernels make no error that their bounds leave out.
inline constexpr double pair_range_lowest = 0x1p-900;
inline constexpr double pair_range_highest = 0x1p+900;

// From here on the product of two doubles of that size is exact as a pair (two_product).
inline constexpr double smallest_exact_factor = 0x1p-450;

inline bool in_pair_range(double v) noexcept {
  return v >= pair_range_lowest && v <= pair_range_highest;
}

inline double_pair normalize(const approximate_sum& s) noexcept { return fast_two_sum(s.hi, s.lo); }

// sqrt(hi + lo) as an unevaluated sum, |lo| <= 2^-53 hi, with relative error 2^-101 beside what hi
// + lo brings. One Newton step: y = RN(sqrt(hi)), and sqrt(S) - y = (S - y^2) / (2 y) - e^2 / (2
// y), where the last term is below 2^-107 y. hi - y^2 is exact by Sterbenz' lemma.
inline double_pair sqrt_pair(const double_pair& s) noexcept {
  const double y = std::sqrt(s.hi);
  const double_pair square = two_product(y, y);
  const double rest = ((s.hi - square.hi) - square.lo) + s.lo;
  return fast_two_sum(y, rest / (2 * y));
}

}  // namespace halfulp
