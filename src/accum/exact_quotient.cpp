// SPDX-License-Identifier: Apache-2.0
#include "accum/exact_quotient.hpp"

#include <algorithm>

#include "accum/exact_finish.hpp"

namespace halfulp {

exact_divisor::exact_divisor(const dyadic& sum, int k) noexcept
    : size_(sum.limbs.size()), exponent_(sum.exponent), k_(k) {
  std::copy(sum.limbs.begin(), sum.limbs.end(), words_.begin());
  lead_ = k == 1 ? leading_bits_64(power()) : leading_bits_of_sqrt(power());
}

exact_divisor::exact_divisor(double eps) noexcept : size_(1), k_(1) {
  const decomposed d = decompose(eps);
  words_[0] = d.significand;
  exponent_ = d.exponent;
  lead_ = leading_bits_64(power());
}

bool exact_divisor::is_below(double eps) const noexcept {
  const decomposed d = decompose(eps);
  const uint128 eps_power =
      k_ == 1 ? uint128{d.significand} : uint128{d.significand} * d.significand;
  return compare_scaled(1, 1, power(), eps_power, k_ * d.exponent) < 0;
}

leading_64 exact_divisor::divide(const decomposed& x, int precision,
                                 int min_exponent) const noexcept {
  if (x.significand == 0) return {0, 0, false};

  // Scale both significands to 64 bits: |x| = X 2^a, N = (T + f) 2^b, 0 <= f < 1, and
  //   |x| / N = Q 2^(a - b - 63),  Q = X 2^63 / (T + f),  2^62 < Q <= 2^64 - 1 for X < 2^64 <= 2 T.
  const int shift = 64 - bit_width(x.significand);
  const std::uint64_t scaled = x.significand << shift;
  const uint128 dividend = uint128{scaled} << 63;
  const auto floor_quotient = static_cast<std::uint64_t>(dividend / lead_.significand);
  const int exponent = x.exponent - shift - lead_.exponent - 63;
  if (!lead_.sticky) {
    const bool rest = uint128{floor_quotient} * lead_.significand != dividend;
    return {floor_quotient, exponent, rest};
  }

  // With q = floor(X 2^63 / T) and T >= 2^63, Q > q (1 - 1/T) - ... : replacing T by T + f lowers
  // X 2^63 / T by less than X 2^63 / T^2 <= 2, so q - 2 <= floor(Q) <= q and Q < q + 1. If no
  // boundary between two roundings (a multiple of half a unit of the result) lies in [q - 2, q +
  // 1], any value in there rounds alike.
  const std::uint64_t lowest = floor_quotient - 2;
  const int unit = std::max(exponent + bit_width(lowest) - precision, min_exponent) - exponent;
  // Half units are 2^(unit - 1) >= 2^8 here, since precision <= 53 and bit_width(lowest) >= 62.
  if (unit > 64) return {lowest, exponent, true};  // below half of the smallest result
  const std::uint64_t below_half = (std::uint64_t{1} << (unit - 1)) - 1;
  if ((lowest & below_half) != 0 && (lowest & below_half) <= below_half - 3) {
    return {lowest, exponent, true};
  }

  // Exactly: the largest c with c N <= |x| 2^(63 - ...), that is c^k N^k <= (X 2^63)^k in the scale
  // of N. Its order with |x| / N is that of the k-th powers.
  const uint128 x_power = k_ == 1 ? uint128{scaled} : uint128{scaled} * scaled;
  const int x_exponent = k_ * (x.exponent - shift - exponent);
  for (std::uint64_t c = floor_quotient;; --c) {
    const int order = compare_scaled(c, k_, power(), x_power, x_exponent);
    if (order <= 0) return {c, exponent, order < 0};
  }
}

}  // namespace halfulp
