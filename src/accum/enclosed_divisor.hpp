// A divisor of which an approximation is known, between two exact ones.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "accum/certificate.hpp"
#include "accum/exact_quotient.hpp"
#include "accum/exact_sum.hpp"
#include "accum/power.hpp"

namespace halfulp {

// N = S^(1/k), k = 1 or 2, for |S - (hi + lo)| <= bound (hi + lo), hi in the pair range. Settles in
// integers what a test in doubles leaves open for its own roundings, if the bound is at most
// largest_bound. docs/numerics.md, "The quotients", has the proof.
class enclosed_divisor {
 public:
  static constexpr double largest_bound = 0x1p-60;

  enclosed_divisor(const approximate_sum& sum, double bound, power k)
      : enclosed_divisor(normalize(sum), bound, static_cast<int>(k)) {}

  // RN(|x| / N), if the quotients by both ends round alike: the quotient falls as N rises, and RN
  // is monotone.
  template <float_element Out>
  std::optional<Out> quotient(const decomposed& x) const noexcept {
    const Out q = least_.quotient<Out>(x);
    if (to_bits(q) != to_bits(largest_.quotient<Out>(x))) return std::nullopt;
    return q;
  }

 private:
  // 2^-100 pays for the roundings of an end, some 2^-102 of it.
  enclosed_divisor(const double_pair& s, double bound, int k)
      : least_(end(s, -s.hi * (bound + 0x1p-100), k)),
        largest_(end(s, s.hi * (bound + 0x1p-100), k)) {}

  // (hi + lo + room)^(1/k), as a sum of two positive numbers, the first somewhat smaller than hi.
  static exact_divisor end(const double_pair& s, double room, int k) noexcept {
    const double head = s.hi * (1 - 0x1p-50);
    const double parts[] = {head, (s.hi - head) + (s.lo + room)};
    exact_sum<double, power::abs> end;
    end.add(reinterpret_cast<const std::byte*>(parts), 2, sizeof(double));
    return exact_divisor(end.value(), k);
  }

  exact_divisor least_, largest_;
};

}  // namespace halfulp
