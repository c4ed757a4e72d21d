// The exact divisor on its own, every quotient of it: the rounding test in front of it would let
// through one in a million. And the one that is enclosed by two of them.
// SPDX-License-Identifier: Apache-2.0
#include "accum/exact_quotient.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "accum/enclosed_divisor.hpp"
#include "numerics/support/check.hpp"
#include "numerics/support/construct.hpp"
#include "numerics/support/draw.hpp"
#include "numerics/support/random_source.hpp"
#include "oracle/oracle.hpp"

namespace halfulp {
namespace {

using oracle::question;

// Quotients that an enclosed divisor was asked for, and that it settled.
struct enclosed_count {
  int asked = 0, settled = 0;
};

// An approximation of S that is off by nearly as much as the bound allows.
approximate_sum nearly(const dyadic& s, double bound, int sign) {
  const leading_128 lead = leading_bits_128(s);
  const auto hi = static_cast<double>(lead.significand);
  const auto lo = lead.significand >= static_cast<uint128>(hi)
                      ? static_cast<double>(lead.significand - static_cast<uint128>(hi))
                      : -static_cast<double>(static_cast<uint128>(hi) - lead.significand);
  return {std::ldexp(hi, lead.exponent), std::ldexp(lo + sign * 0.99 * bound * hi, lead.exponent)};
}

// The one that is settled is right, from whichever side the sum comes.
template <typename T, power P, typename Out>
void expect_enclosed(const dyadic& s, const std::vector<T>& x,
                     const std::vector<oracle::bits>& expected, enclosed_count& count) {
  for (const double bound : {0x1p-60, 0x1p-75, 0x1p-98}) {
    for (const int sign : {-1, 1}) {
      const approximate_sum sum = nearly(s, bound, sign);
      if (!in_pair_range(sum.hi)) continue;
      const enclosed_divisor divisor(sum, bound, P);
      for (std::size_t i = 0; i < x.size(); ++i) {
        const auto y = divisor.quotient<Out>(decompose(x[i]));
        ++count.asked;
        if (!y) continue;
        ++count.settled;
        ASSERT_EQ(to_bits(with_sign(*y, is_negative(x[i]))), expected[i]) << "element " << i;
      }
    }
  }
}

template <typename T, power P, typename Out>
void expect_quotients(const question& question, const std::vector<oracle::bits>& slice,
                      enclosed_count& enclosed) {
  using format = float_format<T>;
  std::vector<T> x;
  for (const oracle::bits b : slice) {
    x.push_back(from_bits<T>(static_cast<typename format::bits_type>(b)));
  }
  exact_sum<T, P> sum;
  sum.add(reinterpret_cast<const std::byte*>(x.data()), static_cast<std::int64_t>(x.size()),
          sizeof(T));
  if (sum.has_nan() || sum.has_infinity() || bit_width(sum.value().limbs) == 0) return;
  const std::vector<oracle::bits> expected = oracle::answer(question, slice);
  exact_divisor divisor(sum.value(), static_cast<int>(P));
  if (question.eps > 0 && divisor.is_below(question.eps)) divisor = exact_divisor(question.eps);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Out y = with_sign(divisor.quotient<Out>(decompose(x[i])), is_negative(x[i]));
    ASSERT_EQ(to_bits(y), expected[i]) << oracle::text_of(question) << ", element " << i << " of "
                                       << oracle::text_of(question.input, slice);
  }
  if (question.eps == 0) expect_enclosed<T, P, Out>(sum.value(), x, expected, enclosed);
}

template <typename T, typename Out>
void try_slices() {
  oracle::random_source random(7);
  enclosed_count enclosed;
  for (int round = 0; round < oracle::scaled(300); ++round) {
    for (const int p : {1, 2}) {
      question question{.op = oracle::operation::normalize,
                        .input = dtype_of<T>,
                        .output = dtype_of<Out>,
                        .p = p};
      std::vector<std::vector<oracle::bits>> slices;
      const auto& characters = oracle::characters(dtype_of<T>);
      slices.push_back(oracle::draw(characters[random.below(characters.size())], dtype_of<T>,
                                    1 + random.below(20), random));
      if (auto slice = oracle::quotient_at_boundary(question, random)) slices.push_back(*slice);
      if (auto slice = oracle::exact_quotient(question, random)) slices.push_back(*slice);
      for (const auto& slice : slices) {
        question.eps = 0;
        p == 1 ? expect_quotients<T, power::abs, Out>(question, slice, enclosed)
               : expect_quotients<T, power::square, Out>(question, slice, enclosed);
        const auto specials = oracle::without_arithmetic(question, slice);
        if (!specials.empty()) continue;
        question.eps = oracle::eps_for(question, slice, random);
        if (!(question.eps > 0) || question.eps > 1e308) continue;
        p == 1 ? expect_quotients<T, power::abs, Out>(question, slice, enclosed)
               : expect_quotients<T, power::square, Out>(question, slice, enclosed);
      }
    }
  }
  // Nothing is left open but at boundaries, or close to them.
  EXPECT_GT(enclosed.settled, enclosed.asked / 2);
}

template <typename T>
class exact_quotients : public testing::Test {};
using tested_types = testing::Types<bfloat16, float16, float, double>;
TYPED_TEST_SUITE(exact_quotients, tested_types);

TYPED_TEST(exact_quotients, into_bfloat16) { try_slices<TypeParam, bfloat16>(); }
TYPED_TEST(exact_quotients, into_float16) { try_slices<TypeParam, float16>(); }
TYPED_TEST(exact_quotients, into_float32) { try_slices<TypeParam, float>(); }
TYPED_TEST(exact_quotients, into_float64) { try_slices<TypeParam, double>(); }

}  // namespace
}  // namespace halfulp
