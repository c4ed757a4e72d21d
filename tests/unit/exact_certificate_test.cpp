// Sums that the second certificate calls exact are exact, up to its limit and beside it; and the
// smallest magnitude, which it follows from, is found.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "accum/error_free.hpp"
#include "base/int128.hpp"
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

// ---- the smallest magnitude ----

template <typename T>
T smallest_by_loop(const T* x, std::int64_t step, std::int64_t count, std::int64_t length) {
  using format = float_format<T>;
  unsigned long long least = std::numeric_limits<unsigned long long>::max();
  for (std::int64_t j = 0; j < count; ++j) {
    for (std::int64_t i = 0; i < length; ++i) {
      const auto magnitude = to_bits(x[j * step + i]) & format::magnitude_mask;
      if (magnitude != 0) least = std::min<unsigned long long>(least, magnitude);
    }
  }
  if (least > format::magnitude_mask) return infinity<T>();
  return from_bits<T>(static_cast<typename format::bits_type>(least));
}

// What rows may hold: all of one kind, or one of another kind among them.
enum class kind { zero, subnormal, finite, infinite, nan };
constexpr kind kinds[] = {kind::zero, kind::subnormal, kind::finite, kind::infinite, kind::nan};

template <typename T>
T draw(kind k, random_source& random) {
  using format = float_format<T>;
  const std::uint64_t word = random.word();
  std::uint64_t magnitude = 0;
  if (k == kind::subnormal) magnitude = std::max<std::uint64_t>(1, word & format::fraction_mask);
  if (k == kind::finite) magnitude = word % format::infinity;
  if (k == kind::infinite) magnitude = format::infinity;
  if (k == kind::nan) {
    magnitude = format::infinity | std::max<std::uint64_t>(1, word & format::fraction_mask);
  }
  return with_sign(from_bits<T>(static_cast<typename format::bits_type>(magnitude)),
                   random.once_in(2));
}

template <typename T>
class smallest_magnitudes : public testing::Test {};
using float_elements = testing::Types<bfloat16, float16, float, double>;
TYPED_TEST_SUITE(smallest_magnitudes, float_elements);

// Between rows lies what would be smaller, behind them what cannot be read.
TYPED_TEST(smallest_magnitudes, of_rows_of_every_length) {
  using T = TypeParam;
  random_source random(41);
  guarded_array<T> memory(1200);
  for (std::int64_t length = 1; length <= 100; ++length) {
    for (const kind most : kinds) {
      for (const std::int64_t gap : {std::int64_t{0}, random.between(1, 9)}) {
        const layout l = rows(random.between(1, 9), length, length + gap);
        const std::span<T> x = memory.last(l.size());
        std::fill(x.begin(), x.end(), from_bits<T>(1));
        for (std::int64_t j = 0; j < l.slices; ++j) {
          for (std::int64_t i = 0; i < length; ++i) {
            x[static_cast<std::size_t>(j * l.slice_step + i)] = draw<T>(most, random);
          }
        }
        for (const kind other : kinds) {
          const auto at = static_cast<std::size_t>(random.between(0, l.slices - 1) * l.slice_step +
                                                   random.between(0, length - 1));
          const T before = x[at];
          x[at] = draw<T>(other, random);
          const T expected = smallest_by_loop(x.data(), l.slice_step, l.slices, length);
          on_each_target([&] {
            const auto smallest = kernels::sum_kernels_of<T>().smallest;
            ASSERT_EQ(to_bits(smallest(x.data(), l.slice_step, l.slices, length)),
                      to_bits(expected))
                << l.slices << " rows of " << length << ", step " << l.slice_step;
          });
          x[at] = before;
        }
      }
    }
  }
}

// ---- the certificate ----

// 2^this units of the terms, or that over their number for pairs that go to doubles, is as far as
// sums have to be exact; up to twice as much they are. From there on they need not be.
int digits_of(precision q, bool narrow) {
  if (q == precision::runs) return 23;
  return narrow ? 52 : 105;
}

template <typename T, power P>
certificate certify_exact(precision q, bool narrow, T smallest, std::int64_t length) {
  return narrow ? kernels::certify_exact<T, P, float>(q, root::no, smallest, length)
                : kernels::certify_exact<T, P, double>(q, root::no, smallest, length);
}

