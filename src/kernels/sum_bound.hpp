// The certificates of the fast sums: docs/numerics.md, "The fast sums", proves the bounds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>

#include "accum/certificate.hpp"
#include "accum/exact_finish.hpp"
#include "accum/power.hpp"
#include "base/float_format.hpp"
#include "kernels/sum.hpp"

namespace halfulp::kernels {

// Sums of fewer terms are midpoints of 16-bit types so often that they had better be exact.
inline constexpr std::int64_t shortest_in_runs = 32;

// What double results need: narrower ones are mostly settled by plain sums, and those of 16 bits by
// sums in short runs.
template <float_element T>
constexpr precision precision_for(dtype output, std::int64_t length) {
  if (std::same_as<T, double> || output == dtype::float64) return precision::pair;
  const bool runs = sizeof(T) == 2 && output != dtype::float32 && length > shortest_in_runs;
  return runs ? precision::runs : precision::plain;
}

// |S - S^| <= b S, for small b, gives |S - S^| <= b (1 + 2 b) S^.
constexpr double relative_to_approximation(double b) { return b * (1 + 2 * b); }

// The bound of a sum that went through pairs: `depth` two_sums lie on the way of a term at most,
// each followed by at most two additions to the second part.
//
// The second part adds up errors of at most 2^-53 of the sum each, and of a split square at most
// 2^-24 of it: |lo| <= (depth 2^-53 + 2^-24 [split]) S. Each of its 2 depth additions rounds by
// 2^-53 of that; the rest of a split square brings three roundings of its own. 1.25 pays for the
// higher-order terms, 2^-100 for products that underflow in the pair range.
constexpr double pair_bound(double depth, bool split) {
  const double lo = depth * 0x1p-53 + (split ? 0x1p-24 : 0);
  const double b = 1.25 * 2 * depth * 0x1p-53 * lo + (split ? 3 * 0x1p-77 : 0) + 0x1p-100;
  return relative_to_approximation(b);
}

// Additions in float that a term passes through in a run: a tree of 8.
inline constexpr double run_depth = 3;

// Additions in double, or two_sums, that a term passes through in a block of so many rows.
constexpr std::int64_t column_depth(std::int64_t rows, precision q) {
  switch (q) {
    case precision::runs:  // Eight rows meet in a tree in float, and up to seven are left over.
      return rows / 8 + 2 + 7;
    case precision::plain:  // Four rows meet in a tree, and up to three are left over.
      return rows / 4 + 2 + 2 + 3;
    default:
      return rows;
  }
}

// Whether the squares of doubles come in two parts of which the second is as large as 2^-24 of
// them, or, with `fused` multiply-add, a rounding error.
template <float_element T, power P>
constexpr bool splits_squares(bool fused) {
  return std::same_as<T, double> && P == power::square && !fused;
}

// Of doubles, two_sum makes no error until a sum overflows, while squares are split.
template <power P, float_element Out>
constexpr double highest_certified() {
  if (!std::same_as<Out, double>) return 0x1p1000;
  return P == power::abs ? std::numeric_limits<double>::max() : pair_range_highest;
}

// Of slices of `length` terms, of which `depth` additions are on the way of one in its block, and
// `folds` blocks are added up as pairs.
template <float_element T, power P, float_element Out>
constexpr certificate certify(precision q, bool fused, std::int64_t depth, std::int64_t folds,
                              std::int64_t length) {
  const auto steps = static_cast<double>(depth);
  const auto foldings = static_cast<double>(folds);
  certificate c{.bound = 0,
                .lowest = std::same_as<Out, double> ? pair_range_lowest : 0,
                .highest = highest_certified<P, Out>(),
                .exact_zero = !splits_squares<T, P>(false)};
  if (q == precision::pair) {
    // A product's own rounding error is as good as one more two_sum's.
    c.bound = pair_bound(steps + foldings + 1, splits_squares<T, P>(fused));
    return c;
  }
  double b = steps * 0x1p-53 * (1 + 0x1p-40);
  if (q == precision::runs) {
    b += run_depth * 0x1p-24 * (1 + 0x1p-20);
    // Squares of bfloat16 below float's normal range lose up to 2^-150 each: 2^-70 of a sum that is
    // not below this. Those above it make the sum infinite.
    if (std::same_as<T, bfloat16> && P == power::square) {
      b += 0x1p-70;
      c.lowest = static_cast<double>(length) * 0x1p-80;
      c.exact_zero = false;
    }
  }
  c.bound = relative_to_approximation(b + pair_bound(foldings, false));
  return c;
}

// How many last places sums of up to `length` terms of a 16-bit type may be off, or their roots,
// added in floats with `depth` additions on the way of each: each addition half a place, which is
// at most one of the sum; squares of bfloat16 below float's normal range half a place each; and one
// for the root. Those above the range make the sum infinite.
constexpr std::int64_t places_in_floats(std::int64_t depth, std::int64_t length) {
  return depth + (length + 1) / 2 + 1;
}

// Of quick roots of squares summed in pairs of Ts, with `depth` two_sums on the way of each:
// |sqrt(S) - (y + step)| <= bound y. docs/numerics.md, "Quick roots of pairs", proves it.
template <float_element T>
constexpr certificate certify_quick_root(std::int64_t depth) {
  const double n = static_cast<double>(depth) + 4;
  if (std::same_as<T, float>) {
    return {.bound = n * n * 0x1p-46, .lowest = 0x1p-80, .highest = 0x1p100, .exact_zero = false};
  }
  return {.bound = n * n * 0x1p-75, .lowest = 0x1p-200, .highest = 0x1p200, .exact_zero = false};
}

// Of sums in the same precision, whose terms come from elements that are 0 or at least `smallest`
// (finite or not; then there are none): up to `highest` they are exact, since every partial sum is
// a multiple of the terms' unit and few enough of these. docs/numerics.md, "Sums without a rounding
// error". For roots, they have two digits less: as many as the squares of midpoints, and enough for
// the processor's root to stay on its side of one. May say that none is.
template <float_element T, power P, float_element Out>
certificate certify_exact(precision q, root r, T smallest, std::int64_t length) {
  constexpr double none = -1;
  constexpr double largest = std::numeric_limits<double>::max();
  certificate c{.bound = 0, .lowest = 0, .highest = none, .exact_zero = false, .exact = true};
  if (std::same_as<Out, double> && r == root::yes) return c;
  if (std::same_as<T, double> && P == power::square) return c;
  if ((to_bits(smallest) & float_format<T>::magnitude_mask) >= float_format<T>::infinity) {
    c.highest = largest;
    return c;
  }
  // Exact in float, too, unless squares leave its range.
  const int exponent = static_cast<int>(P) * decompose(smallest).exponent;
  if (q == precision::runs && exponent < float_format<float>::min_exponent) return c;
  const int digits = q == precision::runs        ? float_format<float>::precision - 1
                     : std::same_as<Out, double> ? 2 * float_format<double>::precision - 1
                                                 : float_format<double>::precision - 1;
  const int spared = r == root::yes ? 3 : 0;
  using format = float_format<double>;
  const int highest_exponent =
      std::min(exponent + digits - spared, format::bias);  // never subnormal
  double highest = from_bits<double>(static_cast<std::uint64_t>(highest_exponent + format::bias)
                                     << format::fraction_bits);
  if (std::same_as<Out, double>) highest /= static_cast<double>(length);
  c.highest = std::min(highest, largest);
  return c;
}

// What certify() leaves out of S where S^ is too small to be settled.
template <float_element T, power P>
constexpr double lost_to_underflow(std::int64_t length) {
  return std::same_as<T, bfloat16> && P == power::square ? static_cast<double>(length) * 0x1p-149
                                                         : 0;
}

}  // namespace halfulp::kernels
