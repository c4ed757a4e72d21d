// Exact results on rounding boundaries and beside them: the cases that a certificate must not wave
// through.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "numerics/support/check.hpp"
#include "numerics/support/construct.hpp"
#include "numerics/support/draw.hpp"
#include "numerics/support/type_parameter.hpp"

namespace oracle {
namespace {

class boundaries : public testing::TestWithParam<dtype> {};

// Zeros change no exact result, but where the other elements fall in a vector or a block.
void pad_with_zeros(dtype type, std::vector<bits>& slice, random_source& random) {
  const std::size_t most = random.once_in(8) ? 3000 : 70;
  const bits minus_zero = is_floating(type) ? format_of(type).sign_bit() : 0;
  for (std::size_t count = random.below(most); count > 0; --count) {
    slice.push_back(random.once_in(2) ? minus_zero : 0);
  }
  random.shuffle(slice);
}

template <typename Construct>
void check_constructed(dtype input, bool normalize, Construct construct) {
  for (const question& asked : questions_of(input)) {
    if ((asked.op == operation::normalize) != normalize) continue;
    for (int i = 0; i < scaled(3000); ++i) {
      const auto seed = static_cast<std::uint64_t>(i);
      random_source random(seed);
      auto slice = construct(asked, random);
      if (!slice) continue;
      if (random.once_in(3)) pad_with_zeros(input, *slice, random);
      expect_correct(asked, *slice, fmt::format("seed {}", seed));
    }
  }
}

TEST_P(boundaries, of_reductions) { check_constructed(GetParam(), false, reduction_at_boundary); }

TEST_P(boundaries, of_quotients) {
  if (is_floating(GetParam())) check_constructed(GetParam(), true, quotient_at_boundary);
}

TEST_P(boundaries, of_exact_quotients) {
  if (is_floating(GetParam())) check_constructed(GetParam(), true, exact_quotient);
}

TEST_P(boundaries, of_quotients_by_eps) {
  if (!is_floating(GetParam())) return;
  for (question asked : questions_of(GetParam())) {
    if (asked.op != operation::normalize) continue;
    for (int i = 0; i < scaled(3000); ++i) {
      const auto seed = static_cast<std::uint64_t>(i);
      random_source random(seed);
      const auto constructed = quotients_by_eps(asked, random);
      if (!constructed) continue;
      asked.eps = constructed->eps;
      expect_correct(asked, constructed->slice, fmt::format("seed {}", seed));
    }
  }
}

// Slices at boundaries, up to `tries` of them and none longer than `length`.
std::vector<std::vector<bits>> slices_at_boundary(const question& asked, std::size_t length,
                                                  std::uint64_t tries, random_source& random) {
  std::vector<std::vector<bits>> slices;
  for (std::uint64_t t = 0; t < tries; ++t) {
    const auto slice = asked.op != operation::normalize ? reduction_at_boundary(asked, random)
                       : random.once_in(4)              ? exact_quotient(asked, random)
                                                        : quotient_at_boundary(asked, random);
    if (slice && slice->size() <= length) slices.push_back(*slice);
  }
  return slices;
}

// The slices side by side as the columns of a matrix, or as its rows, each padded with zeros to
// `length` and shuffled.
void expect_correct_matrix(const question& asked, std::vector<std::vector<bits>> slices,
                           std::size_t length, bool as_rows, random_source& random, int seed) {
  const std::size_t count = slices.size();
  tensor matrix{asked.input,
                {static_cast<std::int64_t>(as_rows ? count : length),
                 static_cast<std::int64_t>(as_rows ? length : count)},
                {}};
  matrix.elements.assign(count * length, 0);
  for (std::size_t s = 0; s < count; ++s) {
    slices[s].resize(length, 0);
    random.shuffle(slices[s]);
    for (std::size_t at = 0; at < length; ++at) {
      matrix.elements[as_rows ? s * length + at : at * count + s] = slices[s][at];
    }
  }
  halfulp::options options;
  options.output_type = asked.output;
  const std::int64_t axis = as_rows ? 1 : 0;
  if (asked.op == operation::normalize) {
    options.p = asked.p;
    options.axis = axis;
  } else {
    options.axes = {{axis}};
  }
  ASSERT_EQ(computed(op_of(asked.op), matrix, options), expected(op_of(asked.op), matrix, options))
      << fmt::format("{}, axis {} of {} slices of {}, seed {}", text_of(asked), axis, count, length,
                     seed);
}

// Many such slices side by side.
TEST_P(boundaries, in_rows_and_columns) {
  for (const question& asked : questions_of(GetParam())) {
    for (int i = 0; i < scaled(12); ++i) {
      random_source random(static_cast<std::uint64_t>(i));
      const std::size_t length = 1 + random.below(random.once_in(4) ? 1200 : 60);
      const std::uint64_t tries = 1 + random.below(random.once_in(3) ? 300 : 30);
      const auto slices = slices_at_boundary(asked, length, tries, random);
      for (const bool as_rows : {true, false}) {
        expect_correct_matrix(asked, slices, length, as_rows, random, i);
      }
    }
  }
}

// Columns so long that sums of other precision are taken for them, of which several rows are taken
// for one where they are few.
TEST_P(boundaries, in_long_columns) {
  for (const question& asked : questions_of(GetParam())) {
    if (asked.output != asked.input) continue;
    for (int i = 0; i < scaled(5); ++i) {
      random_source random(static_cast<std::uint64_t>(i));
      const std::size_t length = 8192 + random.below(300);
      const std::uint64_t tries = 1 + random.below(random.once_in(3) ? 40 : 10);
      expect_correct_matrix(asked, slices_at_boundary(asked, length, tries, random), length, false,
                            random, i);
    }
  }
}

// eps exactly at, or a last bit beside, a norm that makes some quotient hard.
TEST_P(boundaries, of_norm_and_eps) {
  if (!is_floating(GetParam())) return;
  for (question asked : questions_of(GetParam())) {
    if (asked.op != operation::normalize) continue;
    for (int i = 0; i < scaled(1500); ++i) {
      const auto seed = static_cast<std::uint64_t>(i);
      random_source random(seed);
      const auto slice =
          random.once_in(2) ? quotient_at_boundary(asked, random) : exact_quotient(asked, random);
      if (!slice) continue;
      asked.eps = eps_for(asked, *slice, random);
      expect_correct(asked, *slice, fmt::format("seed {}", seed));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(of_type, boundaries, testing::ValuesIn(all_types), name_of_parameter);

// The ties that everyone meets, by hand, at every distance of the bit that breaks them.
TEST(ties, broken_by_any_far_bit) {
  struct tie {
    dtype type;
    double large, half_ulp;
    int lowest;  // exponent of the smallest subnormal
  };
  for (const tie& t :
       {tie{dtype::bfloat16, 0x1p8, 1, -133}, tie{dtype::float16, 0x1p11, 1, -24},
        tie{dtype::float32, 0x1p24, 1, -149}, tie{dtype::float64, 0x1p53, 1, -1074}}) {
    const question l1{operation::l1, t.type, t.type};
    const bits even = encode(t.type, t.large);
    const bits half = encode(t.type, t.half_ulp);
    expect_outputs(l1, std::vector{even, half}, {even}, "tie to even below");
    expect_outputs(l1, std::vector{even + 1, half}, {even + 2}, "tie to even above");
    for (int exponent = t.lowest; exponent < 0; ++exponent) {
      const bits far = encode(format_of(t.type), false, 1, exponent);
      expect_outputs(l1, std::vector{far, even, half}, {even + 1},
                     fmt::format("broken by 2^{}", exponent));
      // The mirror image: the half ulp is one bit short.
      std::vector<bits> slice{even + 1};
      for (int bit = -1; bit >= exponent; --bit) {
        slice.push_back(encode(format_of(t.type), false, 1, bit));
      }
      expect_outputs(l1, slice, {even + 1}, fmt::format("short by 2^{}", exponent));
    }
  }
}

TEST(ties, one_far_bit_among_many_elements) {
  random_source random(12);
  for (const dtype type : float_types) {
    const float_format& format = format_of(type);
    // 2^(p+6) + 2^6 halves of an ulp of it: a tie, spread over many elements.
    const bits large = encode(format, false, 1, format.precision == 11 ? 15 : format.precision + 6);
    const int half = format.precision == 11 ? 4 : 6;
    const bits small = encode(format, false, 1, half - 6);
    std::vector<bits> slice(64, small);
    slice.push_back(large);
    const question l1{operation::l1, type, type};
    random.shuffle(slice);
    expect_outputs(l1, slice, {large}, "a tie of 65 elements");
    slice.push_back(1);
    random.shuffle(slice);
    expect_outputs(l1, slice, {large + 1}, "a tie of 65 elements, broken");
  }
}

TEST(perfect_squares, have_exact_roots) {
  random_source random(13);
  for (int i = 0; i < scaled(3000); ++i) {
    // (m^2 - n^2)^2 + (2mn)^2 = (m^2 + n^2)^2, and the same over many equal parts.
    const std::int64_t m = random.between(1, 60), n = random.between(1, 60);
    const std::int64_t parts = random.between(1, 8);
    const auto leg = static_cast<double>(m * m - n * n), other = static_cast<double>(2 * m * n);
    const auto hypotenuse = static_cast<double>((m * m + n * n) * parts);
    const int exponent = static_cast<int>(random.between(-60, 60));
    std::vector<bits> slice;
    for (std::int64_t part = 0; part < parts * parts; ++part) {
      slice.push_back(encode(dtype::float32, std::ldexp(leg, exponent)));
      slice.push_back(encode(dtype::float32, std::ldexp(other, exponent)));
    }
    expect_outputs({operation::l2, dtype::float32, dtype::float32}, slice,
                   {encode(dtype::float32, std::ldexp(hypotenuse, exponent))},
                   fmt::format("{} and {}, {} parts", m, n, parts));
  }
}

}  // namespace
}  // namespace oracle
