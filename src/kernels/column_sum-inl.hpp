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
                         const rows_prefetch<T>& ahead, double* hi, double* lo) {
  using vector_step = column_step<wide, T, P, Q>;
  constexpr auto unit = static_cast<std::int64_t>(vector_step::unit);
  // A cache line's worth of columns, or a vector's.
  constexpr std::int64_t line = cache_line / static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t block = line > unit ? line : unit;
  std::int64_t j = 0;
  for (; j + block <= width; j += block) {
    for (std::int64_t k = j; k < j + block; k += line) ahead.line(x, k, R);
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
  constexpr int at_a_time = column_step<wide, T, P, Q>::rows;
  const rows_prefetch<T> ahead(at_a_time, step, width);
  std::int64_t i = 0;
  if (rows >= at_a_time) {
    add_rows<at_a_time, true, T, P, Q>(x, step, width, ahead, hi, lo);
    i = at_a_time;
  } else {
    add_rows<1, true, T, P, Q>(x, step, width, ahead, hi, lo);
    i = 1;
  }
  for (; i + at_a_time <= rows; i += at_a_time) {
    add_rows<at_a_time, false, T, P, Q>(x + i * step, step, width, ahead, hi, lo);
  }
  for (; i < rows; ++i) {
    add_rows<1, false, T, P, Q>(x + i * step, step, width, ahead, hi, lo);
  }
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
