// Sums of elements times a power of two: right wherever they settle, and they do settle what
// double's range does not hold. SPDX-License-Identifier: Apache-2.0
#include "exec/scaled_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "accum/exact_finish.hpp"
#include "numerics/support/check.hpp"
#include "numerics/support/random_source.hpp"
#include "unit/support/targets.hpp"

namespace halfulp {
namespace {

using oracle::random_source;

// What scale_for() gives.
constexpr double of_magnitudes = 0x1p-64;
constexpr double of_squares[] = {0x1p-600, 0x1p+900};

std::vector<double> elements(random_source& random, int lowest, int highest) {
  std::vector<double> x(1 + random.below(random.once_in(8) ? 9000 : 100));
  for (double& v : x) {
    v = std::ldexp(1 + random.unit(), static_cast<int>(random.between(lowest, highest)));
    if (random.once_in(2)) v = -v;
  }
  return x;
}

template <power P>
class row {
 public:
  explicit row(const std::vector<double>& x) : x_(x) {
    sum_.add(data(), std::ssize(x), sizeof(double));
  }

  // Whether it settled, rightly, with this scale.
  bool settles(double scale, root r) const {
    const std::int64_t n = std::ssize(x_);
    const loop_nest nest{.kept = {{1, 0, 0}},
                         .reduced = {{n, sizeof(double), 0}},
                         .layout = layout_class::row,
                         .slice_count = 1,
                         .slice_length = n,
                         .in_offset = 0,
                         .out_offset = 0};
    double out;
    if (!scaled_rows<P>(nest, data(), r).settle(data(), scale, &out)) return false;
    EXPECT_EQ(to_bits(out), to_bits(finish_exact<double>(sum_, r)))
        << "times " << scale << (r == root::yes ? ", root" : ", sum");
    return true;
  }

  double scale_for(double hi, double lo, root r) const {
    const loop_nest nest{};
    return scaled_rows<P>(nest, data(), r).scale_for(hi, lo);
  }

 private:
  const std::byte* data() const { return reinterpret_cast<const std::byte*>(x_.data()); }

  const std::vector<double>& x_;
  exact_sum<double, P> sum_;
};

// How many of `count` rows settle that have exponents in this range.
template <power P>
int settled(int count, int lowest, int highest, double scale, root r, random_source& random) {
  int all = 0;
  for (int i = 0; i < count; ++i) {
    const auto x = elements(random, lowest, highest);
    if (row<P>(x).settles(scale, r)) ++all;
  }
  return all;
}

// Any elements: never wrong.
TEST(scaled_rows_of_doubles, right_where_settled) {
  on_each_target([] {
    random_source random(1);
    for (int i = 0; i < oracle::scaled(500); ++i) {
      const auto low = static_cast<int>(random.between(-1074, 1000));
      const auto high = std::min(1023, low + static_cast<int>(random.below(2100)));
      const auto x = elements(random, low, high);
      row<power::abs>(x).settles(of_magnitudes, root::no);
      for (const double scale : of_squares) row<power::square>(x).settles(scale, root::yes);
    }
  });
}

TEST(scaled_rows_of_doubles, settle_what_has_no_square_in_range) {
  on_each_target([] {
    random_source random(2);
    constexpr int count = 300;
    // But for the few that are beside a midpoint, and results that are subnormal.
    EXPECT_GT(settled<power::square>(count, 452, 1020, 0x1p-600, root::yes, random), count - 5);
    EXPECT_GT(settled<power::square>(count, -1060, -460, 0x1p+900, root::yes, random), count - 20);
    EXPECT_GT(settled<power::abs>(count, 1010, 1022, 0x1p-64, root::no, random), count - 5);
  });
}

// Results beyond the largest double are infinite, those just below it are not.
TEST(scaled_rows_of_doubles, at_the_end_of_the_range) {
  const double largest = std::numeric_limits<double>::max();
  const double unit = 0x1p971;
  on_each_target([&] {
    for (const std::vector<double>& x : {std::vector<double>{largest, unit / 4},
                                         {largest, unit / 2, -unit / 1024},
                                         {largest, largest},
                                         {largest / 2, largest / 2, unit},
                                         {largest, 1}}) {
      EXPECT_TRUE(row<power::abs>(x).settles(0x1p-64, root::no));
      EXPECT_TRUE(row<power::square>(x).settles(0x1p-600, root::yes));
    }
  });
}

// Where the result is subnormal, it would be rounded twice.
TEST(scaled_rows_of_doubles, subnormal_results_stay_open) {
  const double smallest = std::numeric_limits<double>::denorm_min();
  const std::vector<double> x{3 * smallest, 5 * smallest, smallest};
  on_each_target([&] { EXPECT_FALSE(row<power::square>(x).settles(0x1p+900, root::yes)); });
}

TEST(scaled_rows_of_doubles, not_finite_stays_open) {
  on_each_target([] {
    for (const double special :
         {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
      const std::vector<double> x{0x1p1000, special, 1, 2, 3};
      EXPECT_FALSE(row<power::abs>(x).settles(of_magnitudes, root::no));
      for (const double scale : of_squares) {
        EXPECT_FALSE(row<power::square>(x).settles(scale, root::yes));
      }
    }
  });
}

TEST(scaled_rows_of_doubles, the_scale_follows_from_the_fast_sum) {
  const double infinite = std::numeric_limits<double>::infinity();
  const std::vector<double> none;
  const row<power::square> squares(none);
  EXPECT_EQ(squares.scale_for(infinite, 0, root::yes), 0x1p-600);
  EXPECT_EQ(squares.scale_for(0x1p901, 0, root::yes), 0x1p-600);
  EXPECT_EQ(squares.scale_for(0x1p-901, 0, root::yes), 0x1p+900);
  EXPECT_EQ(squares.scale_for(1, 0, root::yes), 1);
  EXPECT_EQ(squares.scale_for(infinite, 0, root::no), 1);
  const row<power::abs> magnitudes(none);
  EXPECT_EQ(magnitudes.scale_for(infinite, std::nan(""), root::no), 0x1p-64);
  EXPECT_EQ(magnitudes.scale_for(0x1p-1000, 0, root::no), 1);
}

}  // namespace
}  // namespace halfulp
