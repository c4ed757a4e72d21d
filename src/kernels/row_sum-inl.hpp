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
#include "kernels/interleaved-inl.hpp"
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

// Adds the whole units of n elements, less than a block. `x` and `n` become what is left.
template <class Sum, class T>
HWY_INLINE void add_units(Sum& sum, const T*& x, std::size_t& n) {
  if constexpr (requires { sum.add_half_block(x); }) {
    if (n >= Sum::block / 2) {
      prefetch_block<Sum::block / 2 * sizeof(T)>(x, Sum::ahead);
      sum.add_half_block(x);
      x += Sum::block / 2;
      n -= Sum::block / 2;
    }
  }
  for (; n >= Sum::unit; n -= Sum::unit, x += Sum::unit) {
    prefetch(x, Sum::ahead);
    sum.add_unit(x);
  }
}

// Rows of one length, one after the other. `Sum` is a row_sum, or of its kind. Units >= 0 is the
// number of whole units in a row of less than Sum::few.
template <class Sum, int Units>
struct row_reader {
  std::size_t length;
  std::size_t tail;  // elements behind the last whole unit
  hn::Mask<typename Sum::mask_tag> tail_mask;

  // The lanes' sums of the row at x. With MayReadOn, a whole unit may be read where the tail
  // starts.
  template <bool MayReadOn, class T>
  HWY_INLINE typename Sum::sum operator()(const T* x) const {
    if constexpr (Units == 0) {
      return Sum::total_of(rest<MayReadOn>(x));
    } else if constexpr (Units > 0) {
      auto sum = Sum::term(x);
      for (int i = 1; i < Units; ++i) sum = Sum::plus(sum, Sum::term(x + i * Sum::unit));
      if (tail != 0) sum = Sum::plus(sum, rest<MayReadOn>(x + Units * Sum::unit));
      return Sum::total_of(sum);
    } else {
      Sum sum;
      add_rest<MayReadOn>(sum, x, length);
      return sum.total();
    }
  }

  // The last n elements, at x, of a long row.
  template <bool MayReadOn, class T>
  HWY_INLINE void add_rest(Sum& sum, const T* x, std::size_t n) const {
    for (; n >= Sum::block; n -= Sum::block, x += Sum::block) {
      prefetch_block<Sum::block * sizeof(T)>(x, Sum::ahead);
      sum.add_block(x);
    }
    add_units(sum, x, n);
    if (tail != 0) sum.add(rest<MayReadOn>(x));
  }

 private:
  template <bool MayReadOn, class T>
  HWY_INLINE auto rest(const T* x) const {
    if constexpr (MayReadOn) {
      return Sum::masked_term(x, tail_mask);
    } else {
      const padded<T, Sum::unit> copy(x, tail);
      return Sum::masked_term(copy.elements, tail_mask);
    }
  }
};

// The total of a sum and n more elements.
template <class Sum, class T>
HWY_INLINE typename Sum::sum rest_of_row(Sum& sum, const T* x, std::size_t n) {
  for (; n >= Sum::block; n -= Sum::block, x += Sum::block) sum.add_block(x);
  add_units(sum, x, n);
  if (n != 0) {
    const padded<T, Sum::unit> copy(x, n);
    sum.add(Sum::term(copy.elements));
  }
  return sum.total();
}

// Rows of `length` elements that start `step` apart. Of x, `readable` elements may be read.
struct row_block {
  std::int64_t step;
  std::int64_t rows;
  std::int64_t length;
  std::int64_t readable;
};

// Rows that start as far apart as this, or further, are read side by side.
inline constexpr std::int64_t far_apart = 16 << 10;  // bytes

// Adds to sums[i] what whole chunks have of the row at x + i * step, i < Rows, a chunk of one row
// after that of another. Returns the number of elements that it took of each.
template <std::int64_t Rows, class Sum, class T>
HWY_INLINE std::size_t add_side_by_side(const T* x, std::int64_t step, std::size_t length,
                                        Sum* sums) {
  constexpr std::size_t chunk = 2 * Sum::block;
  std::size_t at = 0;
  for (; at + chunk <= length; at += chunk) {
    for (std::int64_t i = 0; i < Rows; ++i) {
      const T* from = x + i * step + at;
      prefetch_block<static_cast<std::ptrdiff_t>(chunk * sizeof(T))>(from, stream_ahead);
      sums[i].add_block(from);
      sums[i].add_block(from + Sum::block);
    }
  }
  return at;
}

