// Quotients of tiny doubles by tiny norms, beside the midpoints of narrow types: scaled to the
// range of such a type, the elements themselves are no longer exact. SPDX-License-Identifier:
// Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "numerics/support/check.hpp"
#include "numerics/support/random_source.hpp"

namespace oracle {
namespace {

TEST(tiny_norms, quotients_beside_midpoints) {
  random_source random(1);
  for (const dtype output : {dtype::bfloat16, dtype::float16, dtype::float32}) {
    const float_format& format = format_of(output);
    const question question{
        .op = operation::normalize, .input = dtype::float64, .output = output, .p = 1};
    for (int round = 0; round < scaled(2000); ++round) {
      const double norm = std::ldexp(1 + static_cast<double>(random.word() >> 12) * 0x1p-52,
                                     static_cast<int>(random.between(-899, -860)));
      // A midpoint below 1/2: 2 m + 1 units of half a last place, in one of the upper binades, or,
      // for float16, among the subnormals.
      const double significand =
          static_cast<double>((2 * (random.word() >> (65 - format.precision)) + 1) |
                              (std::uint64_t{1} << format.precision));
      const int exponent =
          static_cast<int>(random.between(output == dtype::float16 ? -24 : -40, -1));
      const double midpoint = std::ldexp(significand, exponent - format.precision - 1);
      double x = midpoint * norm;
      for (auto steps = random.between(-2, 2); steps != 0; steps += steps < 0 ? 1 : -1) {
        x = std::nextafter(x, steps < 0 ? 0.0 : 1.0);
      }
      const std::vector<bits> slice = {encode(dtype::float64, x), encode(dtype::float64, norm - x)};
      expect_correct(question, slice, "round " + std::to_string(round));
    }
  }
}

}  // namespace
}  // namespace oracle
