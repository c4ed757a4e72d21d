// The first rounding test: what it settles is right for every sum that the certificate allows.
// SPDX-License-Identifier: Apache-2.0
#include "kernels/finish.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "numerics/support/check.hpp"
#include "numerics/support/random_source.hpp"
#include "unit/support/float128.hpp"
#include "unit/support/guarded_array.hpp"
#include "unit/support/is_rounding.hpp"
#include "unit/support/targets.hpp"

namespace halfulp {
namespace {

using oracle::random_source;

template <typename Out>
certificate certificate_with(double bound) {
  certificate c{.bound = bound, .lowest = 0, .highest = 0x1p1000, .exact_zero = true};
  if constexpr (std::same_as<Out, double>) {
    c.lowest = pair_range_lowest;
    c.highest = pair_range_highest;
  }
  return c;
}

constexpr std::uint8_t untouched = 7;

template <typename Out>
struct finished {
  std::vector<Out> out;
  std::vector<bool> settled;
};

// Between guards, so that neither more is read nor more is written.
template <typename Out>
finished<Out> finish(const std::vector<approximate_sum>& sums, const certificate& test, root r,
                     bool with_lo = true) {
  const std::size_t n = sums.size();
  guarded_array<double> hi(n), lo(n);
  guarded_array<Out> out(n);
  guarded_array<std::uint8_t> open(n);
  std::fill(open.begin(), open.end(), untouched);
  for (std::size_t i = 0; i < n; ++i) {
    hi[i] = sums[i].hi;
    lo[i] = sums[i].lo;
  }
  const bool all = kernels::finish_kernels_of<Out>().of(r)(hi.data(), with_lo ? lo.data() : nullptr,
                                                           static_cast<std::int64_t>(n), test,
                                                           out.data(), open.data());
  finished<Out> result{{out.begin(), out.end()}, {}};
  for (std::size_t i = 0; i < n; ++i) {
    EXPECT_TRUE(all || open[i] <= 1);
    result.settled.push_back(all || open[i] == 0);
  }
  EXPECT_TRUE(all || std::count(open.begin(), open.end(), 1) != 0);
  return result;
}

// Returns how many are settled.
template <typename Out>
std::size_t expect_right(const std::vector<approximate_sum>& sums, const certificate& test, root r,
                         bool with_lo) {
  const auto result = finish<Out>(sums, test, r, with_lo);
  std::size_t count = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (!result.settled[i]) continue;
    ++count;
    const float128 sum = static_cast<float128>(sums[i].hi) + (with_lo ? sums[i].lo : 0);
    EXPECT_TRUE(is_rounding(result.out[i], sum * (1 - static_cast<float128>(test.bound)), r) &&
                is_rounding(result.out[i], sum * (1 + static_cast<float128>(test.bound)), r))
        << name_of(dtype_of<Out>) << (r == root::yes ? ", root of " : ", ") << sums[i].hi << " + "
        << sums[i].lo << " within " << test.bound << " is not " << std::hex
        << to_bits(result.out[i]);
  }
  return count;
}

// hi + lo close to s, not always with hi = RN(s).
approximate_sum as_pair(float128 s, random_source& random) {
  auto hi = static_cast<double>(s);
  if (random.once_in(3)) hi *= 1 + 0x1p-52 * static_cast<double>(random.between(-1000, 1000));
  return {hi, static_cast<double>(s - hi)};
}

// A midpoint, or an output, or its square, and what lies beside it by anything from nothing to
// an ulp of a double and more.
template <typename Out>
approximate_sum beside_boundary(root r, random_source& random) {
  using format = float_format<Out>;
  using bits = typename format::bits_type;
  auto pattern = static_cast<bits>(random.word() % format::infinity);
  if (random.once_in(8)) pattern &= format::fraction_mask;                      // subnormal
  if (random.once_in(8)) pattern &= static_cast<bits>(~format::fraction_mask);  // power of two
  if (random.once_in(32)) pattern = format::infinity - 1;
  float128 s = random.once_in(4) ? value_of<Out>(pattern) : midpoint_above<Out>(pattern);
  if (r == root::yes) s *= s;
  const float128 relative = power_of_two(static_cast<int>(random.between(-106, -20)));
  s *= 1 + static_cast<float128>(random.between(-1, 1)) * relative;
  if (s > 0x1p1000 || (s != 0 && s < 0x1p-960)) s = 1 + random.unit();
  return as_pair(s, random);
}

template <typename Out>
class finishing : public testing::Test {};
using outputs = testing::Types<bfloat16, float16, float, double>;
TYPED_TEST_SUITE(finishing, outputs);

TYPED_TEST(finishing, near_boundaries) {
  on_each_target([] {
    random_source random(31);
    for (const root r : {root::no, root::yes}) {
      for (const double bound :
           {0.0, 0x1p-103, 0x1p-100, 0x1p-90, 0x1p-70, 0x1p-60, 0x1p-52, 0x1p-40, 0x1p-30}) {
        for (int i = 0; i < oracle::scaled(150); ++i) {
          std::vector<approximate_sum> sums(1 + random.below(70));
          for (auto& s : sums) s = beside_boundary<TypeParam>(r, random);
          const bool with_lo = !random.once_in(3);
          expect_right<TypeParam>(sums, certificate_with<TypeParam>(bound), r, with_lo);
        }
      }
    }
  });
}

// Far from any midpoint, every sum is settled: by how much depends on the type.
TYPED_TEST(finishing, settles_what_is_plain) {
  constexpr int p = float_format<TypeParam>::precision;
  on_each_target([] {
    random_source random(32);
    for (std::size_t n = 1; n <= 70; ++n) {
      for (const root r : {root::no, root::yes}) {
        std::vector<approximate_sum> sums(n);
        for (auto& s : sums) {
          // A quarter of a unit above an output, at most.
          const auto y = static_cast<float128>((1ULL << (p - 1)) + random.below(1ULL << (p - 1)));
          const float128 value = (y + random.unit() / 4) * power_of_two(1 - p);
          s = as_pair(r == root::yes ? value * value : value, random);
        }
        const double bound = std::ldexp(1.0, -p - 6);
        EXPECT_EQ(expect_right<TypeParam>(
                      sums, certificate_with<TypeParam>(std::min(bound, largest_bound)), r, true),
                  n);
      }
    }
  });
}

TYPED_TEST(finishing, zeros) {
  on_each_target([] {
    for (const root r : {root::no, root::yes}) {
      certificate test = certificate_with<TypeParam>(0x1p-60);
      const std::vector<approximate_sum> zeros(37, {0, 0});
      EXPECT_EQ(expect_right<TypeParam>(zeros, test, r, true), 37u);
      EXPECT_EQ(expect_right<TypeParam>(zeros, test, r, false), 37u);
      test.exact_zero = false;
      test.lowest = 0x1p-900;
      EXPECT_EQ(expect_right<TypeParam>(zeros, test, r, true), 0u);
    }
  });
}

// What is not finite or outside the certificate stays open, and the sums beside it are settled as
// ever.
TYPED_TEST(finishing, leaves_open_what_is_not_finite_or_out_of_range) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  on_each_target([] {
    random_source random(33);
    const certificate test = certificate_with<TypeParam>(0x1p-60);
    for (const root r : {root::no, root::yes}) {
      for (const approximate_sum special :
           {approximate_sum{nan, 0}, {inf, 0}, {inf, nan}, {1, nan}, {1, inf}, {0x1p1001, 0}}) {
        for (std::size_t n = 1; n <= 40; ++n) {
          std::vector<approximate_sum> sums(n, {1.0, 0});
          const std::size_t at = random.below(n);
          sums[at] = special;
          const auto result = finish<TypeParam>(sums, test, r);
          for (std::size_t i = 0; i < n; ++i) {
            EXPECT_EQ(result.settled[i], i != at) << special.hi << " + " << special.lo;
            EXPECT_TRUE(i == at || static_cast<double>(result.out[i]) == 1.0);
          }
        }
      }
    }
  });
}