template <typename T, power P>
std::vector<double_pair> kernel_sums(const layout& l, const T* x, precision q) {
  std::vector<double> hi(static_cast<std::size_t>(l.slices)), lo(hi.size());
  const auto& kernels = kernels::sum_kernels_of<T>();
  if (l.in_rows()) {
    kernels.rows.at(P, q)(x, l.slice_step, l.slices, l.length, hi.data(), lo.data());
  } else {
    kernels.columns.at(P, q)(x, l.element_step, l.length, l.slices, hi.data(), lo.data());
  }
  std::vector<double_pair> sums;
  for (std::size_t j = 0; j < hi.size(); ++j) sums.push_back({hi[j], lo[j]});
  return sums;
}

// Sums by where they are: at most half the certificate's limit, up to it, above it.
struct tally {
  int small = 0, near = 0, above = 0;
  int all() const { return small + near + above; }
};

template <typename T, power P>
void expect_exact(const layout& l, const std::vector<T>& x, precision q, bool narrow,
                  tally& counts) {
  const auto exact = exact_sums<T, P>(l, x.data());
  T smallest = infinity<T>();
  for (std::int64_t j = 0; j < l.slices; ++j) {
    for (std::int64_t i = 0; i < l.length; ++i) {
      const T one = smallest_by_loop(x.data() + j * l.slice_step + i * l.element_step, 1, 1, 1);
      if (to_bits(one) < to_bits(smallest)) smallest = one;
    }
  }
  const certificate test = certify_exact<T, P>(q, narrow, smallest, l.length);
  EXPECT_TRUE(test.exact && test.bound == 0 && test.lowest == 0);
  on_each_target([&] {
    const auto sums = kernel_sums<T, P>(l, x.data(), q);
    for (std::size_t j = 0; j < exact.size(); ++j) {
      const double value = sums[j].hi + sums[j].lo;
      if (!(value <= test.highest)) {
        ++counts.above;
        continue;
      }
      ++(value > test.highest / 2 ? counts.near : counts.small);
      const bool right = static_cast<float128>(sums[j].hi) + sums[j].lo == exact[j];
      EXPECT_TRUE(right && (!narrow || sums[j].lo == 0))
          << std::hexfloat << sums[j].hi << " + " << sums[j].lo << " is not exact, or too long"
          << (narrow ? " for narrow outputs" : "") << "; up to " << test.highest << " it should be"
          << (l.in_rows() ? ", row" : ", column") << " of " << l.length << ", precision "
          << static_cast<int>(q) << ", smallest " << static_cast<double>(smallest);
    }
  });
}

// significand * 2^exponent, which must be a T with its last place there.
template <typename T>
T element_of(std::uint64_t significand, int exponent) {
  using format = float_format<T>;
  const auto place = static_cast<std::uint64_t>(exponent - format::min_exponent);
  return from_bits<T>(
      static_cast<typename format::bits_type>((place << format::fraction_bits) + significand));
}

// An element of about `multiple` times 2^exponent, with its last place there or above; odd if it
// is there.
template <typename T>
T about(double multiple, int exponent) {
  using format = float_format<T>;
  constexpr std::uint64_t hidden = std::uint64_t{1} << format::fraction_bits;
  const int up = std::max(0, std::ilogb(std::max(multiple, 1.0)) - format::fraction_bits);
  if (exponent + up > format::max_exponent) return from_bits<T>(format::infinity - 1);
  auto significand = static_cast<std::uint64_t>(std::ldexp(multiple, -up));
  if (exponent > format::min_exponent) significand |= hidden;
  return element_of<T>(significand | std::uint64_t{up == 0}, exponent + up);
}

// Exponents of the unit for which sums of 2^digits of the terms' units fit the types' ranges.
template <typename T, power P>
int draw_exponent(precision q, int digits, random_source& random) {
  using format = float_format<T>;
  constexpr int factor = static_cast<int>(P);
  int lowest = format::min_exponent;
  int highest = (factor * (format::max_exponent + format::precision - 1) - digits) / factor;
  if (q == precision::runs) {
    lowest = std::max(lowest, float_format<float>::min_exponent / factor);
    highest = std::min(highest, (float_format<float>::bias - digits) / factor);
  }
  if (random.once_in(3)) return lowest;
  return static_cast<int>(random.between(lowest, std::max(lowest, highest)));
}

