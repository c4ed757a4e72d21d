// Fast sums with an error bound: the first tier.
// SPDX-License-Identifier: Apache-2.0
//
// Terms |x| or x^2 are summed in an order that suits the processor. All terms are non-negative, so
// whatever the order, the error is small relative to the sum itself. Three precisions:
//
//   runs    (16-bit types) short runs in floats, whose sums go on in doubles.
//   plain   (all but float64) doubles, in which the terms are exact.
//   pair    two doubles for each sum, the second collecting the rounding errors of the first
//           (TwoSum). For squares of doubles it also takes what x^2 exceeds its leading part by.
//
// docs/numerics.md proves the bounds. The kernels take contiguous, aligned runs: whoever calls
// gathers what is not. A sum that holds NaN or infinity, or that overflows, comes out not finite,
// or with lo NaN.
#pragma once

#include <array>
#include <concepts>
#include <cstdint>

#include "accum/certificate.hpp"
#include "accum/extracted_sum.hpp"
#include "accum/power.hpp"
#include "base/float_format.hpp"

namespace halfulp::kernels {

enum class precision : std::uint8_t { runs, plain, pair };

// One kernel for each power and precision; those that a type does not have are null.
template <typename F>
struct by_power_and_precision {
  std::array<std::array<F, 3>, 2> functions;

  constexpr F& at(power p, precision q) {
    return functions[static_cast<std::size_t>(p) - 1][static_cast<std::size_t>(q)];
  }
  constexpr const F& at(power p, precision q) const {
    return functions[static_cast<std::size_t>(p) - 1][static_cast<std::size_t>(q)];
  }
};

// Additions to the sum of residues that extracting a row ends with: of two vectors, of up to 16
// lanes, and of what is left over.
inline constexpr std::int64_t additions_per_extracted_row = 18;

// Sums of columns by extraction, as extracted_sum, of which each part lies on its grid: it begins
// with start(). Those of cuts that are not made are not touched.
template <typename F>
struct column_extraction {
  std::array<F*, most_cuts> grids;
  F* residue;
  F* residue_bits;
};

// Sums of Ts by extraction in Fs; by power - 1.
template <float_element T, typename F>
struct extraction_kernels {
  // Goes on with the sum of the terms of x[i], i < length, to its bases.
  using row_function = void (*)(const T* x, std::int64_t length, extracted_sum& sum);

  // Goes on with the sums of the terms of x[i * step + j], i < rows, for j < width.
  using column_function = void (*)(const T* x, std::int64_t step, std::int64_t rows,
                                   std::int64_t width, const column_extraction<F>& sums);

  std::array<row_function, 2> row;
  std::array<column_function, 2> columns;
};

// The kernels of one element type on one target.
template <float_element T>
struct sum_kernels {
  // hi[j] + lo[j] is the sum of the terms of x[j * step + i], i < length, for j < rows. `step` is
  // not negative. Without pair precision lo is not touched.
  using row_function = void (*)(const T* x, std::int64_t step, std::int64_t rows,
                                std::int64_t length, double* hi, double* lo);

  // hi[j] + lo[j] is the sum of the terms of x[i * step + j], i < rows, for j < width.
  using column_function = void (*)(const T* x, std::int64_t step, std::int64_t rows,
                                   std::int64_t width, double* hi, double* lo);

  // Bounds the additions that a term of a row passes through.
  using depth_function = std::int64_t (*)(std::int64_t length);

  // The smallest |x[i * step + j]|, i < rows, j < length, that is not zero; infinity where all are.
  // NaN counts as larger than infinity.
  using smallest_function = T (*)(const T* x, std::int64_t step, std::int64_t rows,
                                  std::int64_t length);

  // out[j] = RN(|x[j]| + |y[j]|), or RN(|x[2 j]| + |x[2 j + 1]|), for j < n. With `stream`, around
  // the caches where `out` is aligned for that (stream.hpp).
  using add_rows_function = void (*)(const T* x, const T* y, std::int64_t n, T* out, bool stream);
  using add_neighbours_function = void (*)(const T* x, std::int64_t n, T* out, bool stream);

  // scaled[i] = |x[i]| * scale for i < n; zero where |x[i]| < least, which is 0 only if subnormal
  // elements times scale are normal, and not subnormal itself.
  using scale_function = void (*)(const double* x, std::int64_t n, double scale, double least,
                                  double* scaled);

  by_power_and_precision<row_function> rows;
  by_power_and_precision<column_function> columns;
  by_power_and_precision<depth_function> row_depth;
  smallest_function smallest;
  add_rows_function add_rows;  // null where it would not be faster
  add_neighbours_function add_neighbours;
  scale_function scale;  // of doubles; null for others
  bool fused;            // whether the target multiplies and adds with one rounding
  extraction_kernels<T, double> extraction;
  extraction_kernels<T, float> extraction_in_floats;  // of 16-bit types; null for others
};

// The kernels for the best target that this processor has.
template <float_element T>
const sum_kernels<T>& sum_kernels_of() noexcept;

}  // namespace halfulp::kernels
