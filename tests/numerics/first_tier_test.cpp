// Ordinary data is settled by the first tier: no result depends on it, but the speed does.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "halfulp/halfulp.hpp"
#include "numerics/support/check.hpp"
#include "numerics/support/draw.hpp"
#include "numerics/support/random_source.hpp"
#include "numerics/support/type_parameter.hpp"
#include "unit/support/targets.hpp"

namespace oracle {
namespace {

// Box and Muller's.
double normal(random_source& random) {
  const double radius = std::sqrt(-2 * std::log(1 - random.unit()));
  return radius * std::cos(2 * std::numbers::pi * random.unit());
}

template <typename T>
void fill(void* data, std::size_t count, random_source& random) {
  for (std::size_t i = 0; i < count; ++i) static_cast<T*>(data)[i] = T(normal(random));
}

halfulp::tensor normal_tensor(dtype type, std::vector<std::int64_t> shape, std::uint64_t seed) {
  halfulp::tensor x({type, std::move(shape), {}});
  random_source random(seed);
  switch (type) {
    case dtype::bfloat16:
      fill<halfulp::bfloat16>(x.data(), x.element_count(), random);
      break;
    case dtype::float16:
      fill<halfulp::float16>(x.data(), x.element_count(), random);
      break;
    case dtype::float32:
      fill<float>(x.data(), x.element_count(), random);
      break;
    default:
      fill<double>(x.data(), x.element_count(), random);
  }
  return x;
}

// The share of the slices that the first tier settles.
double fast_share(halfulp::op op, const halfulp::tensor& x, const halfulp::options& options) {
  halfulp::run_statistics statistics;
  halfulp::compute(op, {x.data(), x.layout()}, options, {.threads = 1, .statistics = &statistics});
  const std::int64_t all = statistics.fast + statistics.extracted + statistics.exact;
  EXPECT_GT(all, 1);
  return static_cast<double>(statistics.fast) / static_cast<double>(all);
}

struct slices {
  std::vector<std::int64_t> shape;
  std::int64_t axis;
};

class first_tier : public testing::TestWithParam<dtype> {};

TEST_P(first_tier, settles_reductions) {
  const slices cases[] = {{{500, 768}, 1}, {{9000, 2}, 1},  {{6000, 3}, 1},
                          {{5000, 5}, 1},  {{4000, 16}, 1}, {{2000, 64}, 1},
                          {{768, 500}, 0}, {{2, 9000}, 0},  {{3, 6000}, 0}};
  for (const slices& c : cases) {
    const halfulp::tensor x = normal_tensor(GetParam(), c.shape, 61);
    halfulp::on_each_target([&] {
      for (const operation op : reductions) {
        EXPECT_GE(fast_share(op_of(op), x, {.axes = {{c.axis}}}), 0.98)
            << halfulp::name_of(op_of(op)) << " of " << c.shape[0] << " x " << c.shape[1]
            << " along axis " << c.axis;
      }
    });
  }
}

TEST_P(first_tier, settles_quotients) {
  for (const slices& c : {slices{{500, 768}, 1}, slices{{500, 700}, 0}}) {
    const halfulp::tensor x = normal_tensor(GetParam(), c.shape, 62);
    halfulp::on_each_target([&] {
      for (const std::int64_t p : {1, 2}) {
        EXPECT_GE(fast_share(halfulp::op::lp_normalization, x, {.axis = c.axis, .p = p}), 0.95)
            << "p " << p << " of " << c.shape[0] << " x " << c.shape[1] << " along axis " << c.axis;
      }
    });
  }
}

halfulp::tensor drawn_tensor(character kind, dtype type, std::vector<std::int64_t> shape,
                             std::uint64_t seed) {
  halfulp::tensor x({type, std::move(shape), {}});
  random_source random(seed);
  const auto elements = draw(kind, type, x.element_count(), random);
  auto* to = static_cast<std::byte*>(x.data());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    store(type, elements[i], to + i * bytes_of(type));
  }
  return x;
}

// Sums of integers, and their roots, are midpoints again and again, but exact. A sixteenth of a
// tile may be left to later tiers all the same.
TEST_P(first_tier, settles_integers) {
  const dtype type = GetParam();
  for (const slices& c : {slices{{300, 768}, 1}, slices{{2000, 8}, 1}, slices{{768, 300}, 0}}) {
    const halfulp::tensor x = drawn_tensor(character::small_integers, type, c.shape, 63);
    halfulp::on_each_target([&] {
      for (const operation op : reductions) {
        if (type == dtype::float64 && op != operation::l1) continue;
        EXPECT_GE(fast_share(op_of(op), x, {.axes = {{c.axis}}}), 0.93)
            << halfulp::name_of(op_of(op)) << " of " << c.shape[0] << " x " << c.shape[1]
            << " along axis " << c.axis;
      }
    });
  }
}

// Squares of bfloat16 out of float's range are settled in double.
TEST(first_tier_of_squares, settles_bfloat16_of_any_exponent) {
  for (const character kind : {character::wide, character::subnormal}) {
    const halfulp::tensor x = drawn_tensor(kind, dtype::bfloat16, {300, 768}, 64);
    halfulp::on_each_target([&] {
      EXPECT_GE(fast_share(halfulp::op::reduce_l2, x, {.axes = {{1}}}), 0.9) << text_of(kind);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(of_type, first_tier, testing::ValuesIn(float_types), name_of_parameter);

}  // namespace
}  // namespace oracle