// Calls store(j, sums, count) with the sums of rows j to j + count, as lanes of a vector or pair;
// count is group_size but for the last ones. Without Streams, rows are never far apart.
template <class Sum, bool Streams, int Units, class D, class T, class Store>
HWY_INLINE void sum_rows_of(D d, const T* x, const row_block& block, const Store& store) {
  constexpr auto group = static_cast<std::int64_t>(group_size<D>);
  const auto [step, rows, length, readable] = block;
  const auto n = static_cast<std::size_t>(length);
  const row_reader<Sum, Units> lanes_of{n, n % Sum::unit,
                                        hn::FirstN(typename Sum::mask_tag(), n % Sum::unit)};
  typename Sum::sum lanes[group];

  // A row may be read on into what follows it while that may be read.
  const std::int64_t read_on = length + static_cast<std::int64_t>(Sum::unit - lanes_of.tail);
  std::int64_t j = 0;
  if constexpr (Streams && Units < 0 && group > 1) {
    const bool side_by_side = step * static_cast<std::int64_t>(sizeof(T)) >= far_apart;
    for (; side_by_side && j + group <= rows; j += group) {
      Sum sums[group];
      const std::size_t at = add_side_by_side<group>(x + j * step, step, n, sums);
      for (std::int64_t i = 0; i < group; ++i) {
        lanes_of.template add_rest<false>(sums[i], x + (j + i) * step + at, n - at);
        lanes[i] = sums[i].total();
      }
      store(j, sums_of_lanes(d, lanes), group);
    }
  }
  for (; j + group <= rows && (j + group - 1) * step + read_on <= readable; j += group) {
    if constexpr (Units >= 0) {
      prefetch_rows(x + j * step, step, group, length);
    } else {
      prefetch(x + j * step, prefetch_distance);
    }
    for (std::int64_t i = 0; i < group; ++i) {
      lanes[i] = lanes_of.template operator()<true>(x + (j + i) * step);
    }
    store(j, sums_of_lanes(d, lanes), group);
  }
  for (; j < rows; j += group) {
    const std::int64_t count = std::min(group, rows - j);
    for (std::int64_t i = 0; i < group; ++i) {
      lanes[i] =
          i < count ? lanes_of.template operator()<false>(x + (j + i) * step) : Sum().total();
    }
    store(j, sums_of_lanes(d, lanes), count);
  }
}

// As sum_rows_of, for rows of any length; of `Units` units at least.
template <class Sum, bool Streams, int Units = 0, class D, class T, class Store>
HWY_INLINE void sum_rows_with(D d, const T* x, const row_block& block, const Store& store) {
  if constexpr (Units == Sum::few) {
    sum_rows_of<Sum, Streams, -1>(d, x, block, store);
  } else if (block.length / static_cast<std::int64_t>(Sum::unit) == Units) {
    sum_rows_of<Sum, Streams, Units>(d, x, block, store);
  } else {
    sum_rows_with<Sum, Streams, Units + 1>(d, x, block, store);
  }
}

// All elements that the rows have may be read.
HWY_INLINE row_block whole_block(std::int64_t step, std::int64_t rows, std::int64_t length) {
  return {step, rows, length, (rows - 1) * step + length};
}

template <class D, class F>
HWY_INLINE void store_sums(D d, hn::Vec<D> sums, F* hi, F*) {
  hn::StoreU(sums, d, hi);
}
template <class D>
HWY_INLINE void store_sums(D d, pair<D> sums, double* hi, double* lo) {
  hn::StoreU(sums.hi, d, hi);
  hn::StoreU(sums.lo, d, lo);
}

// See sum.hpp.
template <class T, power P, precision Q>
void sum_rows(const T* x, std::int64_t step, std::int64_t rows, std::int64_t length, double* hi,
              double* lo) {
  constexpr auto group = static_cast<std::int64_t>(group_size<wide>);
  const auto store = [&](std::int64_t j, const auto& sums, std::int64_t count) HWY_ATTR {
    if (count == group) return store_sums(group_tag<wide>(), sums, hi + j, lo + j);
    double last_hi[group];
    double last_lo[group];
    store_sums(group_tag<wide>(), sums, last_hi, last_lo);
    std::memcpy(hi + j, last_hi, static_cast<std::size_t>(count) * sizeof(double));
    if constexpr (Q == precision::pair) {
      std::memcpy(lo + j, last_lo, static_cast<std::size_t>(count) * sizeof(double));
    }
  };
  using sum = row_sum<wide, T, P, Q>;
#if HWY_TARGET != HWY_SCALAR
  if constexpr (Q != precision::runs) {
    if (length == 2 && step == 2) {
      const std::int64_t done = rows - rows % interleaved_rows<T>;
      sum_interleaved<2, P, Q>(wide(), x, done, [&](std::int64_t j, const auto& sums) HWY_ATTR {
        store_sums(wide(), sums, hi + j, lo + j);
      });
      x += 2 * done;
      hi += done;
      lo += done;
      rows -= done;
      if (rows == 0) return;
    }
  }
#endif
  sum_rows_with<sum, true>(wide(), x, whole_block(step, rows, length), store);
}

template <class T, power P, precision Q>
HWY_INLINE constexpr std::int64_t row_depth(std::int64_t length) {
  return row_sum<wide, T, P, Q>::depth(length) + group_depth<wide>;
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
