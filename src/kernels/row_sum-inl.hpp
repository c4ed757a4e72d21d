// Sums along rows. Included once for each target.
// SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_ROW_SUM_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_ROW_SUM_INL_HPP
#undef HALFULP_KERNELS_ROW_SUM_INL_HPP
#else
#define HALFULP_KERNELS_ROW_SUM_INL_HPP
#endif

#include <algorithm>
#include <cstring>

#include "kernels/accumulate-inl.hpp"
#include "kernels/prefetch-inl.hpp"
#include "kernels/transpose-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// The first `n` elements at x, zeros behind them.
template <class T, std::size_t N>
struct padded {
  HWY_ALIGN T elements[N];

  HWY_INLINE padded(const T* x, std::size_t n) {
    std::memset(elements, 0, sizeof(elements));
    std::memcpy(elements, x, n * sizeof(T));
  }
};

// The shape of the rows of a call, as constants where that helps: Units >= 0 is their number in a
// row without whole blocks.
template <class Sum, int Units>
struct row_reader {
  std::size_t length;
  std::size_t tail;  // elements behind the last whole unit
  hn::Mask<typename Sum::mask_tag> tail_mask;

  // The lanes' sums of the row at x. With MayReadOn, a whole unit may be read where the tail
  // starts.
  template <bool MayReadOn, class T>
  HWY_INLINE typename Sum::sum operator()(const T* x) const {
    Sum sum;
    if constexpr (Units >= 0) {
      for (int i = 0; i < Units; ++i, x += Sum::unit) sum.add_unit(x);
    } else {
      std::size_t n = length;
      for (; n >= Sum::block; n -= Sum::block, x += Sum::block) {
        prefetch_block<Sum::block * sizeof(T)>(x, prefetch_distance);
        sum.add_block(x);
      }
      for (; n >= Sum::unit; n -= Sum::unit, x += Sum::unit) sum.add_unit(x);
    }
    if (tail != 0) {
      if constexpr (MayReadOn) {
        sum.add_masked(x, tail_mask);
      } else {
        const padded<T, Sum::unit> rest(x, tail);
        sum.add_masked(rest.elements, tail_mask);
      }
    }
    return sum.total();
  }
};

template <class D>
HWY_INLINE void store_sums(D d, hn::Vec<D> sums, double* hi, double*) {
  hn::StoreU(sums, d, hi);
}
template <class D>
HWY_INLINE void store_sums(D d, pair<D> sums, double* hi, double* lo) {
  hn::StoreU(sums.hi, d, hi);
  hn::StoreU(sums.lo, d, lo);
}

template <int Units, class T, power P, precision Q>
void sum_rows_of(const T* x, std::int64_t step, std::int64_t rows, std::int64_t length, double* hi,
                 double* lo) {
  using sum = row_sum<wide, T, P, Q>;
  constexpr auto group = static_cast<std::int64_t>(group_size<wide>);
  const auto n = static_cast<std::size_t>(length);
  const row_reader<sum, Units> lanes_of{n, n % sum::unit,
                                        hn::FirstN(typename sum::mask_tag(), n % sum::unit)};
  typename sum::sum lanes[group];

  // A row may be read on into what follows it while that is before the end of the last one.
  const std::int64_t read_on = static_cast<std::int64_t>(sum::unit - lanes_of.tail);
  std::int64_t j = 0;
  for (; j + group <= rows && (rows - group - j) * step >= read_on; j += group) {
    prefetch(x + j * step, prefetch_distance);
    for (std::int64_t i = 0; i < group; ++i) {
      lanes[i] = lanes_of.template operator()<true>(x + (j + i) * step);
    }
    store_sums(group_tag<wide>(), sums_of_lanes(wide(), lanes), hi + j, lo + j);
  }
  for (; j < rows; j += group) {
    const std::int64_t count = std::min(group, rows - j);
    for (std::int64_t i = 0; i < group; ++i) {
      lanes[i] =
          i < count ? lanes_of.template operator()<false>(x + (j + i) * step) : sum().total();
    }
    double last_hi[group];
    double last_lo[group];
    store_sums(group_tag<wide>(), sums_of_lanes(wide(), lanes), last_hi, last_lo);
    std::memcpy(hi + j, last_hi, static_cast<std::size_t>(count) * sizeof(double));
    if constexpr (Q == precision::pair) {
      std::memcpy(lo + j, last_lo, static_cast<std::size_t>(count) * sizeof(double));
    }
  }
}

// See sum.hpp.
template <class T, power P, precision Q>
void sum_rows(const T* x, std::int64_t step, std::int64_t rows, std::int64_t length, double* hi,
              double* lo) {
  constexpr auto unit = static_cast<std::int64_t>(row_sum<wide, T, P, Q>::unit);
  switch (length / unit) {
    case 0:
      return sum_rows_of<0, T, P, Q>(x, step, rows, length, hi, lo);
    case 1:
      return sum_rows_of<1, T, P, Q>(x, step, rows, length, hi, lo);
    case 2:
      return sum_rows_of<2, T, P, Q>(x, step, rows, length, hi, lo);
    case 3:
      return sum_rows_of<3, T, P, Q>(x, step, rows, length, hi, lo);
    default:
      return sum_rows_of<-1, T, P, Q>(x, step, rows, length, hi, lo);
  }
}

template <class T, power P, precision Q>
HWY_INLINE constexpr std::int64_t row_depth(std::int64_t length) {
  return row_sum<wide, T, P, Q>::depth(length) + group_depth;
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
