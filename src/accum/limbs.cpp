// SPDX-License-Identifier: Apache-2.0
#include "accum/limbs.hpp"

#include <algorithm>

namespace halfulp {

namespace {

// 64 bits of the integer from bit `position` on, which may be negative; bits outside are zero.
std::uint64_t word_at(std::span<const std::uint64_t> limbs, int position) noexcept {
  const int index = position >= 0 ? position / 64 : -((63 - position) / 64);
  const int offset = position - 64 * index;
  const auto limb = [&](int i) {
    return i >= 0 && i < static_cast<int>(limbs.size()) ? limbs[static_cast<std::size_t>(i)] : 0;
  };
  const std::uint64_t low = limb(index) >> offset;
  return offset == 0 ? low : low | (limb(index + 1) << (64 - offset));
}

bool any_bit_below(std::span<const std::uint64_t> limbs, int position) noexcept {
  for (int i = 0; 64 * i < position; ++i) {
    const std::uint64_t word = limbs[static_cast<std::size_t>(i)];
    const int rest = position - 64 * i;
    if ((rest >= 64 ? word : word & ((std::uint64_t{1} << rest) - 1)) != 0) return true;
  }
  return false;
}

}  // namespace

int bit_width(std::span<const std::uint64_t> limbs) noexcept {
  for (std::size_t i = limbs.size(); i-- > 0;) {
    if (limbs[i] != 0) return static_cast<int>(64 * i) + bit_width(limbs[i]);
  }
  return 0;
}

leading_64 leading_bits_64(const dyadic& value) noexcept {
  const int shift = bit_width(value.limbs) - 64;
  if (shift == -64) return {0, value.exponent, false};
  return {word_at(value.limbs, shift), value.exponent + shift, any_bit_below(value.limbs, shift)};
}

leading_128 leading_bits_128(const dyadic& value) noexcept {
  const int shift = bit_width(value.limbs) - 128;
  if (shift == -128) return {0, value.exponent, false};
  const uint128 significand =
      (uint128{word_at(value.limbs, shift + 64)} << 64) | word_at(value.limbs, shift);
  return {significand, value.exponent + shift, any_bit_below(value.limbs, shift)};
}

int compare_scaled(std::uint64_t factor, int k, const dyadic& value, uint128 rhs,
                   int rhs_exponent) noexcept {
  std::array<std::uint64_t, max_limbs + 2> product{};
  std::copy(value.limbs.begin(), value.limbs.end(), product.begin());
  std::size_t size = value.limbs.size();
  for (; k > 0; --k) {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < size; ++i) {
      const uint128 t = uint128{product[i]} * factor + carry;
      product[i] = low_word(t);
      carry = high_word(t);
    }
    product[size++] = carry;
  }

  // Both sides with their top bit at bit 127.
  const leading_128 left = leading_bits_128({std::span(product).first(size), value.exponent});
  if (left.significand == 0 || rhs == 0) return int{left.significand != 0} - int{rhs != 0};
  const int shift = 128 - bit_width(rhs);
  const int right_exponent = rhs_exponent - shift;
  rhs <<= shift;
  if (left.exponent != right_exponent) return left.exponent < right_exponent ? -1 : 1;
  if (left.significand != rhs) return left.significand < rhs ? -1 : 1;
  return left.sticky ? 1 : 0;
}

}  // namespace halfulp
