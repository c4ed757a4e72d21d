// Data that the fast sums cannot settle is settled by extraction, or as scaled sums, and not by the
// exact sum: no result depends on it, but the speed does. SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "halfulp/halfulp.hpp"
#include "numerics/support/check.hpp"
#include "numerics/support/random_source.hpp"
#include "numerics/support/type_parameter.hpp"
#include "unit/support/targets.hpp"

namespace oracle {
namespace {

// A matrix of zeros, and its slices: rows, or columns.
class slices {
 public:
  slices(dtype type, std::int64_t count, std::int64_t length, std::int64_t axis)
      : count_(count), length_(length), axis_(axis) {
    matrix_.type = type;
    matrix_.shape = axis == 1 ? std::vector{count, length} : std::vector{length, count};
    matrix_.elements.resize(static_cast<std::size_t>(count * length), 0);
  }

  std::int64_t count() const { return count_; }
  std::int64_t length() const { return length_; }
  // `value` must be an element.
  void set(std::int64_t slice, std::int64_t i, double value) {
    set_bits(slice, i, encode(matrix_.type, value));
  }
  void set_bits(std::int64_t slice, std::int64_t i, bits pattern) {
    const std::int64_t at = axis_ == 1 ? slice * length_ + i : i * count_ + slice;
    matrix_.elements[static_cast<std::size_t>(at)] = pattern;
  }

  // Right on every target; returns how many slices the exact sum settled on the one where it
  // settled most.
  std::int64_t exact_ones(operation op) const {
    const halfulp::options along{.axes = {{axis_}}};
    const tensor right = expected(op_of(op), matrix_, along);
    halfulp::tensor input({matrix_.type, matrix_.shape, {}});
    const std::vector<std::byte> packed = pack(matrix_.type, matrix_.elements);
    std::memcpy(input.data(), packed.data(), packed.size());
    std::int64_t most = 0;
    halfulp::on_each_target([&] {
      EXPECT_EQ(computed(op_of(op), matrix_, along), right);
      halfulp::run_statistics statistics;
      halfulp::compute(op_of(op), {input.data(), input.layout()}, along,
                       {.threads = 1, .statistics = &statistics});
      most = std::max(most, statistics.exact);
    });
    return most;
  }

 private:
  tensor matrix_;
  std::int64_t count_, length_, axis_;
};

// In slice j the sum, or the root, is 2^exponent times 2^p + 1, p the precision: a midpoint. The
// smallest element there is moves every second one a little beyond.
void set_midpoint(slices& x, dtype type, operation op, std::int64_t j, int exponent) {
  const float_format& format = format_of(type);
  const int p = format.precision;
  std::int64_t i = 0;
  x.set(j, i++, std::ldexp(1.0, p + exponent));
  x.set(j, i++, std::ldexp(1.0, exponent));
  if (op == operation::l2) {
    // (2^p + 1)^2: 2^(p + 1) is one square, or two.
    x.set(j, i++, std::ldexp(1.0, (p + 1) / 2 + exponent));
    if (p % 2 == 0) x.set(j, i++, std::ldexp(1.0, p / 2 + exponent));
  }
  if (j % 2 == 0) x.set(j, x.length() / 2, std::ldexp(1.0, format.min_exponent()));
}

class hard_data : public testing::TestWithParam<dtype> {};

TEST_P(hard_data, midpoints_are_extracted) {
  const dtype type = GetParam();
  for (const operation op : {operation::l1, operation::l2}) {
    for (const std::int64_t axis : {0, 1}) {
      slices x(type, 700, 100, axis);
      for (std::int64_t j = 0; j < x.count(); ++j) set_midpoint(x, type, op, j, 0);
      EXPECT_EQ(x.exact_ones(op), 0) << halfulp::name_of(op_of(op)) << " along axis " << axis;
    }
  }
}

// Neighbours are no help where sums are of other sizes each time.
TEST_P(hard_data, midpoints_of_all_sizes_are_extracted) {
  const dtype type = GetParam();
  random_source random(71);
  const int range = type == dtype::float16 ? 4 : type == dtype::float64 ? 300 : 20;
  for (const operation op : {operation::l1, operation::l2}) {
    for (const std::int64_t axis : {0, 1}) {
      slices x(type, 700, 100, axis);
      for (std::int64_t j = 0; j < x.count(); ++j) {
        // Some are zeros.
        if (j % 7 == 0) continue;
        set_midpoint(x, type, op, j, static_cast<int>(random.between(-range, range)));
      }
      EXPECT_EQ(x.exact_ones(op), 0) << halfulp::name_of(op_of(op)) << " along axis " << axis;
    }
  }
}

// A tile that nothing but the exact sum settles says little of the next ones.
TEST_P(hard_data, not_a_number_before_ordinary_slices) {
  const dtype type = GetParam();
  const float_format& format = format_of(type);
  const bits one = encode(type, 1);
  random_source random(72);
  slices x(type, 3000, 100, 1);
  constexpr std::int64_t first_tile = 500;
  for (std::int64_t j = 0; j < x.count(); ++j) {
    // Between 1 and 2.
    for (std::int64_t i = 0; i < x.length(); ++i) {
      x.set_bits(j, i, one + random.below(bits{1} << (format.precision - 1)));
    }
    if (j < first_tile) x.set_bits(j, 0, format.quiet_nan());
  }
  EXPECT_LE(x.exact_ones(operation::l1), first_tile + 10);
}

INSTANTIATE_TEST_SUITE_P(of_type, hard_data, testing::ValuesIn(float_types), name_of_parameter);

// Squares that are no doubles, and sums of magnitudes that are none.
TEST(hard_data_of_doubles, out_of_range_is_scaled) {
  random_source random(73);
  slices large(dtype::float64, 300, 100, 1), small(dtype::float64, 300, 100, 1);
  for (std::int64_t j = 0; j < large.count(); ++j) {
    for (std::int64_t i = 0; i < large.length(); ++i) {
      large.set(j, i, std::ldexp(1 + random.unit(), static_cast<int>(random.between(-1000, 1022))));
      small.set(j, i, std::ldexp(1 + random.unit(), static_cast<int>(random.between(-1060, -600))));
    }
  }
  EXPECT_LE(large.exact_ones(operation::l2), 3);
  EXPECT_LE(small.exact_ones(operation::l2), 3);
  EXPECT_LE(large.exact_ones(operation::l1), 3);
}

// What one row is scaled by is no good for the next ones.
TEST(hard_data_of_doubles, ordinary_rows_after_scaled_ones) {
  for (const operation op : {operation::l1, operation::l2}) {
    slices x(dtype::float64, 1000, 32, 1);
    for (std::int64_t j = 0; j < x.count(); ++j) {
      for (std::int64_t i = 0; i < x.length(); ++i) {
        x.set(j, i, j < 300 ? 0x1p1023 : j % 3 == 0 ? 0 : 0x1p-10);
      }
    }
    EXPECT_EQ(x.exact_ones(op), 0) << halfulp::name_of(op_of(op));
  }
}

}  // namespace
}  // namespace oracle
