// The two roundings, from integers and from doubles, against the processor and each other.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "accum/encode.hpp"
#include "base/round.hpp"
#include "numerics/support/check.hpp"
#include "numerics/support/random_source.hpp"

namespace halfulp {
namespace {

template <typename T>
class rounding : public testing::Test {};
using tested_types = testing::Types<bfloat16, float16, float, double>;
TYPED_TEST_SUITE(rounding, tested_types);

// Magnitudes that name themselves: rounding a value that is one changes nothing.
TYPED_TEST(rounding, keeps_what_the_type_holds) {
  using format = float_format<TypeParam>;
  oracle::random_source random(1);
  const bool narrow = format::width == 16;
  const int count = narrow ? format::infinity : oracle::scaled(200000);
  for (int i = 0; i < count; ++i) {
    const auto bits = static_cast<typename format::bits_type>(
        narrow ? static_cast<std::uint64_t>(i) : random.word() % format::infinity);
    const auto value = from_bits<TypeParam>(bits);
    const decomposed d = decompose(value);
    ASSERT_EQ(to_bits(round_to<TypeParam>(d.significand, d.exponent)), bits);
    // The same value written with other significands.
    ASSERT_EQ(to_bits(round_to<TypeParam>(d.significand << 8, d.exponent - 8)), bits);
  }
}

// Around every boundary between two roundings: the midpoint itself goes to the even neighbour, what
// is just below or above to the neighbour there.
TYPED_TEST(rounding, decides_at_midpoints) {
  using format = float_format<TypeParam>;
  oracle::random_source random(2);
  const bool narrow = format::width == 16;
  const int count = narrow ? format::infinity : oracle::scaled(200000);
  for (int i = 0; i < count; ++i) {
    const auto below = static_cast<typename format::bits_type>(
        narrow ? static_cast<std::uint64_t>(i) : random.word() % format::infinity);
    const auto above = static_cast<typename format::bits_type>(below + 1);
    const auto even = (below & 1) == 0 ? below : above;
    const decomposed d = decompose(from_bits<TypeParam>(below));
    const std::uint64_t midpoint = 2 * d.significand + 1;  // in units of 2^(exponent - 1)
    ASSERT_EQ(to_bits(round_to<TypeParam>(midpoint << 9, d.exponent - 10)), even);
    ASSERT_EQ(to_bits(round_to<TypeParam>(midpoint << 9, d.exponent - 10, true)), above);
    ASSERT_EQ(to_bits(round_to<TypeParam>((midpoint << 9) + 1, d.exponent - 10)), above);
    ASSERT_EQ(to_bits(round_to<TypeParam>((midpoint << 9) - 1, d.exponent - 10)), below);
    ASSERT_EQ(to_bits(round_to<TypeParam>((midpoint << 9) - 1, d.exponent - 10, true)), below);
  }
}

TYPED_TEST(rounding, reaches_zero_and_infinity) {
  using format = float_format<TypeParam>;
  const std::uint64_t top = std::uint64_t{1} << 63;
  EXPECT_EQ(to_bits(round_to<TypeParam>(0, 100)), 0);
  EXPECT_EQ(to_bits(round_to<TypeParam>(0, -5000)), 0);
  EXPECT_EQ(to_bits(round_to<TypeParam>(top, -5000, true)), 0);
  EXPECT_EQ(to_bits(round_to<TypeParam>(top, 5000)), format::infinity);
  EXPECT_EQ(to_bits(round_to<TypeParam>(1, format::max_exponent + format::precision)),
            format::infinity);
  // Half of the smallest subnormal is a tie with zero.
  EXPECT_EQ(to_bits(round_to<TypeParam>(1, format::min_exponent - 1)), 0);
  EXPECT_EQ(to_bits(round_to<TypeParam>(top, format::min_exponent - 64, true)), 1);
  EXPECT_EQ(to_bits(round_to<TypeParam>(top - 1, format::min_exponent - 64, true)), 0);
}

TEST(rounding, agrees_with_the_processor) {
  oracle::random_source random(3);
  for (int i = 0; i < oracle::scaled(1000000); ++i) {
    const std::uint64_t significand = random.word() >> random.below(64);
    const int exponent = static_cast<int>(random.between(-250, 130));
    const double scaled =
        std::ldexp(static_cast<double>(significand & ((1ull << 53) - 1)), exponent);
    ASSERT_EQ(to_bits(round_to<float>(significand & ((1ull << 53) - 1), exponent)),
              to_bits(static_cast<float>(scaled)));
    ASSERT_EQ(to_bits(round_to<double>(significand, 0)), to_bits(static_cast<double>(significand)));
  }
}

template <typename T>
class encoding : public testing::Test {};
using narrow_types = testing::Types<bfloat16, float16, float>;
TYPED_TEST_SUITE(encoding, narrow_types);

TYPED_TEST(encoding, agrees_with_round_to_everywhere) {
  using format = float_format<TypeParam>;
  const auto check = [](double v) {
    const decomposed d = decompose(v);
    ASSERT_EQ(to_bits(encode<TypeParam>(v)),
              to_bits(round_to<TypeParam>(d.significand, d.exponent)))
        << v;
  };
  oracle::random_source random(4);
  const int count = format::width == 16 ? format::infinity : oracle::scaled(300000);
  for (int i = 0; i < count; ++i) {
    const auto bits = static_cast<typename format::bits_type>(
        format::width == 16 ? static_cast<std::uint64_t>(i) : random.word() % format::infinity);
    const decomposed d = decompose(from_bits<TypeParam>(bits));
    const double midpoint = std::ldexp(static_cast<double>(2 * d.significand + 1), d.exponent - 1);
    for (const double v : {midpoint, std::nextafter(midpoint, 0.0), std::nextafter(midpoint, 1e300),
                           std::ldexp(static_cast<double>(d.significand), d.exponent)}) {
      check(v);
    }
    check(from_bits<double>(random.word() % float_format<double>::infinity));
  }
  EXPECT_EQ(to_bits(encode<TypeParam>(HUGE_VAL)), format::infinity);
  EXPECT_EQ(to_bits(encode<TypeParam>(0.0)), 0);
}

}  // namespace
}  // namespace halfulp
