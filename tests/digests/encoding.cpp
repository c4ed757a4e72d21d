// SPDX-License-Identifier: Apache-2.0
#include "digests/encoding.hpp"

#include <bit>

namespace digests {

using halfulp::dtype;

std::uint64_t encoding::assemble(bool negative, int exponent_field,
                                 std::uint64_t fraction) const noexcept {
  return std::uint64_t{negative} << (bits - 1) |
         static_cast<std::uint64_t>(exponent_field) << fraction_bits | fraction;
}

std::uint64_t encoding::encode(bool negative, std::uint64_t significand,
                               int exponent) const noexcept {
  if (significand == 0) return assemble(negative, 0, 0);
  // The leading bit at position 63.
  const int zeros = std::countl_zero(significand);
  significand <<= zeros;
  int field = exponent - zeros + 63 + bias();
  if (field >= top_exponent()) return assemble(negative, top_exponent() - 1, fraction_mask());
  int shift = 63 - fraction_bits;
  if (field < 1) {
    // A subnormal number has no implicit bit.
    shift += 1 - field;
    field = 0;
    if (shift > 63) return assemble(negative, 0, 0);
  }
  return assemble(negative, field, significand >> shift & fraction_mask());
}

encoding encoding_of(dtype type) {
  const int bits = 8 * static_cast<int>(halfulp::size_of(type));
  switch (type) {
    case dtype::bfloat16:
      return {bits, true, 7};
    case dtype::float16:
      return {bits, true, 10};
    case dtype::float32:
      return {bits, true, 23};
    case dtype::float64:
      return {bits, true, 52};
    case dtype::int32:
    case dtype::int64:
      return {bits, true, 0};
    case dtype::uint32:
    case dtype::uint64:
      break;
  }
  return {bits, false, 0};
}

}  // namespace digests
