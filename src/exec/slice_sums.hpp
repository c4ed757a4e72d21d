// The fast sums of a tile's slices, with their certificate.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "accum/certificate.hpp"
#include "accum/error_free.hpp"
#include "exec/blocks.hpp"
#include "exec/slice_parts.hpp"
#include "kernels/sum.hpp"
#include "kernels/sum_bound.hpp"

namespace halfulp {

// hi[j] + lo[j] is the sum of slice j. `spare_hi` and `spare_lo` have room for as many.
struct sums_memory {
  double* hi;
  double* lo;
  double* spare_hi;
  double* spare_lo;
};

// (hi, lo) += (other_hi, other_lo) for n sums.
inline void fold_sums(const double* other_hi, const double* other_lo, std::int64_t n, double* hi,
                      double* lo) noexcept {
  for (std::int64_t j = 0; j < n; ++j) {
    const double_pair s = two_sum(hi[j], other_hi[j]);
    hi[j] = s.hi;
    lo[j] = (lo[j] + other_lo[j]) + s.lo;
  }
}
inline void fold_sums(const double* other_hi, std::int64_t n, double* hi, double* lo) noexcept {
  for (std::int64_t j = 0; j < n; ++j) {
    const double_pair s = two_sum(hi[j], other_hi[j]);
    hi[j] = s.hi;
    lo[j] = lo[j] + s.lo;
  }
}

template <float_element T, power P>
class slice_sums {
 public:
  slice_sums(const loop_nest& nest, const std::byte* data, kernels::precision precision) noexcept
      : nest_(nest),
        blocks_(nest, data),
        kernels_(kernels::sum_kernels_of<T>()),
        precision_(precision),
        blocks_per_slice_(blocks_.blocks_per_slice()) {}

  bool in_place() const noexcept { return blocks_.in_place(); }

  // Whether lo is written: else all of it is zero.
  bool has_lo() const noexcept {
    return precision_ == kernels::precision::pair || blocks_per_slice_ > 1 ||
           blocks_.folds_columns();
  }

  // For sums of slices that are made of `parts` of this shape.
  template <float_element Out>
  certificate certify(std::int64_t parts) const noexcept {
    const std::int64_t length = nest_.reduced.back().extent;
    const std::int64_t depth =
        nest_.layout == layout_class::row
            ? kernels_.row_depth.at(P, precision_)(std::min(length, longest_row))
            : kernels::column_depth(std::min(length, longest_column), precision_);
    const std::int64_t sums_per_block =
        blocks_.folds_columns() ? slice_blocks<T>::narrow_width + 1 : 1;
    return kernels::certify<T, P, Out>(precision_, kernels_.fused, depth,
                                       parts * blocks_per_slice_ * sums_per_block,
                                       parts * nest_.slice_length);
  }

  // The sums of the slices of a tile, whose offsets count from `data`.
  void sum(const std::byte* data, const tile& t, const sums_memory& sums) const {
    if (nest_.layout == layout_class::row) {
      sum_rows(data, t, sums);
    } else {
      sum_columns(data + t.in, t.width, sums);
    }
  }

  // Tells which sums of the slices of a tile, or their roots, are settled for having no rounding
  // error.
  template <float_element Out>
  certificate certify_exact(const std::byte* data, const tile& t, root r) const {
    return kernels::certify_exact<T, P, Out>(precision_, r, smallest(data, t), nest_.slice_length);
  }

 private:
  // The smallest magnitude but zero in a tile, or infinity.
  T smallest(const std::byte* data, const tile& t) const {
    T least = infinity<T>();
    const auto take = [&](const T* x, std::int64_t step, std::int64_t rows, std::int64_t length) {
      const T of_block = kernels_.smallest(x, step, rows, length);
      if (to_bits(of_block) < to_bits(least)) least = of_block;
    };
    if (nest_.layout == layout_class::row) {
      blocks_.for_each_row_block(
          data, t, [&](const row_block<T>& b) { take(b.x, b.step, b.rows, b.length); });
    } else {
      blocks_.for_each_column_block(
          data + t.in, t.width,
          [&](const T* x, std::int64_t step, std::int64_t rows) { take(x, step, rows, t.width); });
    }
    return least;
  }

  void fold(const double* hi, const double* lo, std::int64_t n, std::int64_t first,
            const sums_memory& sums) const noexcept {
    if (precision_ == kernels::precision::pair) {
      fold_sums(hi, lo, n, sums.hi + first, sums.lo + first);
    } else {
      fold_sums(hi, n, sums.hi + first, sums.lo + first);
    }
  }

  void clear(std::int64_t width, const sums_memory& sums) const noexcept {
    std::fill_n(sums.hi, width, 0.0);
    std::fill_n(sums.lo, width, 0.0);
  }

