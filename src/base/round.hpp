// The one rounding: from an integer times a power of two to a floating-point type.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/float_format.hpp"

namespace halfulp {

// Rounds v = (significand + f) * 2^exponent to T, to nearest, ties to even, where f = 0, or some
// 0 < f < 1 if `sticky` is set. Past the largest finite value the result is infinity. Results in
// the subnormal range are rounded once, onto the subnormal grid.
//
// A sticky bit stands for something below the significand, so the significand must then reach below
// the half unit of the result: with sticky set, its bit width must exceed T's precision by at least
// one, or `exponent` must lie below T's min_exponent.
template <float_element T>
constexpr T round_to(std::uint64_t significand, int exponent, bool sticky = false) {
  using format = float_format<T>;
  using bits_type = typename format::bits_type;
  const int width = 64 - __builtin_clzll(significand | 1);

  // The unit of the result: p bits below the leading one, or the subnormal unit if that is larger.
  int unit = exponent + width - format::precision;
  if (unit < format::min_exponent) unit = format::min_exponent;
  const int shift = unit - exponent;

  std::uint64_t kept = significand;
  if (shift > 0) {
    std::uint64_t half = 0;
    std::uint64_t rest = significand;
    if (shift <= 64) {
      kept = shift == 64 ? 0 : significand >> shift;
      half = std::uint64_t{1} << (shift - 1);
      rest = significand & (half | (half - 1));
    } else {
      // Less than half a unit: v < 2^64 * 2^exponent <= 2^(unit - 1).
      kept = 0;
      rest = 0;
    }
    if (half != 0 && (rest > half || (rest == half && (sticky || (kept & 1) != 0)))) ++kept;
  } else {
    kept = significand << -shift;  // -shift < precision, since width + (-shift) <= precision
  }

  // `kept` units, at most 2^p. Adding it to the exponent field one below carries by itself from the
  // subnormals to the normals and from one binade to the next.
  if (kept >> format::fraction_bits == 0) return from_bits<T>(static_cast<bits_type>(kept));
  const int field = unit - format::min_exponent;
  if (field > format::max_exponent - format::min_exponent) return infinity<T>();
  const std::uint64_t bits = (static_cast<std::uint64_t>(field) << format::fraction_bits) + kept;
  return from_bits<T>(bits >= format::infinity ? format::infinity : static_cast<bits_type>(bits));
}

}  // namespace halfulp
