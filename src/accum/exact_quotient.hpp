// The exact divisor of LpNormalization and the quotient by it, rounded once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "accum/exact_sum.hpp"
#include "accum/limbs.hpp"
#include "base/round.hpp"

namespace halfulp {

// N > 0, exactly: a dyadic number, or the square root of one.
class exact_divisor {
 public:
  // sum^(1/k), k = 1 or 2. The sum is not zero.
  exact_divisor(const dyadic& sum, int k) noexcept;

  // eps, which is positive and finite.
  explicit exact_divisor(double eps) noexcept;

  // Whether N is below eps, which is positive and finite.
  bool is_below(double eps) const noexcept;

  // RN(|x| / N) for |x| = significand * 2^exponent.
  template <float_element Out>
  Out quotient(const decomposed& x) const noexcept {
    const leading_64 lead =
        divide(x, float_format<Out>::precision, float_format<Out>::min_exponent);
    return round_to<Out>(lead.significand, lead.exponent, lead.sticky);
  }

 private:
  // The leading bits of |x| / N, as exact as the rounding to `precision` bits above 2^min_exponent
  // needs.
  leading_64 divide(const decomposed& x, int precision, int min_exponent) const noexcept;

  dyadic power() const noexcept { return {std::span(words_).first(size_), exponent_}; }

  std::array<std::uint64_t, max_limbs> words_;  // N^k, in units of 2^exponent_
  std::size_t size_;
  int exponent_;
  int k_;
  leading_64 lead_;  // of N
};

}  // namespace halfulp
