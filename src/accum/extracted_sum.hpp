// The second tier: a sum by error-free extraction, and what it settles.
// SPDX-License-Identifier: Apache-2.0
//
// Each term is cut at one and the same unit. The parts above it add up exactly; what is left below
// it is added separately, and whether anything was left, and of which sign, is kept. That settles
// ties and sums right beside one, which no rounding test on an inexact sum can. Where the first
// parts' sum has no more digits than the result, or its square, what is left of a term is cut
// again, at units further down. (The method is the ExtractVector of Rump, Ogita and Oishi, Accurate
// floating-point summation, 2008, without the bits of the residues.) docs/numerics.md proves the
// bounds.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

#include "accum/certificate.hpp"
#include "accum/encode.hpp"
#include "accum/error_free.hpp"
#include "accum/exact_finish.hpp"
#include "base/float_format.hpp"

namespace halfulp {

// How often the terms of Ts are cut in Fs: their sums have the digits of a midpoint, or of its
// square, if T is the type of the result.
template <float_element T, power P, typename F>
inline constexpr int cuts =
    std::same_as<T, double> ? (P == power::square ? 3 : 2)
    : std::same_as<T, float16> && std::same_as<F, float> && P == power::square ? 2
                                                                               : 1;
inline constexpr int most_cuts = 3;

struct extracted_sum {
  // Powers of two, 0 for cuts that are not made: the first one is more than every term and the sum,
  // others are four times what the cut before can leave of all terms.
  std::array<double, most_cuts> bases{};
  std::array<double, most_cuts> parts{};  // The sums of what each cut takes, exactly.
  double lo = 0;                          // The sum of the residues, rounded.
  std::uint64_t residue_bits = 0;         // The bits of all residues, signs included, ORed.

  double base() const noexcept { return bases[0]; }
  double hi() const noexcept { return parts[0]; }

  // Where adding up what a cut takes starts from. Later parts have either sign: their sums stay in
  // one binade.
  double start(std::size_t cut) const noexcept { return (cut == 0 ? 1 : 1.5) * bases[cut]; }

  // The bits of a residue, its sign in the uppermost one.
  static std::uint64_t bits_of(double residue) noexcept { return to_bits(residue); }
  static std::uint64_t bits_of(float residue) noexcept {
    return static_cast<std::uint64_t>(to_bits(residue)) << 32;
  }

  // Adds a sum to the same bases.
  void merge(const extracted_sum& other) noexcept {
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i] += other.parts[i];
    lo += other.lo;
    residue_bits |= other.residue_bits;
  }

  // Whether the base was large enough, and all terms finite.
  bool is_valid() const noexcept { return hi() < base() && std::isfinite(lo); }
};

// A base for a sum that is at most `bound`: more than twice that, and at least so much that no
// residue that matters is lost to underflow. Infinity, with which nothing is settled, where there
// is no such double.
inline double extraction_base(double bound) noexcept {
  const double least = 4 * pair_range_lowest;
  const std::uint64_t exponent = to_bits(bound) & float_format<double>::infinity;
  return std::max(4 * from_bits<double>(exponent), least);
}

// A unit of a grid, in terms of its base.
template <typename F>
inline constexpr double grid_unit = std::same_as<F, float> ? 0x1p-23 : 0x1p-52;

// Nothing yet, of `terms` terms. Each cut leaves half a unit of each number at most, and of the
// square of a double there are two: RN(x^2) and the rest, which is half a unit of that.
template <float_element T, power P, typename F>
extracted_sum start_extraction(double base, std::int64_t terms) noexcept {
  extracted_sum sum;
  sum.bases[0] = base;
  for (std::size_t i = 1; i < cuts<T, P, F>; ++i) {
    const double left = (static_cast<double>(terms) + 0.5) * grid_unit<F> * sum.bases[i - 1];
    const std::uint64_t exponent = to_bits(left) & float_format<double>::infinity;
    sum.bases[i] = 8 * from_bits<double>(exponent);
  }
  return sum;
}

