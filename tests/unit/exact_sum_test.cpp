// The superaccumulator: one canonical object for a sum, however it was put together.
// SPDX-License-Identifier: Apache-2.0
#include "accum/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <random>

#include "numerics/support/check.hpp"
#include "numerics/support/random_source.hpp"
#include "oracle/natural.hpp"

namespace halfulp {
namespace {

using oracle::natural;
using oracle::random_source;

template <typename T>
T draw_finite(random_source& random) {
  if constexpr (float_element<T>) {
    using format = float_format<T>;
    using bits = typename format::bits_type;
    const auto magnitude = static_cast<bits>(random.word() % format::infinity);
    return with_sign(from_bits<T>(magnitude), random.below(2) == 1);
  } else {
    return static_cast<T>(random.word());
  }
}

template <typename T, power P>
exact_sum<T, P> sum_of(const std::vector<T>& x) {
  exact_sum<T, P> sum;
  sum.add(reinterpret_cast<const std::byte*>(x.data()), static_cast<std::int64_t>(x.size()),
          sizeof(T));
  return sum;
}

// The sum in the stored unit, from definitions.
template <typename T, power P>
natural plain_sum(const std::vector<T>& x) {
  natural sum;
  for (const T v : x) {
    std::uint64_t significand = 0;
    std::size_t shift = 0;
    if constexpr (float_element<T>) {
      const decomposed d = decompose(v);
      significand = d.significand;
      shift = static_cast<std::size_t>(d.exponent - float_format<T>::min_exponent);
    } else {
      significand = v < 0 ? 0 - static_cast<std::uint64_t>(v) : static_cast<std::uint64_t>(v);
    }
    if (P == power::abs) {
      sum.add_shifted(significand, shift);
    } else {
      sum.add_square_shifted(significand, 2 * shift);
    }
  }
  return sum;
}

template <typename T, power P>
natural stored(const exact_sum<T, P>& sum) {
  natural n;
  const auto& words = sum.integer().words;
  for (std::size_t i = 0; i < words.size(); ++i) n.add_shifted(words[i], 64 * i);
  return n;
}

template <typename Case>
class exact_sums : public testing::Test {};

template <typename T, power P>
struct sum_case {
  using type = T;
  static constexpr power value = P;
};
using cases =
    testing::Types<sum_case<bfloat16, power::abs>, sum_case<bfloat16, power::square>,
                   sum_case<float16, power::abs>, sum_case<float16, power::square>,
                   sum_case<float, power::abs>, sum_case<float, power::square>,
                   sum_case<double, power::abs>, sum_case<double, power::square>,
                   sum_case<std::int32_t, power::abs>, sum_case<std::int32_t, power::square>,
                   sum_case<std::int64_t, power::abs>, sum_case<std::int64_t, power::square>,
                   sum_case<std::uint32_t, power::abs>, sum_case<std::uint32_t, power::square>,
                   sum_case<std::uint64_t, power::abs>, sum_case<std::uint64_t, power::square>>;
TYPED_TEST_SUITE(exact_sums, cases);

TYPED_TEST(exact_sums, is_exact_for_short_and_long_runs) {
  using T = typename TypeParam::type;
  random_source random(1);
  for (const std::size_t n :
       {0, 1, 2, 15, 16, 31, 32, 33, 63, 64, 65, 127, 128, 129, 1023, 1024, 3000}) {
    std::vector<T> x(n);
    for (auto& v : x) v = draw_finite<T>(random);
    ASSERT_EQ(stored(sum_of<T, TypeParam::value>(x)), (plain_sum<T, TypeParam::value>(x)));
  }
}

TYPED_TEST(exact_sums, is_canonical) {
  using T = typename TypeParam::type;
  constexpr power P = TypeParam::value;
  random_source random(2);
  std::vector<T> x(5000);
  for (auto& v : x) v = draw_finite<T>(random);
  const auto whole = sum_of<T, P>(x);
  for (int round = 0; round < oracle::scaled(20); ++round) {
    std::shuffle(x.begin(), x.end(), std::mt19937_64(random.word()));
    const auto at = static_cast<std::ptrdiff_t>(random.below(x.size()));
    auto left = sum_of<T, P>(std::vector<T>(x.begin(), x.begin() + at));
    const auto right = sum_of<T, P>(std::vector<T>(x.begin() + at, x.end()));
    left.merge(right);
    ASSERT_EQ(left, whole);
  }
}

TYPED_TEST(exact_sums, reads_any_stride_and_alignment) {
  using T = typename TypeParam::type;
  constexpr power P = TypeParam::value;
  random_source random(3);
  std::vector<T> x(2500);
  for (auto& v : x) v = draw_finite<T>(random);
  constexpr std::size_t step = sizeof(T) + 3;
  std::vector<std::byte> memory(x.size() * step + 1);
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::memcpy(memory.data() + 1 + i * step, &x[i], sizeof(T));
  }
  exact_sum<T, P> forward, backward, repeated;
  forward.add(memory.data() + 1, 2500, static_cast<std::int64_t>(step));
  backward.add(memory.data() + 1 + 2499 * step, 2500, -static_cast<std::int64_t>(step));
  EXPECT_EQ(forward, (sum_of<T, P>(x)));
  EXPECT_EQ(backward, forward);
  repeated.add(memory.data() + 1, 1500, 0);
  EXPECT_EQ(repeated, (sum_of<T, P>(std::vector<T>(1500, x[0]))));
}

// More of them than bins have room for.
TYPED_TEST(exact_sums, largest_terms_many_times) {
  using T = typename TypeParam::type;
  constexpr power P = TypeParam::value;
  T largest;
  if constexpr (float_element<T>) {
    largest = from_bits<T>(
        static_cast<typename float_format<T>::bits_type>(float_format<T>::infinity - 1));
  } else {
    largest = std::numeric_limits<T>::is_signed ? std::numeric_limits<T>::min()
                                                : std::numeric_limits<T>::max();
  }
  exact_sum<T, P> sum;
  const std::int64_t n = (1 << 17) + 5;
  sum.add(reinterpret_cast<const std::byte*>(&largest), n, 0);
  const natural one = plain_sum<T, P>({largest});
  EXPECT_EQ(stored(sum), one * natural(static_cast<std::uint64_t>(n)));
  // Doubling it up to 2^63 terms fills the headroom and no more.
  for (int terms = 18; terms <= 63; ++terms) sum.merge(exact_sum<T, P>(sum));
  EXPECT_EQ(stored(sum), (one * natural(static_cast<std::uint64_t>(n))) << 46);
}

template <typename T>
class exact_sum_specials : public testing::Test {};
using tested_types = testing::Types<bfloat16, float16, float, double>;
TYPED_TEST_SUITE(exact_sum_specials, tested_types);

TYPED_TEST(exact_sum_specials, are_flagged_and_leave_the_sum_alone) {
  using T = TypeParam;
  using format = float_format<T>;
  using bits = typename format::bits_type;
  const auto odd_nan = from_bits<T>(static_cast<bits>(format::infinity | format::sign_mask | 1));
  // Payloads that add up to a power of two: a sum of significands would hide them.
  const T half_nan = quiet_nan<T>();
  for (const std::size_t n : {5, 3000}) {
    const auto sum_with = [&](std::vector<T> specials) {
      std::vector<T> x(n, from_bits<T>(3));
      std::copy(specials.begin(), specials.end(), x.end() - std::ssize(specials));
      return sum_of<T, power::square>(x);
    };
    const auto inf = sum_with({with_sign(infinity<T>(), true)});
    EXPECT_TRUE(inf.has_infinity());
    EXPECT_FALSE(inf.has_nan());
    const auto nans = sum_with({half_nan, half_nan});
    EXPECT_TRUE(nans.has_nan());
    EXPECT_FALSE(nans.has_infinity());
    EXPECT_EQ(stored(nans), (plain_sum<T, power::square>(std::vector<T>(n - 2, from_bits<T>(3)))));
    const auto both = sum_with({odd_nan, infinity<T>()});
    EXPECT_TRUE(both.has_nan());
    EXPECT_TRUE(both.has_infinity());
  }
}

// Each exponent for itself, in a run long enough for bins, and all of them in one.
TYPED_TEST(exact_sum_specials, every_exponent) {
  using T = TypeParam;
  using format = float_format<T>;
  using bits = typename format::bits_type;
  random_source random(4);
  std::vector<T> all;
  for (bits field = 0; field < (format::infinity >> format::fraction_bits); ++field) {
    std::vector<T> x(65);
    for (auto& v : x) {
      const auto fraction = static_cast<bits>(random.word() & format::fraction_mask);
      v = from_bits<T>(static_cast<bits>((field << format::fraction_bits) | fraction));
    }
    ASSERT_EQ(stored(sum_of<T, power::abs>(x)), (plain_sum<T, power::abs>(x))) << field;
    ASSERT_EQ(stored(sum_of<T, power::square>(x)), (plain_sum<T, power::square>(x))) << field;
    all.insert(all.end(), x.begin(), x.begin() + 3);
  }
  EXPECT_EQ(stored(sum_of<T, power::abs>(all)), (plain_sum<T, power::abs>(all)));
  EXPECT_EQ(stored(sum_of<T, power::square>(all)), (plain_sum<T, power::square>(all)));
}

template <typename T, power P>
void expect_multiple(const T& x, std::int64_t n) {
  exact_sum<T, P> sum;
  sum.add(reinterpret_cast<const std::byte*>(&x), n, 0);
  ASSERT_EQ(stored(sum), (plain_sum<T, P>({x}) * natural(static_cast<std::uint64_t>(n))));
}

// 2^17 terms fill a bin if all their bits are set and they have the highest of its exponents, which
// is one of any sixteen.
TYPED_TEST(exact_sum_specials, full_bins_are_emptied) {
  using T = TypeParam;
  using format = float_format<T>;
  using bits = typename format::bits_type;
  constexpr bits fields = format::infinity >> format::fraction_bits;
  for (bits field = fields - 16; field < fields; ++field) {
    const auto x =
        from_bits<T>(static_cast<bits>((field << format::fraction_bits) | format::fraction_mask));
    for (const std::int64_t extra : {-1, 0, 1, 5}) {
      const std::int64_t n = (1 << 17) + extra;
      expect_multiple<T, power::abs>(x, n);
      expect_multiple<T, power::square>(x, n);
    }
  }
}

template <typename T, power P>
void expect_sum_of_single_ones(const std::vector<T>& x) {
  exact_sum<T, P> expected;
  for (const T& v : x) expected.add(reinterpret_cast<const std::byte*>(&v), 1, sizeof(T));
  ASSERT_EQ((sum_of<T, P>(x)), expected) << x.size();
}

// Where runs begin to be binned, and with any number of NaNs and infinities anywhere.
TYPED_TEST(exact_sum_specials, do_not_disturb_their_neighbours) {
  using T = TypeParam;
  using format = float_format<T>;
  using bits = typename format::bits_type;
  random_source random(5);
  for (const std::size_t n : {31, 32, 33, 63, 64, 65, 127, 128, 129, 1000}) {
    for (int round = 0; round < oracle::scaled(20); ++round) {
      std::vector<T> x(n);
      for (auto& v : x) v = draw_finite<T>(random);
      for (std::uint64_t left = random.below(1 + n / (1 + random.below(8))); left > 0; --left) {
        const auto fraction = static_cast<bits>(random.word() & format::fraction_mask);
        x[random.below(n)] = with_sign(
            from_bits<T>(static_cast<bits>(format::infinity | (round % 2 == 0 ? fraction : 0))),
            random.once_in(2));
      }
      expect_sum_of_single_ones<T, power::abs>(x);
      expect_sum_of_single_ones<T, power::square>(x);
    }
  }
}

}  // namespace
}  // namespace halfulp
