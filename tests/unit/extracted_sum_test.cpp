// The second tier: sums by extraction are what they say, and never settle wrongly, on midpoints,
// beside them by one unit of the input, and on anything else.
// SPDX-License-Identifier: Apache-2.0
#include "accum/extracted_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "accum/exact_finish.hpp"
#include "kernels/sum.hpp"
#include "numerics/support/check.hpp"
#include "numerics/support/construct.hpp"
#include "numerics/support/draw.hpp"
#include "numerics/support/random_source.hpp"
#include "unit/support/float128.hpp"
#include "unit/support/guarded_array.hpp"
#include "unit/support/targets.hpp"

namespace halfulp {
namespace {

using oracle::random_source;

template <typename T, power P>
exact_sum<T, P> exactly(const std::vector<T>& x) {
  exact_sum<T, P> sum;
  sum.add(reinterpret_cast<const std::byte*>(x.data()), std::ssize(x), sizeof(T));
  return sum;
}

// A sum by extraction with the bound on its error.
struct extraction_result {
  extracted_sum sum;
  extraction_error error;
};

double base_for(float128 sum) { return extraction_base(static_cast<double>(sum) * (1 + 0x1p-50)); }

template <typename T, power P>
extraction_result along_row(const std::vector<T>& x, double base) {
  guarded_array<T> row(x.size());
  std::copy(x.begin(), x.end(), row.begin());
  extracted_sum sum{.base = base};
  kernels::sum_kernels_of<T>().extract_row[static_cast<std::size_t>(P) - 1](row.data(),
                                                                            std::ssize(x), sum);
  const std::int64_t depth = std::ssize(x) + kernels::additions_per_extracted_row;
  return {sum, error_of_extraction(base, std::ssize(x), depth)};
}

// As one of several columns, the others of which hold the same elements from another one on.
template <typename T, power P>
std::vector<extraction_result> down_columns(const std::vector<T>& x, std::size_t width,
                                            double base) {
  guarded_array<T> matrix(x.size() * width);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < width; ++j) matrix[i * width + j] = x[(i + j) % x.size()];
  }
  guarded_array<double> grid(width), residue(width), residue_bits(width);
  std::fill(grid.begin(), grid.end(), base);
  kernels::sum_kernels_of<T>().extract_columns[static_cast<std::size_t>(P) - 1](
      matrix.data(), static_cast<std::int64_t>(width), std::ssize(x),
      static_cast<std::int64_t>(width), {grid.data(), residue.data(), residue_bits.data()});
  std::vector<extraction_result> results;
  for (std::size_t j = 0; j < width; ++j) {
    results.push_back({{.base = base,
                        .hi = grid[j] - base,
                        .lo = residue[j],
                        .residue_bits = to_bits(residue_bits[j])},
                       error_of_extraction(base, std::ssize(x), std::ssize(x))});
  }
  return results;
}

template <typename T, power P>
std::vector<extraction_result> extractions(const std::vector<T>& x, random_source& random) {
  const double base = base_for(to_float128(exactly<T, P>(x).value()));
  std::vector<extraction_result> results{along_row<T, P>(x, base)};
  for (const auto& column : down_columns<T, P>(x, 1 + random.below(20), base)) {
    results.push_back(column);
  }
  return results;
}

// hi is a multiple of the grid's unit, and lo as near to the rest as it says.
void expect_promises_kept(const extraction_result& result, float128 exact) {
  const extracted_sum& sum = result.sum;
  if (!std::isfinite(sum.base) || !std::isfinite(sum.hi) || !std::isfinite(sum.lo)) return;
  const double units = sum.hi / (sum.base * 0x1p-52);
  EXPECT_EQ(units, std::trunc(units));
  const float128 rest = exact - sum.hi;
  const float128 error = rest > sum.lo ? rest - sum.lo : sum.lo - rest;
  EXPECT_LE(error, result.error.absolute + exact * 0x1p-110);
  if (sum.residue_bits == 0) {
    EXPECT_EQ(static_cast<double>(exact), sum.hi);
    EXPECT_EQ(sum.lo, 0);
  }
}

template <typename Out, typename T, power P>
void expect_right_where_settled(const extraction_result& result, const exact_sum<T, P>& exact) {
  for (const root r : {root::no, root::yes}) {
    Out out;
    if (!settle_extracted(result.sum, result.error, r, &out)) continue;
    EXPECT_EQ(to_bits(out), to_bits(finish_exact<Out>(exact, r)))
        << name_of(dtype_of<Out>) << (r == root::yes ? ", root" : ", sum");
  }
}

