// Sums down columns. Included once for each target.
// SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_COLUMN_SUM_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_COLUMN_SUM_INL_HPP
#undef HALFULP_KERNELS_COLUMN_SUM_INL_HPP
#else
#define HALFULP_KERNELS_COLUMN_SUM_INL_HPP
#endif

#include "kernels/accumulate-inl.hpp"
#include "kernels/prefetch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

template <int R, bool Fresh, class T, power P, precision Q>
HWY_INLINE void add_rows(const T* x, std::int64_t step, std::int64_t width,
                         std::ptrdiff_t prefetch_at, double* hi, double* lo) {
  using vector_step = column_step<wide, T, P, Q>;
  constexpr auto unit = static_cast<std::int64_t>(vector_step::unit);
  // A cache line's worth of columns, or a vector's.
  constexpr std::int64_t line = cache_line / static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t block = line > unit ? line : unit;
  std::int64_t j = 0;
  for (; j + block <= width; j += block) {
    for (int r = 0; r < R; ++r) {
      prefetch_block<block * sizeof(T)>(x + r * step + j, prefetch_at);
    }
    for (std::int64_t k = j; k < j + block; k += unit) {
      vector_step::template add<R, Fresh>(x + k, step, hi + k, lo + k);
    }
  }
  for (; j + unit <= width; j += unit) {
    vector_step::template add<R, Fresh>(x + j, step, hi + j, lo + j);
  }
  for (; j < width; ++j) {
    column_step<single, T, P, Q>::template add<R, Fresh>(x + j, step, hi + j, lo + j);
  }
}

// See sum.hpp.
template <class T, power P, precision Q>
void sum_columns(const T* x, std::int64_t step, std::int64_t rows, std::int64_t width, double* hi,
                 double* lo) {
  const std::ptrdiff_t prefetch_at = prefetch_offset<T>(step, width);
  std::int64_t i = 0;
  if (rows >= rows_at_a_time) {
    add_rows<rows_at_a_time, true, T, P, Q>(x, step, width, prefetch_at, hi, lo);
    i = rows_at_a_time;
  } else {
    add_rows<1, true, T, P, Q>(x, step, width, prefetch_at, hi, lo);
    i = 1;
  }
  for (; i + rows_at_a_time <= rows; i += rows_at_a_time) {
    add_rows<rows_at_a_time, false, T, P, Q>(x + i * step, step, width, prefetch_at, hi, lo);
  }
  for (; i < rows; ++i) {
    add_rows<1, false, T, P, Q>(x + i * step, step, width, prefetch_at, hi, lo);
  }
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
