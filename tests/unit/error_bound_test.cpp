// The fast sums keep within their certificates, on data that pushes them towards it, for rows and
// columns of every length, and read nothing but their elements.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "kernels/sum.hpp"
#include "kernels/sum_bound.hpp"
#include "numerics/support/check.hpp"
#include "numerics/support/random_source.hpp"
#include "unit/support/float128.hpp"
#include "unit/support/guarded_array.hpp"
#include "unit/support/slices.hpp"
#include "unit/support/targets.hpp"

namespace halfulp {
namespace {

using kernels::precision;
using oracle::random_source;

// A kernel's sums, in arrays that end at a guard.
template <typename T, power P>
class fast_sums {
 public:
  fast_sums(const layout& l, const T* x, precision q)
      : hi_(static_cast<std::size_t>(l.slices)), lo_(static_cast<std::size_t>(l.slices)) {
    constexpr double untouched = -1234;
    std::fill(lo_.begin(), lo_.end(), untouched);
    const auto& kernels = kernels::sum_kernels_of<T>();
    std::int64_t depth = 0;
    if (l.in_rows()) {
      kernels.rows.at(P, q)(x, l.slice_step, l.slices, l.length, hi_.data(), lo_.data());
      depth = kernels.row_depth.at(P, q)(l.length);
    } else {
      kernels.columns.at(P, q)(x, l.element_step, l.length, l.slices, hi_.data(), lo_.data());
      depth = kernels::column_depth(l.length, q);
    }
    test = q == precision::pair
               ? kernels::certify<T, P, double>(q, kernels.fused, depth, 1, l.length)
               : kernels::certify<T, P, float>(q, kernels.fused, depth, 1, l.length);
    if (q == precision::pair) return;
    for (double& lo : lo_) {
      EXPECT_EQ(lo, untouched);
      lo = 0;
    }
  }

  double hi(std::size_t j) const { return hi_[j]; }
  double lo(std::size_t j) const { return lo_[j]; }
  bool is_finite(std::size_t j) const { return std::isfinite(hi(j) + lo(j)); }

  // |S - (hi + lo)| as a share of what the certificate allows: at most 1, or the bound is wrong.
  double share_of_bound(std::size_t j, float128 exact) const {
    constexpr double wrong = std::numeric_limits<double>::infinity();
    // Only squares of bfloat16 in float may be beyond the range of what they are added in.
    if (!is_finite(j)) return test.lowest > 0 && exact > 0x1p120 ? 0 : wrong;
    const float128 approximate = static_cast<float128>(hi(j)) + lo(j);
    if (approximate == 0 && test.exact_zero) return exact == 0 ? 0 : wrong;
    if (approximate < test.lowest || approximate > test.highest) return 0;
    const float128 error = exact > approximate ? exact - approximate : approximate - exact;
    return error == 0 ? 0 : static_cast<double>(error / (approximate * test.bound));
  }

  certificate test;

 private:
  guarded_array<double> hi_, lo_;
};

template <typename T, power P>
double worst_share(const layout& l, const T* x, const std::vector<float128>& exact, precision q) {
  const fast_sums<T, P> sums(l, x, q);
  double worst = 0;
  for (std::size_t j = 0; j < exact.size(); ++j) {
    worst = std::max(worst, sums.share_of_bound(j, exact[j]));
  }
  return worst;
}

template <typename T>
T as(double v) {
  return static_cast<T>(v);
}

// Exponents from a window of random width, so that squares of float16 stay finite.
template <typename T>
void fill_at_random(std::span<T> x, random_source& random) {
  const int widest = std::is_same_v<T, float16> ? 13 : 60;
  const auto spread = random.between(0, widest);
  for (T& v : x) {
    const double significand = 1 + random.unit();
    const auto exponent = static_cast<int>(random.between(-spread, spread));
    v = as<T>(std::ldexp(random.once_in(2) ? significand : -significand, exponent));
    if (random.once_in(16)) v = as<T>(0.0);
  }
}

// Sums whose rounding errors all have one sign: large terms first in each lane, then terms that
// each lose just below half an ulp, or round up by as much.
template <typename T, power P>
void fill_one_sided(std::span<T> x, std::size_t heads, double tail, random_source& random) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double small = tail * (1 - 0x1p-10 * static_cast<double>(random.below(16)));
    x[i] = as<T>(i < heads ? 1.0 : (P == power::abs ? small : std::sqrt(small)));
  }
}

template <typename T, power P>
struct sum_case {
  using type = T;
  static constexpr power value = P;
};
template <typename Case>
class error_bounds : public testing::Test {};
using cases = testing::Types<sum_case<bfloat16, power::abs>, sum_case<bfloat16, power::square>,
                             sum_case<float16, power::abs>, sum_case<float16, power::square>,
                             sum_case<float, power::abs>, sum_case<float, power::square>,
                             sum_case<double, power::abs>, sum_case<double, power::square>>;
TYPED_TEST_SUITE(error_bounds, cases);

