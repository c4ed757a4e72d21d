// Sums of integers modulo 2^32 or 2^64: exact for every integer output that is no wider.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "accum/power.hpp"
#include "base/float_format.hpp"

namespace halfulp::kernels {

// The kernels of one element type on one target. A Word has 32 or 64 bits, and as many at least as
// T: sums are modulo that. Contiguous, aligned elements, as in sum.hpp.
template <integer_element T, typename Word>
struct wrapping_kernels {
  // sums[j] = the terms of x[j * step + i], i < length, for j < rows; `step` is not negative. With
  // `stream`, around the caches where `sums` is aligned for that (stream.hpp).
  using row_function = void (*)(const T* x, std::int64_t step, std::int64_t rows,
                                std::int64_t length, Word* sums, bool stream);
  // sums[j] += the terms of x[i * step + j], i < rows, for j < width.
  using column_function = void (*)(const T* x, std::int64_t step, std::int64_t rows,
                                   std::int64_t width, Word* sums);

  std::array<row_function, 2> rows;  // by power - 1
  std::array<column_function, 2> columns;
};

// The kernels for the best target that this processor has.
template <integer_element T, typename Word>
const wrapping_kernels<T, Word>& wrapping_kernels_of() noexcept;

}  // namespace halfulp::kernels
