// Quotients x / N with a rounding test: LpNormalization's second half.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/float_format.hpp"

namespace halfulp::kernels {

// The reciprocals of norms (accum/reciprocal.hpp), one for all elements or one for each.
struct reciprocals {
  const double* a;  // the interval or the pair
  const double* b;
  const float* h;  // floats that enclose 1/N between h + low and h + high, or zeros
  const float* low;
  const float* high;
  double error;  // the largest relative error of the pairs
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

  function by_one;   // the first reciprocal for all
  function by_each;  // the i-th one for x[i]
};

// The kernels for the best target that this processor has.
template <float_element T, float_element Out>
const quotient_kernels<T, Out>& quotient_kernels_of() noexcept;

}  // namespace halfulp::kernels