TYPED_TEST(finishing, beyond_the_outputs_range_is_infinity) {
  if constexpr (!std::same_as<TypeParam, double>) {
    on_each_target([] {
      const std::vector<approximate_sum> sums(37, {0x1p999, 0x1p900});
      for (const root r : {root::no, root::yes}) {
        EXPECT_EQ(expect_right<TypeParam>(sums, certificate_with<TypeParam>(0x1p-60), r, true),
                  37u);
      }
    });
  }
}

// ---- sums that are exact ----

template <typename Out>
certificate exact_certificate(double highest) {
  return {.bound = 0, .lowest = 0, .highest = highest, .exact_zero = false, .exact = true};
}

// hi + lo = s for outputs of double, where s has more bits than that; else a double in two parts.
template <typename Out>
approximate_sum exact_pair(float128 s, random_source& random) {
  if (std::same_as<Out, double>) return as_pair(s, random);
  const auto value = static_cast<double>(s);
  const double part = random.once_in(2) ? std::ldexp(value, -30) : 0.0;
  const double rest = value - part;
  return rest + part == value && value - rest == part ? approximate_sum{rest, part}
                                                      : approximate_sum{value, 0};
}

// An output or a midpoint, or beside it by a unit of a double or of what a pair can hold.
template <typename Out>
float128 exact_boundary(random_source& random) {
  using format = float_format<Out>;
  using bits = typename format::bits_type;
  auto pattern = static_cast<bits>(random.word() % format::infinity);
  if (random.once_in(4)) pattern &= format::fraction_mask;                      // subnormal
  if (random.once_in(8)) pattern &= static_cast<bits>(~format::fraction_mask);  // power of two
  if (random.once_in(16)) pattern &= 7;
  if (!std::same_as<Out, double> && random.once_in(16)) pattern = format::infinity - 1;
  const float128 s = random.once_in(3) ? value_of<Out>(pattern) : midpoint_above<Out>(pattern);
  if (std::same_as<Out, double> && s > 0x1p1000) return 1;
  // Doubles have no midpoints below their smallest unit.
  if (std::same_as<Out, double> && s < 0x1p-900) return value_of<Out>(pattern);
  const int digits = std::same_as<Out, double> ? static_cast<int>(random.between(54, 100)) : 52;
  return s * (1 + static_cast<float128>(random.between(-1, 1)) * power_of_two(-digits));
}