// Whether sums to this base can be extracted in floats, as those of 16-bit types.
inline constexpr double smallest_float_base = 0x1p-80;
inline bool fits_floats(double base) noexcept {
  return base >= smallest_float_base && base <= 0x1p126;
}

// The elements of magnitudes below have squares that F does not hold exactly: where they are not
// zero, their squares are left out of the sum, but not of residue_bits.
template <float_element T, typename F>
inline constexpr double smallest_square_root =
    std::same_as<T, double>                               ? smallest_exact_factor
    : std::same_as<T, bfloat16> && std::same_as<F, float> ? 0x1p-63
                                                          : 0;

// How far lo may be off: absolute, and relative to it where no residue is negative, and what terms
// that were left out come to, at most.
struct extraction_error {
  double absolute;
  double relative;
  double left_out;
};

// For the sum of `terms` terms to a base, extracted in Fs with at most `depth` additions on the way
// of each residue: half a unit of the last grid at most, one of each term, or two of the square of
// a double.
template <float_element T, power P, typename F>
extraction_error error_of_extraction(const extracted_sum& sum, std::int64_t terms,
                                     std::int64_t depth) noexcept {
  const double largest = sum.bases[cuts<T, P, F> - 1] * grid_unit<F>;
  const double relative = static_cast<double>(depth) * grid_unit<F>;
  const double n = static_cast<double>(terms);
  constexpr double smallest = P == power::square ? smallest_square_root<T, F> : 0;
  return {relative * n * largest, relative, n * smallest * smallest};
}

namespace detail {

// The double nearest to a + b, made odd where it is not that itself (rounding to odd): so it cannot
// pass for a midpoint of a type with fewer digits.
inline double round_to_odd(double a, double b) noexcept {
  const double_pair s = two_sum(a, b);
  std::uint64_t bits = to_bits(s.hi);
  if (s.lo != 0 && (bits & 1) == 0) bits += (s.lo > 0) == (s.hi > 0) ? 1 : std::uint64_t{0} - 1;
  return from_bits<double>(bits);
}

// RN(a + b) in Out, rounded once, for a + b >= 0.
template <float_element Out>
inline Out round_once(double a, double b) noexcept {
  if constexpr (std::same_as<Out, double>) {
    return a + b;
  } else {
    return encode<Out>(round_to_odd(a, b));
  }
}

// RN(sqrt(a + b)) in Out for a + b > 0 in the pair range, moved by its own possible error, and that
// of the root of b's, in the direction of `sign`. With s = RN(a + b), y = RN(sqrt(s)) and
// w = a + b - y^2,
//
//   sqrt(a + b) - y = w / (2 y) (1 + e), |e| < 2^-52,
//
// and w is computed as the sum of s - y^2, of which only the last subtraction may round, and of
// a + b - s, exactly. Where y is the root of s itself, the sign of w is thus the right one.
template <float_element Out>
inline Out round_root_once(double a, double b, double error_of_b, double sign) noexcept {
  const double_pair s = two_sum(a, b);
  const double y = std::sqrt(s.hi);
  const double_pair square = two_product(y, y);
  const double rest = (s.hi - square.hi) - square.lo;
  const double w = rest + s.lo;
  const double slack = (std::fabs(rest) + std::fabs(w)) * 0x1p-48 + error_of_b;
  return round_once<Out>(y, (w + sign * slack) * (0.5 / y));
}

// The sign of the exact sum of some doubles, by two_sum until it shows; nothing where it does not
// soon. No sum of some of them overflows.
template <std::size_t N>
std::optional<int> sign_of_sum(std::array<double, N> terms) noexcept {
  for (std::size_t sweep = 0; sweep < 2 * N; ++sweep) {
    double rest = 0;
    for (std::size_t i = 1; i < N; ++i) {
      const double_pair s = two_sum(terms[i], terms[i - 1]);
      terms[i] = s.hi;
      terms[i - 1] = s.lo;
      rest += std::fabs(s.lo);
    }
    const double sum = terms.back();
    // As much as the roundings of `rest` could add.
    if (std::fabs(sum) > 2 * rest) return sum > 0 ? 1 : -1;
    if (sum == 0 && rest == 0) return 0;
  }
  return {};
}

// Which of two neighbouring doubles is the root's rounding, of the sum of the parts and of any rest
// between `from` and `to`: the square of their midpoint tells. low^2 is in the pair range.
inline std::optional<double> nearer_to_root(double low, double high,
                                            const std::array<double, most_cuts>& parts, double from,
                                            double to) noexcept {
  if (to_bits(high) - to_bits(low) != 1) return {};
  const double half = (high - low) / 2;
  const double_pair square = two_product(low, low);
  const auto beyond = [&](double rest) {
    return sign_of_sum<8>({parts[0], -square.hi, parts[1], -2 * half * low, parts[2], -square.lo,
                           rest, -half * half});
  };
  const std::optional<int> first = beyond(from), last = beyond(to);
  if (!first || !last) return {};
  if (*first > 0) return high;
  if (*last < 0) return low;
  if (*first != *last) return {};
  return to_bits(low) % 2 == 0 ? low : high;
}

}  // namespace detail