// A slice whose terms come to 0.4 to 3 times `limit` of their units, one of them an odd multiple of
// that.
template <typename T, power P>
std::vector<T> draw_slice(std::int64_t length, double limit, int exponent, random_source& random) {
  using format = float_format<T>;
  const auto element = [&](double units) {
    return about<T>(P == power::square ? std::sqrt(units) : units, exponent);
  };
  const int least_digits = exponent > format::min_exponent ? format::fraction_bits : 0;
  const double least = std::ldexp(1.0, static_cast<int>(P) * least_digits);
  const double most = std::clamp(limit / least / 4, 1.0, static_cast<double>(length));
  std::vector<double> terms(1 + random.below(static_cast<std::uint64_t>(most)));
  double sum = 0;
  for (double& t : terms) sum += t = std::pow(random.unit(), 4);
  const double target = limit * std::exp2(-1.3 + 2.9 * random.unit());
  std::vector<T> x(static_cast<std::size_t>(length), from_bits<T>(0));
  for (std::size_t i = 0; i < terms.size(); ++i) x[i] = element(terms[i] / sum * target);
  if (terms.size() > 1) x[0] = element(least * (1 + random.unit()));
  random.shuffle(x);
  return x;
}

// Slices in memory; between them lies what none of them may notice.
template <typename T>
std::vector<T> laid_out(const layout& l, const std::vector<std::vector<T>>& slices) {
  std::vector<T> memory(l.size(), from_bits<T>(1));
  for (std::size_t j = 0; j < slices.size(); ++j) {
    for (std::size_t i = 0; i < slices[j].size(); ++i) {
      memory[j * static_cast<std::size_t>(l.slice_step) +
             i * static_cast<std::size_t>(l.element_step)] = slices[j][i];
    }
  }
  return memory;
}

template <typename T, power P>
struct sum_case {
  using type = T;
  static constexpr power value = P;
};
template <typename Case>
class exact_certificates : public testing::Test {};
using cases = testing::Types<sum_case<bfloat16, power::abs>, sum_case<bfloat16, power::square>,
                             sum_case<float16, power::abs>, sum_case<float16, power::square>,
                             sum_case<float, power::abs>, sum_case<float, power::square>,
                             sum_case<double, power::abs>>;
TYPED_TEST_SUITE(exact_certificates, cases);

// Calls test(precision, narrow) for each precision, of whose sums pairs go to all outputs.
template <typename T, typename F>
void for_each_use(const F& test) {
  for (const precision q : precisions<T>()) {
    test(q, true);
    if (q == precision::pair) test(q, false);
  }
}

template <typename T, power P>
void expect_exact_near_the_limit(precision q, bool narrow, random_source& random) {
  const int digits = digits_of(q, narrow);
  tally counts;
  for (std::int64_t length = 1; length <= 100; ++length) {
    for (const bool in_rows : {true, false}) {
      const std::int64_t count = random.between(2, 9);
      const layout l = in_rows ? rows(count, length, length + random.between(0, 3))
                               : columns(count, length, count + random.between(0, 3));
      const int exponent = draw_exponent<T, P>(q, digits, random);
      const double limit = std::ldexp(1.0, digits) / (narrow ? 1.0 : static_cast<double>(length));
      std::vector<std::vector<T>> slices;
      for (std::int64_t j = 0; j < count; ++j) {
        slices.push_back(draw_slice<T, P>(length, limit, exponent, random));
      }
      expect_exact<T, P>(l, laid_out(l, slices), q, narrow, counts);
    }
  }
  // Sums of float16 are too small for the limit of doubles, but for squares in one.
  const bool in_reach =
      !std::same_as<T, float16> || q == precision::runs || (P == power::square && narrow);
  if (!in_reach) return;
  EXPECT_GE(counts.near, counts.all() / 10) << static_cast<int>(q) << narrow;
  EXPECT_GE(counts.above, counts.all() / 10) << static_cast<int>(q) << narrow;
}

TYPED_TEST(exact_certificates, near_the_limit) {
  using T = typename TypeParam::type;
  random_source random(42);
  for_each_use<T>([&](precision q, bool narrow) {
    expect_exact_near_the_limit<T, TypeParam::value>(q, narrow, random);
  });
}

