// How a plan's work is cut: into tiles of slices, and, where these are few, slices into parts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "exec/blocks.hpp"
#include "exec/tiles.hpp"
#include "kernels/quotient.hpp"
#include "kernels/short_rows.hpp"
#include "plan/loop_nest.hpp"

namespace halfulp {

// Slices of a tile of a reduction: rows, or short columns.
inline constexpr std::int64_t most_slices = 2048;

// Slices of a tile of a reduction, whose elements have `size` bytes.
inline std::int64_t tile_width(const loop_nest& nest, std::int64_t size, bool in_place,
                               int threads) noexcept {
  // What a tile reads stays in the second cache until its later tiers have run, and its sums and
  // its output in the first.
  constexpr std::int64_t tile_bytes = 48 << 10;
  const std::int64_t lanes = nest.kept.back().extent;
  if (nest.layout == layout_class::row) {
    // At least four, which are finished together, if that leaves every thread some tiles.
    const std::int64_t least =
        std::clamp<std::int64_t>(nest.slice_count / (4 * std::int64_t{threads}), 1, 4);
    std::int64_t width = std::clamp(tile_bytes / size / nest.slice_length, least, most_slices);
    const std::int64_t whole = width > kernels::short_rows_at_once ? kernels::short_rows_at_once
                               : width > streams_at_once           ? streams_at_once
                                                                   : 1;
    return std::min(lanes, width - width % whole);
  }
  // Of long columns the rows of a tile should be long pieces of memory, and may have sums that fill
  // the second cache; of short ones the sums should stay in the first.
  constexpr std::int64_t long_column = 256;
  constexpr std::int64_t widest = 16384;
  if (!in_place) return std::min<std::int64_t>(lanes, scratch_size / 4);
  return std::min(lanes, nest.slice_length >= long_column ? widest : most_slices);
}

// Whether rows of a reduction, whose elements have `size` bytes, are read in streams: many whole
// ones that are long enough for it, more than the second cache holds.
inline bool reads_in_streams(const loop_nest& nest, std::int64_t size, bool in_place,
                             int threads) noexcept {
  constexpr std::int64_t shortest = 1 << 10, smallest = 1 << 20;  // bytes
  const loop& run = nest.reduced.back();
  const std::int64_t bytes = nest.slice_length * size;
  return nest.layout == layout_class::row && in_place && run.extent == nest.slice_length &&
         run.extent <= longest_row && bytes >= shortest && nest.slice_count * bytes >= smallest &&
         nest.kept.back().in > 0 && nest.kept.back().extent >= 4 * streams_at_once * threads;
}

inline tiling tiles_of(const loop_nest& nest, std::int64_t size, bool in_place, int threads) {
  return {nest, tile_width(nest, size, in_place, threads),
          reads_in_streams(nest, size, in_place, threads)};
}

// While a tile of rows is divided, the next one is fetched, if it is not more than this.
inline constexpr std::int64_t largest_prefetch = 64 << 10;

// Rows of a tile that are divided while as many are summed: both stay in the first cache, if it is
// not one of each.
inline std::int64_t rows_at_once(const loop_nest& nest, std::int64_t size) noexcept {
  constexpr std::int64_t bytes = 16 << 10;
  return std::min(
      nest.kept.back().extent,
      std::clamp<std::int64_t>(bytes / (size * nest.slice_length), 1, kernels::rows_at_once));
}

// A tile of columns to be normalised that is read once from memory has at most as much.
inline constexpr std::int64_t column_bytes = 512 << 10;

// Slices of a tile whose elements are divided by their norms, too.
inline std::int64_t normalized_width(const loop_nest& nest, std::int64_t size, bool in_place,
                                     int threads) noexcept {
  // A tile stays in the first cache if it is one of rows, else in the second, together with the
  // next one. Columns too long for that are read twice from memory.
  constexpr std::int64_t row_bytes = 12 << 10;
  constexpr std::int64_t narrowest = 128;
  const std::int64_t lanes = nest.kept.back().extent;
  if (nest.layout == layout_class::row) {
    return std::min(lanes, std::clamp<std::int64_t>(row_bytes / size / nest.slice_length, 1, 256));
  }
  const std::int64_t fitting = column_bytes / size / nest.slice_length / 64 * 64;
  if (fitting < narrowest) return tile_width(nest, size, in_place, threads);
  return std::min({lanes, fitting, in_place ? fitting : scratch_size / 4});
}

// Parts that slices are cut into where there are `tiles` tiles.
inline std::int64_t part_count(const loop_nest& nest, std::int64_t tiles, int threads) noexcept {
  // So that threads are done at about the same time though some parts take longer.
  constexpr std::int64_t tasks_per_thread = 4;
  constexpr std::int64_t part_elements = 1 << 15;
  if (threads == 1 || tiles >= 2 * std::int64_t{threads}) return 1;
  const std::int64_t wanted = (tasks_per_thread * threads + tiles - 1) / tiles;
  const std::int64_t most = nest.slice_count * nest.slice_length / tiles / part_elements;
  return std::clamp<std::int64_t>(std::min(wanted, most), 1, nest.slice_length);
}

}  // namespace halfulp
