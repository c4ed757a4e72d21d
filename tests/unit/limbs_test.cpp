// Wide integers and integer roots against numbers of the plainest kind.
// SPDX-License-Identifier: Apache-2.0
#include "accum/limbs.hpp"

#include <gtest/gtest.h>

#include "accum/isqrt.hpp"
#include "numerics/support/check.hpp"
#include "numerics/support/random_source.hpp"
#include "oracle/natural.hpp"

namespace halfulp {
namespace {

using oracle::natural;
using oracle::random_source;

natural to_natural(uint128 v) {
  natural n(low_word(v));
  n.add_shifted(high_word(v), 64);
  return n;
}

natural to_natural(std::span<const std::uint64_t> limbs) {
  natural n;
  for (std::size_t i = 0; i < limbs.size(); ++i) n.add_shifted(limbs[i], 64 * i);
  return n;
}

// Sparse, dense, and with long runs of ones, so that carries travel.
std::uint64_t draw_word(random_source& random) {
  switch (random.below(4)) {
    case 0:
      return random.word();
    case 1:
      return ~std::uint64_t{0} << random.below(64);
    case 2:
      return ~std::uint64_t{0} >> random.below(64);
    default:
      return std::uint64_t{1} << random.below(64);
  }
}

uint128 draw_128(random_source& random) {
  return ((uint128{draw_word(random)} << 64) | draw_word(random)) >> random.below(128);
}

TEST(limb_arithmetic, add_shifted_and_merge_carry) {
  random_source random(1);
  for (int round = 0; round < oracle::scaled(300); ++round) {
    limbs<10> a, b;
    natural expected;
    for (int i = 0; i < 60; ++i) {
      const uint128 v = draw_128(random);
      const int shift = static_cast<int>(random.below(10 * 64 - 128 - 8));
      (i % 2 == 0 ? a : b).add_shifted(v, shift);
      expected.add_shifted(low_word(v), static_cast<std::size_t>(shift));
      expected.add_shifted(high_word(v), static_cast<std::size_t>(shift) + 64);
    }
    a += b;
    ASSERT_EQ(to_natural(a.words), expected);
  }
}

TEST(limb_arithmetic, add_shifted_reaches_the_last_limb) {
  limbs<2> a;
  a.add_shifted(1, 127);
  a.add_shifted(3, 64);
  EXPECT_EQ(a.words[0], 0u);
  EXPECT_EQ(a.words[1], (std::uint64_t{1} << 63) + 3);
}

TEST(limb_arithmetic, leading_bits) {
  random_source random(2);
  for (int round = 0; round < oracle::scaled(20000); ++round) {
    std::vector<std::uint64_t> words(1 + random.below(8));
    for (auto& word : words) word = random.below(3) == 0 ? 0 : draw_word(random);
    const natural whole = to_natural(words);
    const int exponent = static_cast<int>(random.between(-3000, 3000));
    const leading_64 l64 = leading_bits_64({words, exponent});
    const leading_128 l128 = leading_bits_128({words, exponent});
    ASSERT_EQ(bit_width(std::span<const std::uint64_t>(words)),
              static_cast<int>(whole.bit_length()));
    if (whole.is_zero()) {
      ASSERT_EQ(l64.significand, 0u);
      ASSERT_EQ(l128.significand, uint128{0});
      continue;
    }
    const auto check = [&](const natural& significand, int lead_exponent, bool sticky,
                           std::size_t width) {
      ASSERT_EQ(significand.bit_length(), width);
      const int shift = lead_exponent - exponent;
      if (shift <= 0) {
        ASSERT_EQ(significand, whole << static_cast<std::size_t>(-shift));
        ASSERT_FALSE(sticky);
      } else {
        ASSERT_EQ(significand, whole >> static_cast<std::size_t>(shift));
        ASSERT_EQ(sticky, whole.trailing_zero_bits() < static_cast<std::size_t>(shift));
      }
    };
    check(natural(l64.significand), l64.exponent, l64.sticky, 64);
    check(to_natural(l128.significand), l128.exponent, l128.sticky, 128);
  }
}

TEST(limb_arithmetic, compare_scaled) {
  random_source random(3);
  for (int round = 0; round < oracle::scaled(20000); ++round) {
    std::vector<std::uint64_t> words(1 + random.below(5));
    for (auto& word : words) word = random.below(3) == 0 ? 0 : draw_word(random);
    const std::uint64_t factor = draw_word(random);
    const int k = static_cast<int>(1 + random.below(2));
    natural left = to_natural(words) * natural(factor);
    if (k == 2) left = left * natural(factor);
    // A right side of the same size, from the left one's leading bits, hit or nearly.
    const std::size_t width = left.bit_length();
    const std::size_t drop = width > 128 ? width - 128 : 0;
    const natural top = left >> drop;
    const natural high = top >> 64;
    uint128 rhs = (uint128{high.low_64_bits()} << 64) | top.low_64_bits();
    rhs += static_cast<uint128>(random.below(3)) - 1;
    const natural right = to_natural(rhs) << drop;
    const int expected = left < right ? -1 : left == right ? 0 : 1;
    const int exponent = static_cast<int>(random.between(-2000, 2000));
    ASSERT_EQ(compare_scaled(factor, k, {words, exponent}, rhs, exponent + static_cast<int>(drop)),
              expected);
  }
}

TEST(integer_roots, is_the_floor_and_knows_squares) {
  random_source random(4);
  const auto check = [](uint128 v) {
    const root_64 r = integer_sqrt(v);
    const natural square = natural(r.root) * natural(r.root);
    natural next = square;  // (r + 1)^2 = r^2 + 2 r + 1
    next.add_shifted(r.root, 1);
    next.add_shifted(1, 0);
    ASSERT_LE(square, to_natural(v));
    ASSERT_GT(next, to_natural(v));
    ASSERT_EQ(r.exact, square == to_natural(v));
  };
  check(0);
  check(~uint128{0});
  for (int round = 0; round < oracle::scaled(100000); ++round) {
    check(draw_128(random));
    const std::uint64_t root = draw_word(random);
    const uint128 square = uint128{root} * root;
    check(square);
    check(square - 1);
    check(square + 1);
  }
}

TEST(integer_roots, low_bits_of_wide_roots) {
  random_source random(5);
  for (int round = 0; round < oracle::scaled(20000); ++round) {
    // root < 2^96, and v = root^2 + rest with rest <= 2 root.
    natural root(draw_word(random));
    root.add_shifted(random.word() >> 32 >> random.below(33), 64);
    natural v = root * root;
    switch (random.below(3)) {
      case 0:
        break;
      case 1:
        v.add_shifted(root.low_64_bits(), 0);
        break;
      default:
        v.add_shifted((root >> 64).low_64_bits(), 65);
        v.add_shifted(root.low_64_bits(), 1);
    }
    limbs<3> wide;
    for (std::size_t i = 0; i < 3; ++i) wide.words[i] = (v >> (64 * i)).low_64_bits();
    ASSERT_EQ(integer_sqrt_low_bits(wide), root.low_64_bits());
  }
}

}  // namespace
}  // namespace halfulp
