// Fast sums with an error bound: the first tier.
// SPDX-License-Identifier: Apache-2.0
//
// Terms |x| or x^2 are summed in doubles in an order that suits the processor. All terms are
// non-negative, so whatever the order, the error is small relative to the sum itself. Two
// precisions:
//
//   plain   one double for each lane. The terms are exact (x is narrower than double).
//   pair    two doubles for each lane, the second collecting the rounding errors of the first
//           (TwoSum). For squares of doubles it also takes what x^2 exceeds its leading part by.
//
// The input is contiguous and aligned for T: whoever calls gathers what is not. A sum that holds
// NaN or infinity comes out with hi not finite, or with lo NaN.
#pragma once

#include <array>
#include <cstdint>

#include "accum/certificate.hpp"
#include "accum/power.hpp"
#include "base/float_format.hpp"

namespace halfulp::kernels {

enum class precision : bool { plain, pair };

// What double results need: narrower ones are mostly settled by plain sums.
template <float_element T>
constexpr precision precision_for(dtype output) {
  return std::same_as<T, double> || output == dtype::float64 ? precision::pair : precision::plain;
}

// How a slice reaches a kernel: `runs` contiguous runs of `length` elements, one after the other.
struct run_shape {
  std::int64_t runs;
  std::int64_t length;
};

// Sums along contiguous runs: lanes side by side in one slice.
template <float_element T, power P, precision Q>
struct row_sum {
  static constexpr int lanes = Q == precision::plain ? 16 : 8;
  // Steps, and elements, between two foldings of the lanes into the sum.
  static constexpr std::int64_t chunk_steps = 1024;
  static constexpr std::int64_t chunk = chunk_steps * lanes;

  // sum += the terms of x[0], ..., x[n - 1].
  static void add(const T* x, std::int64_t n, approximate_sum& sum) noexcept;

  // The bound that certificate.hpp asks for, for a slice of this shape.
  static double bound(run_shape shape) noexcept;
};

// Sums of many slices side by side: element j of each row belongs to slice j.
template <float_element T, power P, precision Q>
class column_sum {
 public:
  static constexpr int max_width = 256;
  // Rows between two foldings of `partial_` (plain) into the sums.
  static constexpr std::int64_t chunk_steps = 1024;

  explicit column_sum(int width) noexcept : width_(width) {}

  // Adds x[j] to slice j, j < width.
  void add(const T* x) noexcept;

  // Slice j's sum. No add() may follow.
  approximate_sum result(int j) noexcept;

  static double bound(run_shape shape) noexcept;

 private:
  void fold() noexcept;

  int width_;
  std::int64_t steps_ = 0;
  std::array<double, max_width> partial_{};  // plain only
  std::array<double, max_width> hi_{};
  std::array<double, max_width> lo_{};
};

}  // namespace halfulp::kernels
