// Sums of two magnitudes, rounded at once: every element of the 16-bit types with many others, and
// ties of all types. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "kernels/stream.hpp"
#include "kernels/sum.hpp"
#include "numerics/support/check.hpp"
#include "numerics/support/random_source.hpp"
#include "unit/support/float128.hpp"
#include "unit/support/guarded_array.hpp"
#include "unit/support/is_rounding.hpp"
#include "unit/support/targets.hpp"

namespace halfulp {
namespace {

using oracle::random_source;

template <typename T>
using bits_of = typename float_format<T>::bits_type;

template <typename T>
T pattern(std::uint64_t bits) {
  return from_bits<T>(static_cast<bits_of<T>>(bits));
}

// The first guess is rounded twice, which does no harm. That it is right is seen from its
// midpoints. float128 does not hold all sums of two elements: but what it loses is far below the
// last place of the larger one, and far too little to lead to a midpoint or away from it.
template <typename T>
T rounded_sum(T x, T y) {
  if (is_nan(x) || is_nan(y)) return quiet_nan<T>();
  if (is_infinite(x) || is_infinite(y)) return infinity<T>();
  const T sum = static_cast<T>(std::abs(static_cast<double>(x)) + std::abs(static_cast<double>(y)));
  const auto magnitude = [](T v) {
    return value_of<T>(static_cast<bits_of<T>>(to_bits(v) & float_format<T>::magnitude_mask));
  };
  EXPECT_TRUE(is_rounding(sum, magnitude(x) + magnitude(y), root::no))
      << std::hex << to_bits(x) << " " << to_bits(y);
  return sum;
}

// Both kernels, on arrays that end at guards, and into memory that is aligned, where they may write
// around the caches.
template <typename T>
void expect_sums(std::span<const T> x, std::span<const T> y) {
  const std::size_t n = x.size();
  constexpr std::size_t alignment = 64;
  std::vector<T> expected;
  for (std::size_t i = 0; i < n; ++i) expected.push_back(rounded_sum(x[i], y[i]));
  guarded_array<T> first(n), second(n), both(2 * n), memory((n / alignment + 1) * alignment);
  for (std::size_t i = 0; i < n; ++i) {
    both[2 * i] = first[i] = x[i];
    both[2 * i + 1] = second[i] = y[i];
  }
  const T untouched = pattern<T>(0x3333);
  const auto expect_sums_by = [&](const char* what, const auto& add) {
    for (const bool stream : {false, true}) {
      for (T* out : {memory.data(), memory.last(n).data()}) {
        std::fill(memory.begin(), memory.end(), untouched);
        add(out, stream);
        kernels::end_stream();
        for (T* v = memory.begin(); v != memory.end(); ++v) {
          const std::ptrdiff_t i = v - out;
          const bool inside = i >= 0 && i < std::ssize(expected);
          ASSERT_EQ(to_bits(*v),
                    to_bits(inside ? expected[static_cast<std::size_t>(i)] : untouched))
              << what << ", " << i << " of " << n << (stream ? ", around caches" : "");
        }
      }
    }
  };
  on_each_target([&] {
    const auto& kernels = kernels::sum_kernels_of<T>();
    EXPECT_EQ(kernels.add_rows == nullptr, kernels.add_neighbours == nullptr);
    if (kernels.add_rows == nullptr) return;
    const auto count = static_cast<std::int64_t>(n);
    expect_sums_by("rows", [&](T* out, bool stream) {
      kernels.add_rows(first.data(), second.data(), count, out, stream);
    });
    expect_sums_by("neighbours", [&](T* out, bool stream) {
      kernels.add_neighbours(both.data(), count, out, stream);
    });
  });
}

// An element with one digit in half of x's last place, and zeros or anything above that: the sum
// is a tie, unless it has fewer digits than x, or more.
template <typename T>
T tie_for(T x, random_source& random) {
  using format = float_format<T>;
  const decomposed d = decompose(x);
  // The last place of the sum is `up` above that of x.
  const auto up = static_cast<int>(random.between(0, 2));
  const int half = d.exponent + up - 1;
  if (half < format::min_exponent) return x;
  const std::uint64_t above = random.once_in(3) ? 0 : random.word() >> (64 - format::fraction_bits);
  std::uint64_t significand = 2 * above + 1;
  if (up > 0 && random.once_in(2)) significand += d.significand << 1;  // odd + odd
  significand &= (std::uint64_t{1} << format::precision) - 1;
  if (half == format::min_exponent) return pattern<T>(significand);
  int exponent = half;
  while (significand >> format::fraction_bits == 0 && exponent > format::min_exponent) {
    significand <<= 1;
    --exponent;
  }
  if (exponent > format::max_exponent) return x;
  return pattern<T>(
      (static_cast<std::uint64_t>(exponent - format::min_exponent) << format::fraction_bits) +
      significand);
}

// What x is added to: anything, something near it, a tie, special values.
template <typename T>
T partner_of(T x, random_source& random) {
  using format = float_format<T>;
  const std::uint64_t magnitude = to_bits(x) & format::magnitude_mask;
  T y = pattern<T>(random.word());
  switch (random.below(16)) {
    case 0:
      y = pattern<T>(random.any_of(std::vector<std::uint64_t>{
          0, 1, format::fraction_mask, format::fraction_mask + 1, format::infinity - 1,
          format::infinity, format::infinity + 1, format::magnitude_mask}));
      break;
    case 1:
    case 2:
    case 3:
    case 4: {
      // Exponents a few apart, around those where half a last place of one is the other.
      const std::int64_t apart = random.between(-format::precision - 2, format::precision + 2);
      const auto field = static_cast<std::int64_t>(magnitude >> format::fraction_bits) + apart;
      if (field < 0) break;
      y = pattern<T>(
          (static_cast<std::uint64_t>(field) << format::fraction_bits & format::magnitude_mask) |
          (random.word() & format::fraction_mask));
      break;
    }
    case 5:
    case 6:
    case 7:
    case 8:
    case 9:
      if (magnitude < format::infinity) y = tie_for(x, random);
      break;
    default:
      break;
  }
  return with_sign(y, random.once_in(2));
}

template <typename T>
class two_terms : public testing::Test {};
using float_elements = testing::Types<bfloat16, float16, float, double>;
TYPED_TEST_SUITE(two_terms, float_elements);

// Of the 16-bit types, every magnitude many times.
TYPED_TEST(two_terms, of_everything) {
  using T = TypeParam;
  constexpr std::size_t patterns = std::size_t{1} << 15;
  random_source random(51);
  for (int round = 0; round < oracle::scaled(sizeof(T) == 2 ? 64 : 16); ++round) {
    std::vector<T> x(patterns), y(patterns);
    for (std::size_t i = 0; i < patterns; ++i) {
      x[i] = with_sign(pattern<T>(sizeof(T) == 2 ? i : random.word()), random.once_in(2));
      y[i] = partner_of(x[i], random);
      if (random.once_in(2)) std::swap(x[i], y[i]);
    }
    expect_sums<T>(x, y);
  }
}

TYPED_TEST(two_terms, of_rows_of_every_length) {
  using T = TypeParam;
  random_source random(52);
  for (std::size_t n = 0; n <= 70; ++n) {
    std::vector<T> x(n), y(n);
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = pattern<T>(random.word());
      y[i] = partner_of(x[i], random);
    }
    expect_sums<T>(x, y);
  }
}

// Shows that the data is hard.
TYPED_TEST(two_terms, ties_are_met) {
  using T = TypeParam;
  using format = float_format<T>;
  random_source random(53);
  int up = 0, down = 0;
  for (int i = 0; i < 10000; ++i) {
    const T x = pattern<T>(random.word() % format::infinity);
    const T y = tie_for(x, random);
    const float128 sum = value_of<T>(to_bits(x)) + value_of<T>(to_bits(y));
    const bits_of<T> rounded = to_bits(rounded_sum(x, y));
    if (rounded == 0 || rounded == format::infinity) continue;
    up += sum == midpoint_above<T>(static_cast<bits_of<T>>(rounded - 1)) ? 1 : 0;
    down += sum == midpoint_above<T>(rounded) ? 1 : 0;
  }
  EXPECT_GE(up, 1500);
  EXPECT_GE(down, 1500);
}

// Half a last place of the largest elements, and a little less and more than it.
TYPED_TEST(two_terms, at_the_end_of_the_range) {
  using T = TypeParam;
  using format = float_format<T>;
  constexpr std::uint64_t half = static_cast<std::uint64_t>(format::max_exponent - 1 + format::bias)
                                 << format::fraction_bits;
  std::vector<T> x, y;
  for (std::uint64_t below = 1; below <= 16; ++below) {
    for (const std::uint64_t other : {half - 1, half, half + 1}) {
      x.push_back(pattern<T>(format::infinity - below));
      y.push_back(pattern<T>(other));
    }
  }
  expect_sums<T>(x, y);
  EXPECT_EQ(to_bits(rounded_sum(x[0], y[0])), format::infinity - 1);
  EXPECT_EQ(to_bits(rounded_sum(x[1], y[1])), format::infinity);
  EXPECT_EQ(to_bits(rounded_sum(x[4], y[4])), format::infinity - 2);
}

TYPED_TEST(two_terms, of_zeros_of_both_signs) {
  using T = TypeParam;
  for (const bool first : {false, true}) {
    for (const bool second : {false, true}) {
      const std::vector<T> x(37, with_sign(pattern<T>(0), first));
      const std::vector<T> y(37, with_sign(pattern<T>(0), second));
      expect_sums<T>(x, y);
      EXPECT_EQ(to_bits(rounded_sum(x[0], y[0])), 0);
    }
  }
}

}  // namespace
}  // namespace halfulp
