// Quotients x / N with a rounding test: LpNormalization's second half.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "accum/power.hpp"
#include "base/float_format.hpp"

namespace halfulp::kernels {

// The reciprocals of norms N, one for all elements or one for each. All are zeros for an N that has
// none.
//
// For outputs narrower than double, a <= 1/N <= b, with room for one more rounding (x times a
// bound). For double, 1/N = (a + b)(1 + e) with |e| <= error, and b is not negative.
//
// For outputs narrower than double also floats, none of them negative, so that a product with them
// has the sign of x: h + low <= 1/N <= h + high, with room for the rounding of x low and x high to
// float, and low and high at most 2^-36 h apart. Zeros where N is out of the range, or not known
// well enough, for that.
//
// The room is lost where a quotient is below 2^-96, which `least` keeps away: no smaller element
// but zero is divided by means of the floats.
struct reciprocals {
  const double* a;
  const double* b;
  const float* h;
  const float* low;
  const float* high;
  double error;  // of the pairs
  float least;

  reciprocals from(std::int64_t j) const noexcept {
    return {a + j, b + j, h + j, low + j, high + j, error, least};
  }
};

// reciprocals::least for n norms.
inline float least_divided(const double* a, const float* h, std::int64_t n) noexcept {
  float smallest = 0x1p101f;  // no h is larger
  for (std::int64_t j = 0; j < n; ++j) {
    if (a[j] != 0) smallest = std::min(smallest, h[j]);
  }
  return smallest == 0 ? infinity<float>() : std::max(0x1p-96f / smallest, 0x1p-126f);
}

// Where to write them.
struct reciprocal_arrays {
  double* a;
  double* b;
  float* h;
  float* low;
  float* high;
};

// Sums S with hi + lo = S (1 + e), |e| <= bound, of which the norms are S or sqrt(S); lo may be
// null: zeros.
struct norm_sums {
  const double* hi;
  const double* lo;
  double bound;
  double eps;

  // The norm's relative error, and that of its reciprocal as a pair.
  constexpr double norm_bound(power p) const noexcept {
    return p == power::abs ? bound : bound / 2 + bound * bound + 0x1p-101;
  }
  constexpr double reciprocal_error(power p) const noexcept {
    return norm_bound(p) * (1 + 0x1p-40) + 0x1p-100;
  }
};

// Rows that are divided, or summed, together.
inline constexpr std::int64_t rows_at_once = 4;

// Rows to divide and rows to sum at the same time, up to rows_at_once of each, none of which
// overlaps what is written. All have `length` elements, a vector's at least.
template <float_element T>
struct row_work {
  const T* x;  // row j at x + j * x_step is divided by the j-th divisor, j < rows,
  std::int64_t x_step;
  T* y;  // to y + j * y_step
  std::int64_t y_step;
  std::int64_t rows;
  const T* next;  // row j at next + j * x_step is summed, j < next_rows
  std::int64_t next_rows;
  std::int64_t length;
  reciprocals divisors;
  bool stream;    // as in quotient_traffic
  bool* certain;  // of row j: whether its quotients are certain
  double* hi;     // sums, in pairs for float64, else without lo; room for rows_at_once
  double* lo;
};

// How the elements move. Neither changes a result.
struct quotient_traffic {
  // Bytes ahead of x from where on as much is prefetched as is divided; 0: nothing.
  std::ptrdiff_t prefetch;
  // Whether the quotients go around the caches, where y is aligned for that.
  bool stream;
};

// The kernels of one pair of types on one target. Elements are contiguous and aligned, x is finite,
// x and y do not overlap.
template <float_element T, float_element Out>
struct quotient_kernels {
  // y[i] = RN(x[i] / N) for i < n. Returns whether that is certain of every one; if not, some y[i]
  // may be wrong.
  using function = bool (*)(const T* x, Out* y, std::int64_t n, const reciprocals& r,
                            const quotient_traffic& traffic);

  // The reciprocals of n norms. Returns whether there is one for all: for sums in the pair range
  // whose norm certainly exceeds eps.
  using reciprocate_function = bool (*)(const norm_sums& sums, std::int64_t n,
                                        const reciprocal_arrays& to);

  using divide_and_sum_function = void (*)(const row_work<T>& work);

  function by_one;                                  // the first reciprocal for all
  function by_each;                                 // the i-th one for x[i]
  std::array<reciprocate_function, 2> reciprocate;  // by power - 1
  // By power - 1; null where T is not Out and where it would not be faster.
  std::array<divide_and_sum_function, 2> divide_and_sum;
};

// The kernels for the best target that this processor has.
template <float_element T, float_element Out>
const quotient_kernels<T, Out>& quotient_kernels_of() noexcept;

}  // namespace halfulp::kernels