  void sum_rows(const std::byte* data, const tile& t, const sums_memory& sums) const {
    const auto rows_kernel = kernels_.rows.at(P, precision_);
    if (blocks_per_slice_ == 1) {
      blocks_.for_each_row_block(data, t, [&](const row_block<T>& b) {
        rows_kernel(b.x, b.step, b.rows, b.length, sums.hi + b.first, sums.lo + b.first);
      });
      return;
    }
    clear(t.width, sums);
    blocks_.for_each_row_block(data, t, [&](const row_block<T>& b) {
      if (b.of_one_slice) {
        double hi[streams_at_once], lo[streams_at_once];
        rows_kernel(b.x, b.step, b.rows, b.length, hi, lo);
        for (std::int64_t i = 0; i < b.rows; ++i) fold(hi + i, lo + i, 1, b.first, sums);
      } else {
        rows_kernel(b.x, b.step, b.rows, b.length, sums.spare_hi, sums.spare_lo);
        fold(sums.spare_hi, sums.spare_lo, b.rows, b.first, sums);
      }
    });
  }

  void sum_columns(const std::byte* tile, std::int64_t width, const sums_memory& sums) const {
    const auto columns_kernel = kernels_.columns.at(P, precision_);
    if (blocks_.folds_columns()) {
      sum_narrow_columns(tile, width, sums);
      return;
    }
    if (blocks_per_slice_ == 1) {
      blocks_.for_each_column_block(tile, width,
                                    [&](const T* x, std::int64_t step, std::int64_t rows) {
                                      columns_kernel(x, step, rows, width, sums.hi, sums.lo);
                                    });
      return;
    }
    clear(width, sums);
    blocks_.for_each_column_block(
        tile, width, [&](const T* x, std::int64_t step, std::int64_t rows) {
          columns_kernel(x, step, rows, width, sums.spare_hi, sums.spare_lo);
          fold(sums.spare_hi, sums.spare_lo, width, 0, sums);
        });
  }

  // Rows of `width` elements without gaps, taken as fewer rows of `copies` times as many.
  void sum_narrow_columns(const std::byte* tile, std::int64_t width,
                          const sums_memory& sums) const {
    const auto columns_kernel = kernels_.columns.at(P, precision_);
    const std::int64_t copies = blocks_.folded_rows();
    constexpr std::int64_t most = slice_blocks<T>::narrow_width;
    double hi[most], lo[most];
    clear(width, sums);
    blocks_.for_each_column_block(
        tile, width, [&](const T* x, std::int64_t step, std::int64_t rows) {
          const std::int64_t wide_rows = rows / copies;
          if (wide_rows > 0) {
            columns_kernel(x, step * copies, wide_rows, width * copies, hi, lo);
            for (std::int64_t c = 0; c < copies; ++c) {
              fold(hi + c * width, lo + c * width, width, 0, sums);
            }
          }
          if (rows % copies == 0) return;
          columns_kernel(x + wide_rows * copies * step, step, rows % copies, width, hi, lo);
          fold(hi, lo, width, 0, sums);
        });
  }

  const loop_nest& nest_;
  slice_blocks<T> blocks_;
  const kernels::sum_kernels<T>& kernels_;
  kernels::precision precision_;
  std::int64_t blocks_per_slice_;
};

// The sums of a tile's slices, whole or by parts, which the threads then share.
template <float_element T, power P>
class tile_sums {
 public:
  // `data` is the address of the element of index 0.
  tile_sums(const loop_nest& nest, const std::byte* data, kernels::precision precision,
            const slice_parts& parts) noexcept
      : data_(data), precision_(precision), parts_(parts), whole_(nest, data, precision) {}

  bool in_place() const noexcept { return whole_.in_place(); }
  bool has_lo() const noexcept { return parts_.count() > 1 || whole_.has_lo(); }

  template <float_element Out>
  certificate certify() const noexcept {
    if (parts_.count() == 1) return whole_.template certify<Out>(1);
    // Parts are folded like blocks: as if there were one block more of each.
    return slice_sums<T, P>(parts_.longest(), data_, precision_)
        .template certify<Out>(2 * parts_.count());
  }

  // Of the sums of one tile, not made of parts: tells those without any rounding error.
  template <float_element Out>
  certificate certify_exact(const tile& t, root r) const {
    return whole_.template certify_exact<Out>(data_, t, r);
  }

  void sum(const tile& t, const sums_memory& sums) const {
    if (parts_.count() == 1) {
      whole_.sum(data_, t, sums);
      return;
    }
    const auto width = static_cast<std::size_t>(t.width);
    std::vector<double> memory(static_cast<std::size_t>(parts_.count()) * 4 * width);
    parts_.for_each([&](const loop_nest& nest, std::int64_t in, std::int64_t, std::size_t i) {
      double* from = memory.data() + i * 4 * width;
      slice_sums<T, P>(nest, data_ + in, precision_)
          .sum(data_ + in, t, {from, from + width, from + 2 * width, from + 3 * width});
    });
    std::fill_n(sums.hi, t.width, 0.0);
    std::fill_n(sums.lo, t.width, 0.0);
    for (std::size_t at = 0; at < memory.size(); at += 4 * width) {
      fold_sums(memory.data() + at, memory.data() + at + width, t.width, sums.hi, sums.lo);
    }
  }

 private:
  const std::byte* data_;
  kernels::precision precision_;
  const slice_parts& parts_;
  slice_sums<T, P> whole_;
};

}  // namespace halfulp
