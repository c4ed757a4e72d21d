// The sums of a tile's slices: fast with a bound, exact, or modulo 2^64.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accum/exact_sum.hpp"
#include "exec/tiles.hpp"
#include "kernels/sum.hpp"
#include "kernels/wrapping_sum.hpp"
#include "plan/loop_nest.hpp"

namespace halfulp {

// Slices that a tile has at most.
inline constexpr int max_tile_width = 256;

// Elements that are gathered at a time.
inline constexpr std::int64_t scratch_size = 4096;

// The slice of lane j starts at data + j * nest.kept.back().in.

// rows(x, n, j) for pieces of slice j; all pieces of one slice before those of the next.
template <element T, typename F>
void for_each_row_piece(const loop_nest& nest, const std::byte* data, int width, const F& rows) {
  T scratch[scratch_size];
  const loop& lane = nest.kept.back();
  const loop& run = nest.reduced.back();
  for (int j = 0; j < width; ++j) {
    for_each_run(nest, [&](std::int64_t in, std::int64_t) {
      for_each_piece(data + j * lane.in + in, run.extent, run.in, scratch,
                     [&](const T* x, std::int64_t n, std::int64_t) { rows(x, n, j); });
    });
  }
}

// column(x) for each step along the slices, x[j] the element of slice j.
template <element T, typename F>
void for_each_column_step(const loop_nest& nest, const std::byte* data, int width,
                          const F& column) {
  T scratch[max_tile_width];
  const loop& lane = nest.kept.back();
  const loop& run = nest.reduced.back();
  for_each_run(nest, [&](std::int64_t in, std::int64_t) {
    for (std::int64_t i = 0; i < run.extent; ++i) {
      column(contiguous<T>(data + in + i * run.in, width, lane.in, scratch));
    }
  });
}

template <float_element T, power P, kernels::precision Q>
void sum_tile(const loop_nest& nest, const std::byte* data, int width, approximate_sum* sums) {
  if (nest.layout == layout_class::row) {
    std::fill_n(sums, width, approximate_sum{0, 0});
    for_each_row_piece<T>(nest, data, width, [&](const T* x, std::int64_t n, int j) {
      kernels::row_sum<T, P, Q>::add(x, n, sums[j]);
    });
  } else {
    kernels::column_sum<T, P, Q> sum(width);
    for_each_column_step<T>(nest, data, width, [&](const T* x) { sum.add(x); });
    for (int j = 0; j < width; ++j) sums[j] = sum.result(j);
  }
}

// The bound of the sums that sum_tile makes.
template <float_element T, power P, kernels::precision Q>
double sum_tile_bound(const loop_nest& nest) {
  const std::int64_t length = nest.reduced.back().extent;
  const std::int64_t runs = nest.slice_length / length;
  if (nest.layout == layout_class::column) {
    return kernels::column_sum<T, P, Q>::bound({runs, length});
  }
  // Gathered or not, a run reaches the kernel in at most so many pieces of at most a chunk.
  using rows = kernels::row_sum<T, P, Q>;
  static_assert(scratch_size <= rows::chunk);
  const std::int64_t pieces = (length - 1) / scratch_size + 1;
  return rows::bound({runs * pieces, std::min(length, rows::chunk - 1)});
}

template <integer_element T, power P>
void wrapping_sum_tile(const loop_nest& nest, const std::byte* data, int width,
                       std::uint64_t* sums) {
  if (nest.layout == layout_class::row) {
    std::fill_n(sums, width, std::uint64_t{0});
    for_each_row_piece<T>(nest, data, width, [&](const T* x, std::int64_t n, int j) {
      sums[j] += kernels::wrapping_row_sum<T, P>(x, n);
    });
  } else {
    kernels::wrapping_column_sum<T, P> sum(width);
    for_each_column_step<T>(nest, data, width, [&](const T* x) { sum.add(x); });
    for (int j = 0; j < width; ++j) sums[j] = sum.result(j);
  }
}

// The exact sum of the one slice that starts at `slice`.
template <element T, power P>
exact_sum<T, P> exact_slice_sum(const loop_nest& nest, const std::byte* slice) {
  exact_sum<T, P> sum;
  const loop& run = nest.reduced.back();
  for_each_run(nest,
               [&](std::int64_t in, std::int64_t) { sum.add(slice + in, run.extent, run.in); });
  return sum;
}

}  // namespace halfulp
