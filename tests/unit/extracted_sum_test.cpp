// The second tier: sums by extraction are what they say, and never settle wrongly, on midpoints,
// beside them by one unit of the input, and on anything else.
// SPDX-License-Identifier: Apache-2.0
#include "accum/extracted_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
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

// A sum by extraction with the bound on its error, and the unit of the grid of hi.
struct extraction_result {
  extracted_sum sum;
  extraction_error error;
  double unit;
  bool in_floats;
};

double base_for(float128 sum) { return extraction_base(static_cast<double>(sum) * (1 + 0x1p-50)); }

template <typename T, typename F>
const kernels::extraction_kernels<T, F>& kernels_in() {
  if constexpr (std::is_same_v<F, float>) {
    return kernels::sum_kernels_of<T>().extraction_in_floats;
  } else {
    return kernels::sum_kernels_of<T>().extraction;
  }
}

template <typename T, power P, typename F>
extraction_result with_error(const extracted_sum& sum, std::int64_t terms, std::int64_t depth) {
  constexpr bool in_floats = std::is_same_v<F, float>;
  const double unit = sum.base() * (in_floats ? 0x1p-23 : 0x1p-52);
  return {sum, error_of_extraction<T, P, F>(sum, terms, depth), unit, in_floats};
}

template <typename T, power P, typename F>
extraction_result along_row(const std::vector<T>& x, double base) {
  guarded_array<T> row(x.size());
  std::copy(x.begin(), x.end(), row.begin());
  auto sum = start_extraction<T, P, F>(base, std::ssize(x));
  kernels_in<T, F>().row[static_cast<std::size_t>(P) - 1](row.data(), std::ssize(x), sum);
  return with_error<T, P, F>(sum, std::ssize(x),
                             std::ssize(x) + kernels::additions_per_extracted_row);
}

// As one of several columns, the others of which hold the same elements from another one on.
template <typename T, power P, typename F>
std::vector<extraction_result> down_columns(const std::vector<T>& x, std::size_t width,
                                            double base) {
  guarded_array<T> matrix(x.size() * width);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = 0; j < width; ++j) matrix[i * width + j] = x[(i + j) % x.size()];
  }
  constexpr std::size_t grids = cuts<T, P, F>;
  const auto start = start_extraction<T, P, F>(base, std::ssize(x));
  guarded_array<F> grid0(width), grid1(width), grid2(width), residue(width), residue_bits(width);
  const std::array<F*, 3> all{grid0.data(), grid1.data(), grid2.data()};
  kernels::column_extraction<F> state{{}, residue.data(), residue_bits.data()};
  for (std::size_t i = 0; i < grids; ++i) {
    state.grids[i] = all[i];
    std::fill_n(all[i], width, static_cast<F>(start.start(i)));
  }
  kernels_in<T, F>().columns[static_cast<std::size_t>(P) - 1](
      matrix.data(), static_cast<std::int64_t>(width), std::ssize(x),
      static_cast<std::int64_t>(width), state);
  std::vector<extraction_result> results;
  for (std::size_t j = 0; j < width; ++j) {
    extracted_sum sum = start;
    for (std::size_t i = 0; i < grids; ++i) {
      sum.parts[i] = static_cast<double>(all[i][j]) - start.start(i);
    }
    sum.lo = static_cast<double>(residue[j]);
    sum.residue_bits = extracted_sum::bits_of(residue_bits[j]);
    results.push_back(with_error<T, P, F>(sum, std::ssize(x), std::ssize(x)));
  }
  return results;
}

template <typename T, power P, typename F>
void extract(const std::vector<T>& x, double base, std::size_t width,
             std::vector<extraction_result>& results) {
  results.push_back(along_row<T, P, F>(x, base));
  for (const auto& column : down_columns<T, P, F>(x, width, base)) results.push_back(column);
}