// If the rounding of the sum, or of its root, to Out is certain: stores it and returns true.
template <float_element Out>
bool settle_extracted(const extracted_sum& sum, extraction_error error, root root,
                      Out* out) noexcept {
  if (!sum.is_valid()) return false;
  if (sum.hi() == 0) {
    *out = from_bits<Out>(0);
    return sum.residue_bits == 0 && std::ranges::all_of(sum.parts, [](double p) { return p == 0; });
  }
  double low = sum.lo - error.absolute;
  double high = sum.lo + error.absolute + error.left_out;
  if (sum.residue_bits == 0) {
    low = high = 0;
  } else if ((sum.residue_bits & float_format<double>::sign_mask) == 0) {
    // As good as any number between zero and that: no midpoint or square of one is as close to the
    // sum of the parts, unless it is that.
    const double tiny = std::max(sum.hi() * 0x1p-200, std::numeric_limits<double>::denorm_min());
    low = std::max(sum.lo * (1 - error.relative), tiny);
    high = sum.lo * (1 + error.relative) + error.left_out;
  }
  // All but the first part.
  const double_pair later = two_sum(sum.parts[1], sum.parts[2]);
  // Three numbers are added up rightly if the last one is small beside the first.
  if (later.lo != 0 && std::max(std::fabs(low), std::fabs(high)) > std::fabs(later.hi) / 4) {
    return false;
  }
  const double below = detail::round_to_odd(later.hi, detail::round_to_odd(later.lo, low));
  const double above = detail::round_to_odd(later.hi, detail::round_to_odd(later.lo, high));
  // Odd doubles of this size are no midpoints of sums.
  constexpr double small = 0x1p-5;
  if (std::max(std::fabs(below), std::fabs(above)) > small * sum.hi()) return false;
  Out other;
  if (root == root::yes) {
    if (!in_pair_range(sum.hi())) return false;
    // Two of three numbers are zero, or their sum has been rounded.
    const auto error_of = [&later](double rest, double rounded) {
      const bool exact = later.hi == 0 || (later.lo == 0 && rest == 0);
      return exact ? 0 : std::fabs(rounded) * 0x1p-52;
    };
    *out = detail::round_root_once<Out>(sum.hi(), below, error_of(low, below), -1);
    other = detail::round_root_once<Out>(sum.hi(), above, error_of(high, above), 1);
    if constexpr (std::same_as<Out, double>) {
      if (*out == other) return true;
      const auto nearer = detail::nearer_to_root(*out, other, sum.parts, low, high);
      if (nearer) *out = other = *nearer;
    }
  } else {
    *out = detail::round_once<Out>(sum.hi(), below);
    other = detail::round_once<Out>(sum.hi(), above);
  }
  return to_bits(*out) == to_bits(other);
}

}  // namespace halfulp