TYPED_TEST(finishing, exact_sums_are_rounded_once) {
  on_each_target([] {
    random_source random(34);
    for (int i = 0; i < oracle::scaled(1500); ++i) {
      std::vector<approximate_sum> sums(1 + random.below(70));
      for (auto& s : sums) {
        s = random.once_in(16) ? approximate_sum{0, 0}
                               : exact_pair<TypeParam>(exact_boundary<TypeParam>(random), random);
      }
      const bool with_lo = !random.once_in(3);
      EXPECT_EQ(
          expect_right<TypeParam>(sums, exact_certificate<TypeParam>(0x1p1022), root::no, with_lo),
          sums.size());
    }
  });
}

// The square of an output or a midpoint, or beside it by what a sum of 50 digits can be.
template <typename Out>
double exact_square(random_source& random) {
  using format = float_format<Out>;
  using bits = typename format::bits_type;
  auto pattern = static_cast<bits>(random.word() % format::infinity);
  if (random.once_in(4)) pattern &= format::fraction_mask;
  if (random.once_in(16)) pattern &= 7;
  if (random.once_in(16)) pattern = format::infinity - 1;
  const float128 v = random.once_in(3) ? value_of<Out>(pattern) : midpoint_above<Out>(pattern);
  const auto square = static_cast<double>(v * v);
  if (square == 0) return 0;
  const double unit = std::ldexp(1.0, std::ilogb(square) - 49);
  return square + static_cast<double>(random.between(-1, 1)) * unit;
}