// |x| that come to exactly `total` units, each of them with its last place there or above. There
// are some for totals of 2^fraction_bits at least, and for others where units are the smallest.
template <typename T>
std::vector<T> with_total(uint128 total, int exponent) {
  using format = float_format<T>;
  constexpr std::uint64_t hidden = std::uint64_t{1} << format::fraction_bits;
  if (total < hidden) return {element_of<T>(low_word(total), exponent)};
  std::vector<T> x;
  uint128 rest = total - hidden;
  while (rest >= hidden) {
    const int up = bit_width(rest) - format::precision;
    x.push_back(element_of<T>(low_word(rest >> up), exponent + up));
    rest -= rest >> up << up;
  }
  x.push_back(element_of<T>(hidden + low_word(rest), exponent));
  return x;
}

template <typename T>
class exact_certificate_limits : public testing::Test {};
TYPED_TEST_SUITE(exact_certificate_limits, float_elements);

// The limit, and what is twice that: there, one unit more is a midpoint, which rounds to it.
TYPED_TEST(exact_certificate_limits, beside_them_by_units) {
  using T = TypeParam;
  constexpr std::int64_t length = 64;
  constexpr std::uint64_t hidden = std::uint64_t{1} << float_format<T>::fraction_bits;
  random_source random(43);
  for_each_use<T>([&](precision q, bool narrow) {
    const int digits = digits_of(q, narrow);
    if (std::same_as<T, float16> && digits > 23) return;  // beyond what its elements come to
    tally counts;
    for (int round = 0; round < oracle::scaled(100); ++round) {
      const uint128 limit = (uint128{1} << (digits + round % 2)) / (narrow ? 1 : length);
      const int exponent = limit > 2 * hidden ? draw_exponent<T, power::abs>(q, digits, random)
                                              : float_format<T>::min_exponent;
      std::vector<std::vector<T>> slices;
      for (const std::int64_t beside : {-1, 0, 1, 2, 3, -17, 17}) {
        slices.push_back(with_total<T>(limit + static_cast<uint128>(beside), exponent));
        slices.back().resize(length, from_bits<T>(0));
        random.shuffle(slices.back());
      }
      for (const layout& l : {rows(7, length, length), columns(7, length, 7)}) {
        expect_exact<T, power::abs>(l, laid_out(l, slices), q, narrow, counts);
      }
    }
    EXPECT_GE(counts.near, counts.all() / 8);
  });
}

TYPED_TEST(exact_certificates, all_sums_of_no_terms) {
  using T = typename TypeParam::type;
  for_each_use<T>([&](precision q, bool narrow) {
    for (const T nothing : {infinity<T>(), quiet_nan<T>()}) {
      EXPECT_EQ((certify_exact<T, TypeParam::value>(q, narrow, nothing, 5).highest),
                std::numeric_limits<double>::max());
    }
  });
}

// Squares that are rounded are none of this.
TEST(exact_certificate, no_squares_of_doubles_nor_below_floats) {
  for (const bool narrow : {true, false}) {
    EXPECT_LT((certify_exact<double, power::square>(precision::pair, narrow, 1.0, 1).highest), 0);
  }
  const auto in_runs = [](double smallest) {
    return certify_exact<bfloat16, power::square>(precision::runs, true, bfloat16(smallest), 1);
  };
  EXPECT_LT(in_runs(0x1p-68).highest, 0);  // last place 2^-75, its square 2^-150
  EXPECT_GT(in_runs(0x1p-67).highest, 0);
}

// Roots need two digits less, and have none to spare in double.
TYPED_TEST(exact_certificates, of_roots) {
  using T = typename TypeParam::type;
  constexpr power p = TypeParam::value;
  for_each_use<T>([&](precision q, bool) {
    const T one = from_bits<T>(float_format<T>::infinity / 2);
    const double sums = kernels::certify_exact<T, p, float>(q, root::no, one, 5).highest;
    const double roots = kernels::certify_exact<T, p, float>(q, root::yes, one, 5).highest;
    EXPECT_EQ(roots, sums < 0 ? sums : sums / 8);
    EXPECT_LT((kernels::certify_exact<T, p, double>(q, root::yes, one, 5).highest), 0);
  });
}

}  // namespace
}  // namespace halfulp
