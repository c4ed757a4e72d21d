// The second tier: a sum by error-free extraction, and what it settles.
// SPDX-License-Identifier: Apache-2.0
//
// Each term is cut at one and the same unit. The parts above it add up exactly; what is left below
// it is added separately, and whether anything was left, and of which sign, is kept. That settles
// ties and sums right beside one, which no rounding test on an inexact sum can. (The method is the
// ExtractVector of Rump, Ogita and Oishi, Accurate floating-point summation, 2008, without the
// bits of the residues.) docs/numerics.md proves the bounds.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "accum/certificate.hpp"
#include "accum/encode.hpp"
#include "accum/error_free.hpp"
#include "accum/exact_finish.hpp"
#include "base/float_format.hpp"

namespace halfulp {

struct extracted_sum {
  double base = 0;                 // A power of two, more than every term and the sum.
  double hi = 0;                   // The sum of the upper parts, exactly.
  double lo = 0;                   // The sum of the residues, rounded.
  std::uint64_t residue_bits = 0;  // The bits of all residues, signs included, ORed.

  // Adds a sum to the same base.
  void merge(const extracted_sum& other) noexcept {
    hi += other.hi;
    lo += other.lo;
    residue_bits |= other.residue_bits;
  }
};

// A base for a sum that is at most `bound`: more than twice that, and at least so much that no
// residue that matters is lost to underflow. Infinity, with which nothing is settled, where there
// is no such double.
inline double extraction_base(double bound) noexcept {
  const double least = 4 * pair_range_lowest;
  const std::uint64_t exponent = to_bits(bound) & float_format<double>::infinity;
  return std::max(4 * from_bits<double>(exponent), least);
}

// How far lo may be off: absolute, and relative to it where no residue is negative.
struct extraction_error {
  double absolute;
  double relative;
};

// For `terms` residues of at most a unit of the grid, 2^-52 base, each, with at most `depth`
// additions on the way of each.
inline extraction_error error_of_extraction(double base, std::int64_t terms,
                                            std::int64_t depth) noexcept {
  const double relative = static_cast<double>(depth) * 0x1p-52;
  return {relative * static_cast<double>(terms) * (base * 0x1p-52), relative};
}

namespace detail {

// RN(a + b) in Out, rounded once, for a + b >= 0: the double nearest to the sum is made odd where
// it is not the sum itself, so that it cannot pass for a midpoint of Out.
template <float_element Out>
inline Out round_once(double a, double b) noexcept {
  const double_pair s = two_sum(a, b);
  if constexpr (std::same_as<Out, double>) {
    return s.hi;
  } else {
    std::uint64_t bits = to_bits(s.hi);
    if (s.lo != 0 && (bits & 1) == 0) bits += s.lo > 0 ? 1 : std::uint64_t{0} - 1;
    return encode<Out>(from_bits<double>(bits));
  }
}

// RN(sqrt(a + b)) in Out for a + b > 0 in the pair range, moved by its own possible error in the
// direction of `sign`. With s = RN(a + b), y = RN(sqrt(s)) and w = a + b - y^2,
//
//   sqrt(a + b) - y = w / (2 y) (1 + e), |e| < 2^-52,
//
// and w is computed as the sum of s - y^2, of which only the last subtraction may round, and of
// a + b - s, exactly. Where y is the root of s itself, the sign of w is thus the right one.
template <float_element Out>
inline Out round_root_once(double a, double b, double sign) noexcept {
  const double_pair s = two_sum(a, b);
  const double y = std::sqrt(s.hi);
  const double_pair square = two_product(y, y);
  const double rest = (s.hi - square.hi) - square.lo;
  const double w = rest + s.lo;
  const double slack = (std::fabs(rest) + std::fabs(w)) * 0x1p-48;
  return round_once<Out>(y, (w + sign * slack) * (0.5 / y));
}

}  // namespace detail

// If the rounding of the sum, or of its root, to Out is certain: stores it and returns true.
template <float_element Out>
bool settle_extracted(const extracted_sum& sum, extraction_error error, root root,
                      Out* out) noexcept {
  if (!std::isfinite(sum.hi) || !std::isfinite(sum.lo)) return false;
  if (sum.hi == 0) {
    *out = from_bits<Out>(0);
    return sum.residue_bits == 0;
  }
  double low = sum.lo - error.absolute;
  double high = sum.lo + error.absolute;
  if (sum.residue_bits == 0) {
    low = high = 0;
  } else if ((sum.residue_bits & float_format<double>::sign_mask) == 0) {
    low = sum.lo * (1 - error.relative);
    high = sum.lo * (1 + error.relative);
  }
  Out other;
  if (root == root::yes) {
    if (!in_pair_range(sum.hi)) return false;
    *out = detail::round_root_once<Out>(sum.hi, low, -1);
    other = detail::round_root_once<Out>(sum.hi, high, 1);
  } else {
    *out = detail::round_once<Out>(sum.hi, low);
    other = detail::round_once<Out>(sum.hi, high);
  }
  return to_bits(*out) == to_bits(other);
}

}  // namespace halfulp