template <typename T, power P>
void expect_right(const std::vector<T>& x, random_source& random) {
  const auto exact = exactly<T, P>(x);
  const bool is_finite = !exact.has_nan() && !exact.has_infinity();
  for (const extraction_result& result : extractions<T, P>(x, random)) {
    if (is_finite) expect_promises_kept(result, to_float128(exact.value()));
    expect_right_where_settled<bfloat16>(result, exact);
    expect_right_where_settled<float16>(result, exact);
    expect_right_where_settled<float>(result, exact);
    expect_right_where_settled<double>(result, exact);
  }
}

template <typename T>
std::vector<T> elements(const std::vector<oracle::bits>& patterns) {
  std::vector<T> x;
  for (const oracle::bits b : patterns) {
    x.push_back(from_bits<T>(static_cast<typename float_format<T>::bits_type>(b)));
  }
  return x;
}

template <typename T, power P>
struct sum_case {
  using type = T;
  static constexpr power value = P;
};
template <typename Case>
class extracted_sums : public testing::Test {};
using cases = testing::Types<sum_case<bfloat16, power::abs>, sum_case<bfloat16, power::square>,
                             sum_case<float16, power::abs>, sum_case<float16, power::square>,
                             sum_case<float, power::abs>, sum_case<float, power::square>,
                             sum_case<double, power::abs>, sum_case<double, power::square>>;
TYPED_TEST_SUITE(extracted_sums, cases);

TYPED_TEST(extracted_sums, of_any_elements) {
  using T = typename TypeParam::type;
  on_each_target([] {
    random_source random(21);
    for (const oracle::character kind : oracle::characters(dtype_of<T>)) {
      SCOPED_TRACE(oracle::text_of(kind));
      for (int i = 0; i < oracle::scaled(100); ++i) {
        const auto slice = oracle::draw(kind, dtype_of<T>, 1 + random.below(100), random);
        expect_right<T, TypeParam::value>(elements<T>(slice), random);
      }
    }
  });
}

// On midpoints, on outputs, and one unit of the input beside them.
TYPED_TEST(extracted_sums, at_rounding_boundaries) {
  using T = typename TypeParam::type;
  constexpr power P = TypeParam::value;
  on_each_target([] {
    random_source random(22);
    for (const dtype output : oracle::float_types) {
      for (const oracle::operation op : oracle::reductions) {
        const oracle::question question{op, dtype_of<T>, output};
        if (question.sums_squares() != (P == power::square)) continue;
        for (int i = 0; i < oracle::scaled(300); ++i) {
          const auto slice = oracle::reduction_at_boundary(question, random);
          if (slice && !slice->empty()) expect_right<T, P>(elements<T>(*slice), random);
        }
      }
    }
  });
}

TYPED_TEST(extracted_sums, of_zeros) {
  using T = typename TypeParam::type;
  on_each_target([] {
    random_source random(23);
    const std::vector<T> x(37, with_sign(from_bits<T>(0), true));
    for (const auto& result : extractions<T, TypeParam::value>(x, random)) {
      for (const root r : {root::no, root::yes}) {
        float out = 1;
        EXPECT_TRUE(settle_extracted(result.sum, result.error, r, &out));
        EXPECT_EQ(to_bits(out), 0u);
      }
    }
  });
}

// An element whose term is 2^exponent, where there is one.
template <typename T, power P>
std::optional<T> element_with_term(int exponent) {
  if (P == power::square && exponent % 2 != 0) return {};
  const int own = P == power::square ? exponent / 2 : exponent;
  using format = float_format<T>;
  if (own < format::min_exponent || own >= format::max_exponent + format::precision) return {};
  return static_cast<T>(std::ldexp(1.0, own));
}

// Elements whose terms are powers of two, these many of each exponent.
template <typename T, power P>
std::optional<std::vector<T>> with_terms(const std::vector<std::pair<int, std::size_t>>& terms) {
  std::vector<T> x;
  for (const auto& [exponent, count] : terms) {
    const auto element = element_with_term<T, P>(exponent);
    if (!element) return {};
    x.insert(x.end(), count, *element);
  }
  return x;
}

template <typename T, power P, typename Out>
int expect_settled(const std::optional<std::vector<T>>& x, root r, random_source& random) {
  if (!x) return 0;
  const Out expected = finish_exact<Out>(exactly<T, P>(*x), r);
  for (const auto& result : extractions<T, P>(*x, random)) {
    Out out;
    EXPECT_TRUE(settle_extracted(result.sum, result.error, r, &out));
    EXPECT_EQ(to_bits(out), to_bits(expected));
  }
  return 1;
}