TYPED_TEST(finishing, roots_of_exact_sums) {
  if constexpr (!std::same_as<TypeParam, double>) {
    on_each_target([] {
      random_source random(36);
      for (int i = 0; i < oracle::scaled(1500); ++i) {
        std::vector<approximate_sum> sums(1 + random.below(70));
        for (auto& s : sums) s = {exact_square<TypeParam>(random), 0};
        const certificate test = exact_certificate<TypeParam>(0x1p1022);
        EXPECT_EQ(expect_right<TypeParam>(sums, test, root::yes, random.once_in(2)), sums.size());
      }
    });
  }
}

TYPED_TEST(finishing, exact_sums_beyond_the_outputs_range_are_infinity) {
  if constexpr (!std::same_as<TypeParam, double>) {
    using format = float_format<TypeParam>;
    on_each_target([] {
      const auto tie = static_cast<double>(midpoint_above<TypeParam>(format::infinity - 1));
      const std::vector<approximate_sum> sums{
          {tie, 0}, {2 * tie, 0}, {0x1p999, 0}, {std::nextafter(tie, 0.0), 0}};
      const auto result = finish<TypeParam>(sums, exact_certificate<TypeParam>(0x1p1000), root::no);
      for (std::size_t i = 0; i < sums.size(); ++i) {
        EXPECT_TRUE(result.settled[i]);
        EXPECT_EQ(to_bits(result.out[i]), i < 3 ? format::infinity : format::infinity - 1) << i;
      }
    });
  }
}

TYPED_TEST(finishing, leaves_open_what_is_not_exact) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  on_each_target([] {
    random_source random(35);
    const certificate test = exact_certificate<TypeParam>(1.0);
    const certificate none = exact_certificate<TypeParam>(-1.0);
    for (const approximate_sum special : {approximate_sum{std::nextafter(1.0, 2.0), 0},
                                          {1, 0x1p-52},
                                          {nan, 0},
                                          {inf, 0},
                                          {1, nan}}) {
      for (std::size_t n = 1; n <= 40; ++n) {
        std::vector<approximate_sum> sums(n, {1.0, 0});
        const std::size_t at = random.below(n);
        sums[at] = special;
        const auto result = finish<TypeParam>(sums, test, root::no);
        for (std::size_t i = 0; i < n; ++i) {
          EXPECT_EQ(result.settled[i], i != at) << special.hi << " + " << special.lo;
          EXPECT_TRUE(i == at || static_cast<double>(result.out[i]) == 1.0);
        }
        sums[at] = {0, 0};
        for (const root r : {root::no, root::yes}) {
          const auto open = finish<TypeParam>(sums, none, r);
          EXPECT_EQ(std::count(open.settled.begin(), open.settled.end(), true), 0);
        }
        // A root of a double has as many digits as double.
        const auto roots = finish<TypeParam>(sums, test, root::yes);
        constexpr bool narrow = !std::same_as<TypeParam, double>;
        EXPECT_EQ(std::count(roots.settled.begin(), roots.settled.end(), narrow), std::ssize(sums));
      }
    }
  });
}

TYPED_TEST(finishing, settles_nothing_under_a_bound_that_is_too_large) {
  on_each_target([] {
    const std::vector<approximate_sum> sums(37, {1.0, 0});
    for (const double bound :
         {1.0625 * largest_bound, 1.0, std::numeric_limits<double>::quiet_NaN()}) {
      for (const root r : {root::no, root::yes}) {
        const auto result = finish<TypeParam>(sums, certificate_with<TypeParam>(bound), r);
        EXPECT_EQ(std::count(result.settled.begin(), result.settled.end(), true), 0);
      }
    }
  });
}

}  // namespace
}  // namespace halfulp