// In doubles, and in floats where that is done; to `base`.
template <typename T, power P>
std::vector<extraction_result> extractions_to(double base, const std::vector<T>& x,
                                              random_source& random) {
  std::vector<extraction_result> results;
  const std::size_t width = 1 + random.below(20);
  extract<T, P, double>(x, base, width, results);
  if constexpr (sizeof(T) == 2) {
    if (fits_floats(base)) extract<T, P, float>(x, base, width, results);
  }
  return results;
}

template <typename T, power P>
std::vector<extraction_result> extractions(const std::vector<T>& x, random_source& random) {
  return extractions_to<T, P>(base_for(to_float128(exactly<T, P>(x).value())), x, random);
}

// hi is a multiple of the grid's unit, and lo as near to the rest as it says.
void expect_promises_kept(const extraction_result& result, float128 exact) {
  const extracted_sum& sum = result.sum;
  if (!sum.is_valid()) return;
  const double units = sum.hi() / result.unit;
  EXPECT_EQ(units, std::trunc(units));
  const float128 rest = exact - sum.parts[0] - sum.parts[1] - sum.parts[2];
  const float128 error = rest > sum.lo ? rest - sum.lo : sum.lo - rest;
  const float128 room = exact * 0x1p-110;
  EXPECT_LE(error, result.error.absolute + result.error.left_out + room);
  if ((sum.residue_bits & float_format<double>::sign_mask) == 0) {
    EXPECT_GE(rest, sum.lo * (1 - result.error.relative) - room);
    EXPECT_LE(rest, sum.lo * (1 + result.error.relative) + result.error.left_out + room);
  }
  if (sum.residue_bits == 0) {
    EXPECT_LE(rest, exact * 0x1p-110);
    EXPECT_LE(-rest, exact * 0x1p-110);
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
  auto results = extractions<T, P>(x, random);
  // Another base than the right one, too small ones included, settles nothing wrongly either.
  const double base = results.front().sum.base();
  for (const double other : {base * 2, base * 0x1p20, base / 2, base / 4, base * 0x1p-20}) {
    if (!std::isfinite(other) || other < extraction_base(0)) continue;
    for (const auto& result : extractions_to<T, P>(other, x, random)) results.push_back(result);
  }
  for (const extraction_result& result : results) {
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
    if (result.in_floats && !std::is_same_v<T, Out>) continue;
    // No operator has roots of sums of magnitudes, and there are not cuts enough for them.
    const bool has_cuts = !result.in_floats && !std::is_same_v<Out, double>;
    if (P == power::abs && r == root::yes && !has_cuts) continue;
    Out out;
    EXPECT_TRUE(settle_extracted(result.sum, result.error, r, &out))
        << name_of(dtype_of<Out>) << (r == root::yes ? ", root: " : ", sum: ") << result.sum.hi()
        << " + " << result.sum.parts[1] << " + " << result.sum.parts[2] << " + " << result.sum.lo
        << " to " << result.sum.base();
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
    if (std::is_same_v<T, double>) {
      EXPECT_GT((expect_ties_settled<T, P, double>(random)), 0);
    }
  });
}

// Many residues without a sign whose rounding errors all have one: the relative bound is tried.
TYPED_TEST(extracted_sums, of_many_small_residues) {
  using T = typename TypeParam::type;
  on_each_target([] {
    random_source random(28);
    for (const std::size_t length : {500, 5000}) {
      for (int i = 0; i < oracle::scaled(20); ++i) {
        // One element that sets the base, and small ones, all of which are below its unit.
        std::vector<T> x(length, static_cast<T>(0.0));
        x[0] = static_cast<T>(std::ldexp(1.0, sizeof(T) == 8 ? 60 : 6));
        const int low = sizeof(T) == 8 ? -120 : std::is_same_v<T, float16> ? -13 : -50;
        const double small = std::ldexp(1.0, low);
        for (std::size_t j = 1; j < length; ++j) {
          x[j] = static_cast<T>(small * (1 + random.unit()));
        }
        expect_right<T, TypeParam::value>(x, random);
      }
    }
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
          const auto results = extractions_to<T, P>(base, x, random);
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
