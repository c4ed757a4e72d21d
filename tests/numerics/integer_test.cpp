// Integers at their limits, with results known beforehand.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "numerics/support/check.hpp"

namespace oracle {
namespace {

template <typename Out = void, typename T>
auto reduce(halfulp::op op, const std::vector<T>& data) {
  using output = std::conditional_t<std::is_void_v<Out>, T, Out>;
  halfulp::options options;
  options.output_type = halfulp::dtype_of<output>;
  const auto view =
      halfulp::view_of(std::span<const T>(data), {static_cast<std::int64_t>(data.size())});
  const halfulp::tensor result = halfulp::compute(op, view, options);
  return result.elements<output>()[0];
}

constexpr auto l1 = halfulp::op::reduce_l1;
constexpr auto l2 = halfulp::op::reduce_l2;
constexpr auto square = halfulp::op::reduce_sum_square;

constexpr std::int32_t min32 = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t min64 = std::numeric_limits<std::int64_t>::min();
constexpr std::uint32_t max_u32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t max_u64 = std::numeric_limits<std::uint64_t>::max();

TEST(integers, magnitude_of_the_most_negative_one_wraps) {
  EXPECT_EQ(reduce(l1, std::vector{min32}), min32);
  EXPECT_EQ(reduce(l1, std::vector{min64}), min64);
  EXPECT_EQ(reduce(l1, std::vector{min32, min32}), 0);
  EXPECT_EQ(reduce(l1, std::vector{min32, 1}), min32 + 1);
  EXPECT_EQ(reduce(l2, std::vector{min32}), min32);
  EXPECT_EQ(reduce(l2, std::vector{min64}), min64);
  EXPECT_EQ(reduce(square, std::vector{min32}), 0);
  EXPECT_EQ(reduce(square, std::vector{min64}), 0);
}

TEST(integers, wider_output_keeps_the_exact_sum) {
  EXPECT_EQ((reduce<std::int64_t>(l1, std::vector{min32, min32})), std::int64_t{1} << 32);
  EXPECT_EQ((reduce<std::uint32_t>(l1, std::vector{min32})), std::uint32_t{1} << 31);
  EXPECT_EQ((reduce<std::uint64_t>(square, std::vector{min32})), std::uint64_t{1} << 62);
  EXPECT_EQ((reduce<std::uint64_t>(square, std::vector(4, min32))), 0u);
  EXPECT_EQ((reduce<double>(square, std::vector(4, min32))), 0x1p64);
  EXPECT_EQ((reduce<double>(square, std::vector(4, min64))), 0x1p128);
  EXPECT_EQ((reduce<float>(square, std::vector(4, min64))), std::numeric_limits<float>::infinity());
  EXPECT_EQ((reduce<float>(l2, std::vector(4, min64))), 0x1p64f);
  EXPECT_EQ((reduce<double>(l1, std::vector(3, max_u64))), 0x1.8p65);
}

TEST(integers, narrower_output_is_the_low_part) {
  EXPECT_EQ((reduce<std::int32_t>(l1, std::vector{std::int64_t{-1} << 40, std::int64_t{7}})), 7);
  EXPECT_EQ((reduce<std::uint32_t>(square, std::vector{max_u64})), 1u);
  EXPECT_EQ((reduce<std::int32_t>(l2, std::vector{max_u64})), -1);
}

TEST(integers, root_is_of_the_exact_sum_of_squares) {
  // The wrapped sum of squares would be 0, 0 and 2.
  EXPECT_EQ(reduce(l2, std::vector{65536}), 65536);
  EXPECT_EQ(reduce(l2, std::vector(4, 32768)), 65536);
  EXPECT_EQ(reduce(l2, std::vector{max_u32, max_u32}),
            1779033702u);  // floor(sqrt(2) (2^32 - 1)) - 2^32
  EXPECT_EQ(reduce(l2, std::vector{max_u64}), max_u64);
  EXPECT_EQ(reduce(l2, std::vector(4, max_u64)), max_u64 - 1);  // 2^65 - 2
  EXPECT_EQ(reduce(l2, std::vector(9, std::int64_t{3037000500})), 9111001500);
}

TEST(integers, root_is_the_floor) {
  for (std::int32_t n = 1; n <= 3000; ++n) {
    // n copies of 1, and n^2 - 1 and n^2 + 1 as sums of squares.
    EXPECT_EQ(reduce(l2, std::vector{n}), n);
    EXPECT_EQ(reduce(l2, std::vector{n, 1}), n == 0 ? 1 : n) << n;
  }
  EXPECT_EQ(reduce(l2, std::vector(8, 1)), 2);
  EXPECT_EQ(reduce(l2, std::vector(9, 1)), 3);
  EXPECT_EQ(reduce(l2, std::vector(15, std::int64_t{1})), 3);
  EXPECT_EQ(reduce(l2, std::vector(9, -5)), 15);
  EXPECT_EQ((reduce<float>(l2, std::vector{1, 1})), 1.41421353816986083984375f);
  EXPECT_EQ((reduce<double>(l2, std::vector{1, 1})), 0x1.6a09e667f3bcdp0);
}

TEST(integers, no_low_bit_is_lost) {
  EXPECT_EQ(reduce(l1, std::vector{std::int64_t{1} << 53, std::int64_t{1}}),
            (std::int64_t{1} << 53) + 1);
  EXPECT_EQ((reduce<double>(l1, std::vector{std::int64_t{1} << 53, std::int64_t{1}})), 0x1p53);
  EXPECT_EQ(
      (reduce<double>(l1, std::vector{std::int64_t{1} << 53, std::int64_t{1}, std::int64_t{1}})),
      0x1p53 + 2);
  EXPECT_EQ((reduce<float>(l1, std::vector{1 << 24, 1})), 0x1p24f);
  EXPECT_EQ((reduce<float>(l1, std::vector{1 << 24, 1, 1})), 0x1p24f + 2);
}

TEST(integers, empty_sets_are_zero) {
  EXPECT_EQ(reduce(l1, std::vector<std::int32_t>{}), 0);
  EXPECT_EQ(reduce(l2, std::vector<std::uint64_t>{}), 0u);
  EXPECT_EQ((reduce<float>(square, std::vector<std::int64_t>{})), 0.0f);
}

TEST(integers, long_sums_of_squares_need_more_than_128_bits) {
  // 2^21 squares of 2^64 - 1: S = 2^21 (2^64 - 1)^2, root = 2^10 sqrt(2) (2^64 - 1).
  const std::vector<std::uint64_t> data(std::size_t{1} << 21, max_u64);
  EXPECT_EQ((reduce<double>(square, data)), 0x1p149);
  EXPECT_EQ((reduce<double>(l2, data)), 0x1.6a09e667f3bcdp74);
  // Wrapped, (2^64 - 1)^2 is 1.
  EXPECT_EQ(reduce(square, data), std::uint64_t{1} << 21);
  EXPECT_EQ(reduce(l1, data), std::uint64_t{0} - (std::uint64_t{1} << 21));
}

}  // namespace
}  // namespace oracle
