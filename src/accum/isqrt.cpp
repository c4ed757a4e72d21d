// SPDX-License-Identifier: Apache-2.0
#include "accum/isqrt.hpp"

#include <cmath>

namespace halfulp {

root_64 integer_sqrt(uint128 v) noexcept {
  if (v == 0) return {0, true};
  // Two Newton steps from above. With v scaled so that its root has 64 bits, the first guess g0 has
  // a relative error of at most 2^-51, so one step of g = (g + v / g) / 2 leaves it within
  // 2^-103 * 2^64 + 1 of the root: the loops below run at most a few times.
  const int shift = (128 - bit_width(v)) & ~1;
  const uint128 scaled = v << shift;
  const double top = static_cast<double>(high_word(scaled));
  const double guess = std::sqrt(top) * 0x1p32;
  std::uint64_t g = guess >= 0x1p64 ? ~std::uint64_t{0} : static_cast<std::uint64_t>(guess);
  const uint128 quotient = scaled / g;
  const uint128 mean = (uint128{g} + quotient) >> 1;
  g = high_word(mean) != 0 ? ~std::uint64_t{0} : low_word(mean);
  while (uint128{g} * g > scaled) --g;
  while (g != ~std::uint64_t{0} && scaled - uint128{g} * g > 2 * uint128{g}) ++g;
  const std::uint64_t root = g >> (shift / 2);
  return {root, uint128{root} * root == v};
}

std::uint64_t integer_sqrt_low_bits(const limbs<3>& v) noexcept {
  // The root has at most 96 bits. Its upper part is the root of the upper part of v; the 32 bits
  // below follow one at a time, as in the schoolbook method: with root r of the leading bits and
  // remainder d, the next bit is set iff d' >= 4 r + 1, where d' brings down two more bits.
  const uint128 top = (uint128{v.words[2]} << 64) | v.words[1];
  const std::uint64_t high = integer_sqrt(top).root;
  uint128 root = high;
  uint128 remainder = top - uint128{high} * high;  // at most 2 * high, so below 2^66
  for (int bit = 62; bit >= 0; bit -= 2) {
    remainder = (remainder << 2) | ((v.words[0] >> bit) & 3);  // below 2^100
    const uint128 trial = (root << 2) | 1;
    root <<= 1;
    if (remainder >= trial) {
      remainder -= trial;
      root |= 1;
    }
  }
  return low_word(root);
}

}  // namespace halfulp
