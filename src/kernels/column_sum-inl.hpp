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
HWY_INLINE void add_rows(const T* x, const row_streams<T>& streams, bool last, std::int64_t width,
                         double* hi, double* lo) {
  using vector_step = column_step<wide, T, P, Q>;
  constexpr auto unit = static_cast<std::int64_t>(vector_step::unit);
  // A cache line's worth of columns, or a vector's.
  constexpr std::int64_t line = cache_line / static_cast<std::int64_t>(sizeof(T));
  constexpr std::int64_t block = line > unit ? line : unit;
  const std::int64_t step = streams.step();
  std::int64_t j = 0;
  for (; j + block <= width; j += block) {
    for (std::int64_t k = j; k < j + block; k += line) streams.prefetch_line(x, k, R, last);
    for (std::int64_t k = j; k < j + block; k += unit) {
      vector_step::template add<R, Fresh>(x + k, step, hi + k, lo + k);
    }
  }
  for (; j + unit <= width; j += unit) {
    vector_step::template add<R, Fresh>(x + j, step, hi + j, lo + j);
  }
  // What is left over by short vectors, where these are shorter, then one by one.
  using short_step = column_step<hn::CappedTag<double, 2>, T, P, Q>;
  constexpr auto short_unit = static_cast<std::int64_t>(short_step::unit);
  if constexpr (short_unit < unit) {
    for (; j + short_unit <= width; j += short_unit) {
      short_step::template add<R, Fresh>(x + j, step, hi + j, lo + j);
    }
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
  const row_streams<T> streams(at_a_time, step, rows, width);
  std::int64_t i = 1;
  if (streams.length() > 0) {
    add_rows<at_a_time, true, T, P, Q>(x, streams, streams.length() == 1, width, hi, lo);
    for (; i < streams.length(); ++i) {
      add_rows<at_a_time, false, T, P, Q>(x + i * step, streams, i + 1 == streams.length(), width,
                                          hi, lo);
    }
    i *= at_a_time;
  } else {
    add_rows<1, true, T, P, Q>(x, streams, false, width, hi, lo);
  }
  for (; i < rows; ++i) add_rows<1, false, T, P, Q>(x + i * step, streams, false, width, hi, lo);
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
