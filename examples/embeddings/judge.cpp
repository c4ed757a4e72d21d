// SPDX-License-Identifier: Apache-2.0
#include "judge.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace {

// The square of a float32 is exact in float64.
double norm_in_float64(std::span<const float> row) {
  double sum = 0;
  for (const float x : row) sum += double{x} * double{x};
  return std::sqrt(sum);
}

double error_in_ulps(float computed, double exact) {
  if (double{computed} == exact) return 0;
  constexpr int lowest_exponent =
      -126;  // subnormal numbers share the ulp of the smallest normal one
  const int exponent = std::max(std::ilogb(exact), lowest_exponent);
  return std::abs(double{computed} - exact) / std::ldexp(1.0, exponent - 23);
}

}  // namespace

double judge_error(const float_matrix& matrix) {
  // n - 1 additions are off by at most (n - 1) 2^-53 of the sum, the root halves that, root and
  // quotient add 2^-53 each, and a float32 is less than 2^24 of its ulps. One more 2^-53 covers the
  // products of these small errors.
  return (static_cast<double>(matrix.columns) / 2 + 3) * std::ldexp(1.0, 24 - 53);
}

verdict judge(const row_norms& computed, const float_matrix& matrix) {
  // An error that float64 cannot tell from one half counts as right: nothing is accused wrongly.
  const double allowed = 0.5 + judge_error(matrix);
  verdict result;
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    const double norm = norm_in_float64(matrix.row(row));
    const double error = error_in_ulps(computed.norms[row], norm);
    result.worst_norm = std::max(result.worst_norm, error);
    if (error <= allowed) ++result.right_norms;
    for (std::size_t i = row * matrix.columns; i < (row + 1) * matrix.columns; ++i) {
      const double exact = double{matrix.elements[i]} / norm;
      if (error_in_ulps(computed.unit[i], exact) <= allowed) ++result.right_elements;
    }
  }
  return result;
}