template <typename T, power P>
void expect_within_bound(const layout& l, guarded_array<T>& memory, random_source& random) {
  const auto x = memory.last(l.size());
  fill_at_random(x, random);
  const auto exact = exact_sums<T, P>(l, x.data());
  on_each_target([&] {
    for (const precision q : precisions<T>()) {
      EXPECT_LE((worst_share<T, P>(l, x.data(), exact, q)), 1.0)
          << (l.in_rows() ? "rows: " : "columns: ") << l.slices << ", length " << l.length
          << ", step " << std::max(l.slice_step, l.element_step) << ", precision "
          << static_cast<int>(q);
    }
  });
}

TYPED_TEST(error_bounds, rows_of_every_length) {
  using T = typename TypeParam::type;
  random_source random(12);
  guarded_array<T> memory(4096);
  for (std::int64_t length = 1; length <= 200; ++length) {
    for (const std::int64_t step :
         {length, length + random.between(1, 9), std::int64_t{0}, random.between(1, length)}) {
      const std::int64_t count = random.between(1, 9);
      expect_within_bound<T, TypeParam::value>(rows(count, length, step), memory, random);
    }
    expect_within_bound<T, TypeParam::value>(rows(1, length, length), memory, random);
  }
}

TYPED_TEST(error_bounds, columns_of_every_width) {
  using T = typename TypeParam::type;
  random_source random(13);
  guarded_array<T> memory(8192);
  for (std::int64_t width = 1; width <= 200; ++width) {
    for (const std::int64_t step : {width, width + random.between(1, 9), std::int64_t{0}}) {
      const std::int64_t count = random.once_in(5) ? random.between(10, 39) : random.between(2, 9);
      if (step == 1) continue;  // is a row
      expect_within_bound<T, TypeParam::value>(columns(width, count, step), memory, random);
    }
  }
}

// The largest share over large terms in so many lanes as targets have, and one more of each.
template <typename T, power P>
double worst_one_sided_share(double tail, precision q) {
  random_source random(11);
  double worst = 0;
  for (const std::size_t n : {100, 768, 5000, 16384}) {
    std::vector<T> x(n);
    for (const std::size_t heads : {1, 2, 4, 8, 16, 32}) {
      fill_one_sided<T, P>(x, heads, tail, random);
      const auto size = static_cast<std::int64_t>(n);
      for (const layout& l : {rows(1, size, size), rows(size / 20, 20, 20),
                              columns(4, std::min<std::int64_t>(size / 4, 4096), 4)}) {
        worst = std::max(worst, worst_share<T, P>(l, x.data(), exact_sums<T, P>(l, x.data()), q));
      }
    }
  }
  return worst;
}

TYPED_TEST(error_bounds, errors_of_one_sign) {
  using T = typename TypeParam::type;
  on_each_target([] {
    for (const precision q : precisions<T>()) {
      // Half ulps of the sums in doubles, after trees of two, four and eight, and in floats.
      for (const double tail : {0x1p-53, 0x1.1p-53, 0x1.8p-53, 0x1.fp-54, 0x1.fp-55, 0x1.fp-56,
                                0x1p-60, 0x1.1p-24, 0x1.fp-25, 0x1.fp-26, 0x1.5p-10, 0.9}) {
        EXPECT_LE((worst_one_sided_share<T, TypeParam::value>(tail, q)), 1.0)
            << "tail " << tail << ", precision " << static_cast<int>(q);
      }
    }
  });
}

// Shows that the data is hard and the bounds not idle.
TEST(error_bounds_of_floats, plain_sums_come_close) {
  on_each_target([] {
    EXPECT_GE((worst_one_sided_share<float, power::abs>(0x1.fp-54, precision::plain)), 0.8);
  });
}

// Behind a row lies another one, which a kernel may read on into.
TYPED_TEST(error_bounds, not_finite_is_seen_and_stays_in_its_slice) {
  using T = typename TypeParam::type;
  constexpr power P = TypeParam::value;
  const T largest =
      from_bits<T>(static_cast<typename float_format<T>::bits_type>(float_format<T>::infinity - 1));
  std::vector<T> specials{quiet_nan<T>(), infinity<T>(), with_sign(infinity<T>(), true)};
  // The others have room for their largest value.
  if (P == power::square && sizeof(T) == 8) specials.push_back(largest);
  random_source random(14);
  on_each_target([&] {
    for (const precision q : precisions<T>()) {
      for (const std::int64_t length : {1, 3, 7, 16, 37, 100}) {
        for (const layout& l : {rows(6, length, length), columns(6, length, 6)}) {
          if (l.element_step == l.slice_step) continue;
          std::vector<T> x(l.size(), as<T>(1.0));
          const fast_sums<T, P> before(l, x.data(), q);
          for (std::int64_t i = 0; i < length; ++i) {
            const auto slice = static_cast<std::int64_t>(random.below(6));
            T& element = x[static_cast<std::size_t>(slice * l.slice_step + i * l.element_step)];
            element = random.any_of(specials);
            const fast_sums<T, P> after(l, x.data(), q);
            for (std::size_t j = 0; j < 6; ++j) {
              if (j == static_cast<std::size_t>(slice)) {
                EXPECT_FALSE(after.is_finite(j));
              } else {
                EXPECT_EQ(after.hi(j), before.hi(j));
                EXPECT_EQ(after.lo(j), before.lo(j));
              }
            }
            element = as<T>(1.0);
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace halfulp
