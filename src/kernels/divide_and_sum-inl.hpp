// Dividing rows while others are summed (quotient.hpp). Included once for each target.
// SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_DIVIDE_AND_SUM_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_DIVIDE_AND_SUM_INL_HPP
#undef HALFULP_KERNELS_DIVIDE_AND_SUM_INL_HPP
#else
#define HALFULP_KERNELS_DIVIDE_AND_SUM_INL_HPP
#endif

#include "kernels/divide-inl.hpp"
#include "kernels/row_sum-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

#if HWY_NATIVE_FMA

// Elements are fetched this far ahead of their sum.
inline constexpr std::ptrdiff_t fetched_ahead = 4 * prefetch_distance;

// Divides the row at x by the first reciprocal and returns whether that was certain; the lanes' sum
// of the row at `next`, of as many elements, goes to `sum`.
template <class Sum, class Step, bool Stream, class T>
HWY_INLINE bool divide_and_sum_row(const T* x, T* y, const reciprocals& r, const T* next,
                                   std::int64_t n, typename Sum::sum& lanes) {
  constexpr auto unit = static_cast<std::int64_t>(Step::unit);
  constexpr std::int64_t group = 4 * unit;
  constexpr auto block = static_cast<std::int64_t>(Sum::block);
  static_assert(group % block == 0);
  const one_reciprocal local(r);
  Step step(local.get());
  Sum sum;
  std::int64_t i = 0;
  for (; i + group <= n; i += group) {
    prefetch_block<group* static_cast<std::ptrdiff_t>(sizeof(T))>(next + i, fetched_ahead);
    for (std::int64_t k = i; k < i + group; k += block) sum.add_block(next + k);
    for (std::int64_t k = i; k < i + group; k += unit) {
      step.template divide<Stream>(x, y, local.get(), k);
    }
    settle_quotients(step, x, y, local.get(), i, i + group);
  }
  lanes = rest_of_row(sum, next + i, static_cast<std::size_t>(n - i));
  divide_last<Step, Stream>(step, x, y, local.get(), i, n);
  return step.certain();
}

// See quotient.hpp.
template <class T, power P>
void divide_and_sum(const row_work<T>& work) {
  constexpr precision q = std::is_same_v<T, double> ? precision::pair : precision::plain;
  constexpr std::size_t group = group_size<wide>;
  using sum = row_sum<wide, T, P, q>;
  using step = typename quotient_steps<T, T, false>::quick;
  typename sum::sum lanes[rows_at_once];
  for (std::int64_t j = 0; j < rows_at_once; ++j) {
    const T* x = work.x + j * work.x_step;
    const T* next = work.next + j * work.x_step;
    T* y = work.y + j * work.y_step;
    const reciprocals r = work.divisors.from(j);
    lanes[j] = sum().total();
    if (j < work.rows && j < work.next_rows) {
      work.certain[j] =
          work.stream && is_aligned(y)
              ? divide_and_sum_row<sum, step, true>(x, y, r, next, work.length, lanes[j])
              : divide_and_sum_row<sum, step, false>(x, y, r, next, work.length, lanes[j]);
    } else if (j < work.rows) {
      work.certain[j] = divide_vectors<step, false, false>(x, y, r, 0, work.length, 0);
    } else if (j < work.next_rows) {
      sum s;
      lanes[j] = rest_of_row(s, next, static_cast<std::size_t>(work.length));
    }
  }
  for (std::size_t j = 0; j < rows_at_once; j += group) {
    store_sums(group_tag<wide>(), sums_of_lanes(wide(), lanes + j), work.hi + j, work.lo + j);
  }
}

#endif  // HWY_NATIVE_FMA

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
