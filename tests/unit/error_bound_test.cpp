// The fast sums keep within their bounds, on data that pushes them towards it.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <type_traits>
#include <vector>

#include "accum/exact_sum.hpp"
#include "kernels/sum.hpp"
#include "numerics/support/check.hpp"
#include "numerics/support/random_source.hpp"

namespace halfulp {
namespace {

using kernels::precision;
__extension__ using float128 = __float128;  // 113 bits: enough to see errors of 2^-105

template <typename T, power P>
float128 reference(const std::vector<T>& x, std::size_t first, std::size_t step) {
  exact_sum<T, P> sum;
  sum.add(reinterpret_cast<const std::byte*>(x.data() + first),
          static_cast<std::int64_t>((x.size() - first + step - 1) / step),
          static_cast<std::int64_t>(step * sizeof(T)));
  const leading_128 lead = leading_bits_128(sum.value());
  float128 value = static_cast<float128>(lead.significand);
  for (int e = lead.exponent; e > 0; --e) value *= 2;
  for (int e = lead.exponent; e < 0; ++e) value /= 2;
  return value;
}

// |S - (hi + lo)| / (bound * (hi + lo)): at most 1, or the bound is wrong.
double share_of_bound(float128 exact, const approximate_sum& s, double bound) {
  const float128 approximate = static_cast<float128>(s.hi) + s.lo;
  const float128 error = exact > approximate ? exact - approximate : approximate - exact;
  return static_cast<double>(error / (approximate * bound));
}

template <typename T>
T as(double v) {
  return static_cast<T>(v);
}

// Sums whose rounding errors all have one sign: a large term first in each lane, then terms that
// each lose just below half an ulp, or round up by as much.
template <typename T, power P>
std::vector<T> one_sided(std::size_t n, int lanes, double tail, oracle::random_source& random) {
  std::vector<T> x(n);
  for (std::size_t i = 0; i < n; ++i) {
    const double jitter = 1 - 0x1p-10 * static_cast<double>(random.below(16));
    const double small = tail * jitter;
    x[i] = as<T>(
        i < static_cast<std::size_t>(lanes) ? 1.0 : (P == power::abs ? small : std::sqrt(small)));
  }
  return x;
}

template <typename T, power P, precision Q>
double worst_share(double tail) {
  oracle::random_source random(11);
  double worst = 0;
  for (const std::size_t n : {100, 768, 5000, 16384, 40000, 200000}) {
    using rows = kernels::row_sum<T, P, Q>;
    const auto x = one_sided<T, P>(n, rows::lanes, tail, random);
    approximate_sum s{0, 0};
    rows::add(x.data(), static_cast<std::int64_t>(n), s);
    worst = std::max(worst, share_of_bound(reference<T, P>(x, 0, 1), s,
                                           rows::bound({1, static_cast<std::int64_t>(n)})));

    // The same elements as the rows of a few columns, and in many short runs.
    using columns = kernels::column_sum<T, P, Q>;
    constexpr std::size_t width = 4;
    const std::size_t steps = n / width;
    columns c(width);
    for (std::size_t i = 0; i < steps; ++i) c.add(x.data() + i * width);
    const std::vector<T> used(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(steps * width));
    for (std::size_t j = 0; j < width; ++j) {
      worst = std::max(
          worst, share_of_bound(reference<T, P>(used, j, width), c.result(static_cast<int>(j)),
                                columns::bound({1, static_cast<std::int64_t>(steps)})));
    }

    constexpr std::int64_t run = 20;
    approximate_sum pieces{0, 0};
    const std::int64_t runs = static_cast<std::int64_t>(n) / run;
    for (std::int64_t i = 0; i < runs; ++i) rows::add(x.data() + i * run, run, pieces);
    const std::vector<T> whole_runs(x.begin(), x.begin() + runs * run);
    worst = std::max(
        worst, share_of_bound(reference<T, P>(whole_runs, 0, 1), pieces, rows::bound({runs, run})));
  }
  return worst;
}

// Plain sums come close to their bound, which shows that the data is hard and the bound not idle.
TEST(error_bounds, plain_sums) {
  for (const double tail : {0x1.1p-53, 0x1.8p-53, 0x1.fp-54}) {
    EXPECT_LE((worst_share<float, power::abs, precision::plain>(tail)), 1.0);
    EXPECT_LE((worst_share<float, power::square, precision::plain>(tail)), 1.0);
    EXPECT_LE((worst_share<bfloat16, power::abs, precision::plain>(tail)), 1.0);
    EXPECT_LE((worst_share<bfloat16, power::square, precision::plain>(tail)), 1.0);
  }
  EXPECT_GE((worst_share<float, power::abs, precision::plain>(0x1.fp-54)), 0.8);
}

TEST(error_bounds, pair_sums) {
  for (const double tail : {0x1p-53, 0x1.8p-53, 0x1.fp-54, 0x1p-60, 0x1.5p-10, 0.9}) {
    EXPECT_LE((worst_share<float, power::abs, precision::pair>(tail)), 1.0);
    EXPECT_LE((worst_share<float, power::square, precision::pair>(tail)), 1.0);
    EXPECT_LE((worst_share<double, power::abs, precision::pair>(tail)), 1.0);
    EXPECT_LE((worst_share<double, power::square, precision::pair>(tail)), 1.0);
  }
}

template <typename T, power P, precision Q>
void expect_random_sums_within_bound() {
  oracle::random_source random(12);
  for (int round = 0; round < oracle::scaled(2000); ++round) {
    const std::size_t n = 1 + random.below(400);
    const int spread = static_cast<int>(1 + random.below(60));
    std::vector<T> x(n);
    for (auto& v : x) {
      const double significand = 1 + static_cast<double>(random.word() >> 12) * 0x1p-52;
      v = as<T>(std::ldexp(significand, static_cast<int>(random.between(-spread, spread))));
    }
    approximate_sum s{0, 0};
    kernels::row_sum<T, P, Q>::add(x.data(), static_cast<std::int64_t>(n), s);
    const double bound = kernels::row_sum<T, P, Q>::bound({1, static_cast<std::int64_t>(n)});
    ASSERT_LE(share_of_bound(reference<T, P>(x, 0, 1), s, bound), 1.0);
  }
}

TEST(error_bounds, random_sums) {
  expect_random_sums_within_bound<bfloat16, power::square, precision::plain>();
  expect_random_sums_within_bound<float, power::abs, precision::plain>();
  expect_random_sums_within_bound<float, power::square, precision::plain>();
  expect_random_sums_within_bound<float, power::square, precision::pair>();
  expect_random_sums_within_bound<double, power::abs, precision::pair>();
  expect_random_sums_within_bound<double, power::square, precision::pair>();
}

TEST(error_bounds, not_finite_is_seen) {
  for (const std::size_t at : {0, 5, 99}) {
    const auto sum_with = []<typename T, precision Q>(T value, std::size_t index) {
      std::vector<T> x(100, as<T>(1.0));
      x[index] = value;
      approximate_sum s{0, 0};
      kernels::row_sum<T, power::square, Q>::add(x.data(), 100, s);
      return s.hi + s.lo;
    };
    const auto check = [&]<typename T, precision Q>() {
      EXPECT_FALSE(std::isfinite(sum_with.template operator()<T, Q>(quiet_nan<T>(), at)));
      EXPECT_FALSE(std::isfinite(sum_with.template operator()<T, Q>(infinity<T>(), at)));
    };
    check.template operator()<float16, precision::plain>();
    check.template operator()<bfloat16, precision::plain>();
    check.template operator()<float, precision::plain>();
    check.template operator()<float, precision::pair>();
    check.template operator()<double, precision::pair>();
  }
}

}  // namespace
}  // namespace halfulp