// 2^p + 1, p the precision of Out, is a midpoint, and so is the root of its square. Without a bit
// far below it is a tie, with one it is not: both are settled. Returns how many were tried.
template <typename T, power P, typename Out>
int expect_ties_settled(random_source& random) {
  constexpr int p = float_format<Out>::precision;
  int tried = 0;
  for (const int unit : {-22, -8, 0, 8}) {
    if (unit < float_format<Out>::min_exponent) continue;
    using list = std::vector<std::pair<int, std::size_t>>;
    // Of squares, the exponents are even.
    list sum = p % 2 == 0 ? list{{p + unit, 1}, {unit, 1}} : list{{p - 1 + unit, 2}, {unit, 1}};
    list square{{2 * p + unit, 1}, {p + 1 + unit, 1}, {unit, 1}};
    if (p % 2 == 0) square[1] = {p + unit, 2};
    for (const int far : {-30, -100, -126}) {
      list broken = sum, broken_square = square;
      broken.push_back({far + unit, 1});
      broken_square.push_back({far + unit, 1});
      tried += expect_settled<T, P, Out>(with_terms<T, P>(broken), root::no, random);
      tried += expect_settled<T, P, Out>(with_terms<T, P>(broken_square), root::yes, random);
    }
    tried += expect_settled<T, P, Out>(with_terms<T, P>(sum), root::no, random);
    tried += expect_settled<T, P, Out>(with_terms<T, P>(square), root::yes, random);
  }
  return tried;
}

TYPED_TEST(extracted_sums, ties_and_ties_broken_far_below_are_settled) {
  using T = typename TypeParam::type;
  constexpr power P = TypeParam::value;
  on_each_target([] {
    random_source random(24);
    EXPECT_GT((expect_ties_settled<T, P, bfloat16>(random)), 0);
    EXPECT_GT((expect_ties_settled<T, P, float16>(random)), 0);
    EXPECT_GT((expect_ties_settled<T, P, float>(random)), 0);
  });
}

// What residues of both signs leave of a tie, down to nothing.
TEST(extracted_sums_of_doubles, residues_of_both_signs) {
  on_each_target([] {
    random_source random(25);
    for (int i = 0; i < oracle::scaled(2000); ++i) {
      const double midpoint = 0x1p24 + 1;
      const double small =
          std::ldexp(1 + random.unit(), static_cast<int>(random.between(-70, -30)));
      // The parts of one that small is cut off from, and small itself or a little more or less.
      std::vector<double> x{midpoint - 1,
                            1 - std::ldexp(1.0, -30) - (random.once_in(2) ? small : 0),
                            std::ldexp(1.0, -30)};
      x.push_back(small * (1 + 0x1p-52 * static_cast<double>(random.between(-1, 1))));
      random.shuffle(x);
      expect_right<double, power::abs>(x, random);
      expect_right<double, power::square>(x, random);
    }
  });
}

// Squares whose lower halves, or all of them, are below the smallest double.
TEST(extracted_sums_of_doubles, squares_that_underflow) {
  on_each_target([] {
    random_source random(26);
    for (int i = 0; i < oracle::scaled(3000); ++i) {
      std::vector<double> x;
      if (random.once_in(2)) x = {0x1p12, 1};  // a tie of float
      const auto low = random.between(-1074, -400);
      for (auto n = 1 + random.below(20); n > 0; --n) {
        const auto exponent = static_cast<int>(low + random.between(0, 60));
        x.push_back(std::ldexp(1 + random.unit(), exponent));
      }
      random.shuffle(x);
      expect_right<double, power::square>(x, random);
    }
  });
}

// A base that no double is large enough for, and elements that are not finite, settle nothing.
TYPED_TEST(extracted_sums, not_finite_stays_open) {
  using T = typename TypeParam::type;
  constexpr power P = TypeParam::value;
  on_each_target([] {
    random_source random(27);
    for (const T special : {quiet_nan<T>(), infinity<T>(), with_sign(infinity<T>(), true)}) {
      for (const std::size_t length : {1, 2, 7, 16, 33}) {
        std::vector<T> x(length, static_cast<T>(1.0));
        x[random.below(length)] = special;
        for (const double base : {extraction_base(static_cast<double>(length)),
                                  extraction_base(std::numeric_limits<double>::infinity())}) {
          std::vector<extraction_result> results{along_row<T, P>(x, base)};
          for (const auto& column : down_columns<T, P>(x, 5, base)) results.push_back(column);
          for (const auto& result : results) {
            float out;
            EXPECT_FALSE(settle_extracted(result.sum, result.error, root::no, &out));
            EXPECT_FALSE(settle_extracted(result.sum, result.error, root::yes, &out));
          }
        }
      }
    }
  });
}

}  // namespace
}  // namespace halfulp
