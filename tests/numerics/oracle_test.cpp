// The oracle itself: values known beforehand, the processor's own correctly rounded operations, and
// the two oracles against each other.
// SPDX-License-Identifier: Apache-2.0
#include "oracle/oracle.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "numerics/support/check.hpp"
#include "numerics/support/construct.hpp"
#include "numerics/support/draw.hpp"
#include "oracle/natural.hpp"

namespace oracle {
namespace {

bits f32(float x) { return std::bit_cast<std::uint32_t>(x); }
bits f64(double x) { return std::bit_cast<std::uint64_t>(x); }

TEST(natural_numbers, carry_through_every_word) {
  natural x(~std::uint64_t{0});
  x.add_shifted(~std::uint64_t{0}, 64);
  x.add_shifted(1, 0);
  EXPECT_EQ(x, natural(1) << 128);
  EXPECT_EQ(x.bit_length(), 129u);
  EXPECT_EQ(x.trailing_zero_bits(), 128u);
}

TEST(natural_numbers, squares_by_two_ways) {
  random_source random(1);
  for (int i = 0; i < scaled(1000); ++i) {
    const std::uint64_t value = random.word() >> random.below(64);
    const std::size_t shift = random.below(200);
    natural square;
    square.add_square_shifted(value, shift);
    EXPECT_EQ(square, (natural(value) * natural(value)) << shift);
    EXPECT_EQ(square >> shift, natural(value) * natural(value));
    EXPECT_EQ(natural(value).low_64_bits(), value);
  }
}

TEST(format, encode_inverts_decode_for_every_16_bit_float) {
  for (const dtype type : {dtype::bfloat16, dtype::float16}) {
    for (bits pattern = 0; pattern < 0x10000; ++pattern) {
      const element x = decode(type, pattern);
      if (x.kind != element::kind::finite) continue;
      const bits back = encode(format_of(type), x.negative, x.mantissa, x.exponent);
      ASSERT_EQ(back, x.mantissa == 0 && !x.negative ? 0 : pattern);
    }
  }
}

TEST(format, constants_of_the_standard) {
  EXPECT_EQ(format_of(dtype::float16).quiet_nan(), 0x7e00u);
  EXPECT_EQ(format_of(dtype::bfloat16).quiet_nan(), 0x7fc0u);
  EXPECT_EQ(format_of(dtype::float32).quiet_nan(), 0x7fc00000u);
  EXPECT_EQ(format_of(dtype::float64).quiet_nan(), 0x7ff8000000000000u);
  EXPECT_EQ(format_of(dtype::float16).largest_finite(), 0x7bffu);
  EXPECT_EQ(encode(dtype::float16, 65504.0), 0x7bffu);
  EXPECT_EQ(encode(dtype::float16, 0x1p-24), 1u);
  EXPECT_EQ(encode(dtype::float32, 0x1p-149), 1u);
  EXPECT_EQ(encode(dtype::float64, -0x1p-1074), 0x8000000000000001u);
}

// Values that anyone can check by hand.
TEST(oracles, known_values) {
  const auto f32_of = [](operation op, std::vector<bits> slice, int p = 2) {
    return answer({op, dtype::float32, dtype::float32, p}, slice);
  };
  EXPECT_EQ(f32_of(operation::l2, {f32(3), f32(-4)}), std::vector{f32(5)});
  EXPECT_EQ(f32_of(operation::sum_square, {f32(3), f32(-4)}), std::vector{f32(25)});
  EXPECT_EQ(f32_of(operation::l1, {f32(0x1p24f), f32(1)}), std::vector{f32(0x1p24f)});
  EXPECT_EQ(f32_of(operation::l1, {f32(0x1p24f), f32(1), 1}), std::vector{f32(0x1p24f + 2)});
  EXPECT_EQ(f32_of(operation::l1, {f32(0x1.fffffep127f), f32(0x1p103f)}),
            std::vector{f32(INFINITY)});
  EXPECT_EQ(f32_of(operation::l1, {f32(0x1.fffffep127f), f32(0x1.fffffep102f)}),
            std::vector{f32(0x1.fffffep127f)});
  EXPECT_EQ(f32_of(operation::normalize, {f32(3), f32(-4)}), (std::vector{f32(0.6f), f32(-0.8f)}));
  EXPECT_EQ(f32_of(operation::normalize, {1, f32(-0x1p-149f)}, 1),
            (std::vector{f32(0.5f), f32(-0.5f)}));
  EXPECT_EQ(f32_of(operation::normalize, {f32(-0.0f), f32(2)}, 1),
            (std::vector{f32(-0.0f), f32(1)}));
  EXPECT_EQ(f32_of(operation::normalize, {f32(-0.0f), f32(0)}), (std::vector{bits{0}, bits{0}}));
  EXPECT_EQ(f32_of(operation::normalize, {f32(-INFINITY), f32(-1)}),
            (std::vector{bits{0x7fc00000}, f32(-0.0f)}));
  EXPECT_EQ(f32_of(operation::l1, {f32(INFINITY), 0xffc00001}), std::vector{bits{0x7fc00000}});
  EXPECT_EQ(f32_of(operation::l2, {}), std::vector{bits{0}});
  EXPECT_EQ(answer({operation::l2, dtype::int32, dtype::int32}, std::vector<bits>{0x80000000}),
            std::vector{bits{0x80000000}});
  EXPECT_EQ(answer({operation::l2, dtype::uint32, dtype::uint32}, std::vector<bits>{2, 2}),
            std::vector{bits{2}});
  EXPECT_EQ(answer({operation::sum_square, dtype::int32, dtype::int64},
                   std::vector<bits>{0x80000000, 0xffffffff}),
            std::vector{(bits{1} << 62) + 1});
  EXPECT_EQ(
      answer({operation::l1, dtype::uint64, dtype::uint32}, std::vector<bits>{~bits{0}, ~bits{0}}),
      std::vector{bits{0xfffffffe}});
}

TEST(oracles, max_of_norm_and_eps) {
  const std::vector<bits> slice{f32(3), f32(-4)};
  const auto with = [&](double eps) {
    return answer({operation::normalize, dtype::float32, dtype::float32, 2, eps}, slice);
  };
  EXPECT_EQ(with(4), (std::vector{f32(0.6f), f32(-0.8f)}));
  EXPECT_EQ(with(5), (std::vector{f32(0.6f), f32(-0.8f)}));
  EXPECT_EQ(with(8), (std::vector{f32(0.375f), f32(-0.5f)}));
}

// The processor rounds these operations correctly, so it is a third oracle for short slices.
TEST(oracles, agree_with_the_processor_on_float32) {
  random_source random(2);
  for (int i = 0; i < scaled(20000); ++i) {
    const auto slice = draw(random.any_of(characters(dtype::float32)), dtype::float32, 2, random);
    const auto a = std::abs(std::bit_cast<float>(static_cast<std::uint32_t>(slice[0])));
    const auto b = std::abs(std::bit_cast<float>(static_cast<std::uint32_t>(slice[1])));
    if (!std::isfinite(a) || !std::isfinite(b)) continue;
    const question l1{operation::l1, dtype::float32, dtype::float32};
    ASSERT_EQ(answer(l1, slice).front(), f32(a + b)) << text_of(dtype::float32, slice);
    const question square{operation::sum_square, dtype::float32, dtype::float32};
    ASSERT_EQ(answer(square, std::span(slice).first(1)).front(), f32(a * a));
    // The root of a square sum that float64 holds exactly.
    const double large = double{std::max(a, b)} * double{std::max(a, b)};
    const double small = double{std::min(a, b)} * double{std::min(a, b)};
    const double sum = large + small;
    if (sum - large != small) continue;
    const question root{operation::l2, dtype::float32, dtype::float64};
    ASSERT_EQ(answer(root, slice).front(), f64(std::sqrt(sum))) << text_of(dtype::float32, slice);
  }
}

TEST(oracles, agree_with_the_processor_on_float64_quotients) {
  random_source random(3);
  for (int i = 0; i < scaled(20000); ++i) {
    auto slice = draw(character::window, dtype::float64, 2, random);
    const double a = std::abs(std::bit_cast<double>(slice[0]));
    const double b = std::abs(std::bit_cast<double>(slice[1]));
    const double norm = a + b;
    if (!std::isfinite(norm) || norm == 0 || norm - a != b || norm - b != a) continue;
    const question l1{operation::normalize, dtype::float64, dtype::float64, 1};
    const std::vector<bits> expected{f64(std::bit_cast<double>(slice[0]) / norm),
                                     f64(std::bit_cast<double>(slice[1]) / norm)};
    ASSERT_EQ(answer(l1, slice), expected) << text_of(dtype::float64, slice);
  }
}

// Each on its own: with a wrong hint, which may not matter, and with none.
void expect_agreement(const question& asked, const std::vector<bits>& slice) {
  const std::vector<bits> right = by_mpfr(asked, slice);
  std::vector<bits> hints = right;
  for (bits& hint : hints) hint ^= 1;
  EXPECT_EQ(by_midpoints(asked, slice), right)
      << text_of(asked) << ": " << text_of(asked.input, slice);
  EXPECT_EQ(by_midpoints(asked, slice, hints), right);
  EXPECT_EQ(by_midpoints(asked, slice, right), right);
}

TEST(oracles, agree_with_each_other_on_random_slices) {
  for (const dtype input : all_types) {
    random_source random(4);
    for (const question& asked : questions_of(input)) {
      for (int i = 0; i < scaled(100); ++i) {
        const character kind = random.any_of(characters(input));
        question q = asked;
        const auto slice = draw(kind, input, random.below(30), random);
        if (q.op == operation::normalize && random.once_in(3) && kind != character::any_pattern) {
          q.eps = eps_for(q, slice, random);
        }
        expect_agreement(q, slice);
      }
    }
  }
}

TEST(oracles, agree_with_each_other_at_boundaries) {
  for (const dtype input : all_types) {
    random_source random(5);
    for (const question& asked : questions_of(input)) {
      for (int i = 0; i < scaled(100); ++i) {
        const auto slice = asked.op != operation::normalize ? reduction_at_boundary(asked, random)
                           : random.once_in(2)              ? quotient_at_boundary(asked, random)
                                                            : exact_quotient(asked, random);
        if (!slice) continue;
        expect_agreement(asked, *slice);
      }
    }
  }
}

}  // namespace
}  // namespace oracle
