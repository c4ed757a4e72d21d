// A tile of slices as blocks that the kernels take: elements in place where they are contiguous,
// else gathered. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "base/memory_access.hpp"
#include "exec/tiles.hpp"
#include "plan/loop_nest.hpp"

namespace halfulp {

// Elements that are gathered at a time.
inline constexpr std::int64_t scratch_size = 4096;

// Elements of a row, and rows of a column, that a kernel is given at most: so many additions keep a
// sum in doubles as good as the bounds need it.
inline constexpr std::int64_t longest_row = 16384;
inline constexpr std::int64_t longest_column = 128;

// x[i * step + k], i < rows, k < length: pieces of as many slices, first + i, or of slice `first`
// alone.
template <element T>
struct row_block {
  const T* x;
  std::int64_t step;
  std::int64_t rows;
  std::int64_t length;
  std::int64_t first;
  bool of_one_slice;
};

template <element T>
class slice_blocks {
 public:
  // `data` is the address of the element of index 0, from which the nest's offsets count.
  slice_blocks(const loop_nest& nest, const std::byte* data) noexcept
      : nest_(nest), lane_(nest.kept.back()), run_(nest.reduced.back()) {
    bool aligned = reinterpret_cast<std::uintptr_t>(data + nest.in_offset) % alignof(T) == 0;
    for (const auto* loops : {&nest.kept, &nest.reduced}) {
      for (const loop& l : *loops) aligned = aligned && l.in % size == 0;
    }
    in_place_ = aligned && (nest.layout == layout_class::row ? run_ : lane_).in == size;
  }

  // Whether blocks are read where they are.
  bool in_place() const noexcept { return in_place_; }

  // Columns fewer than this do not fill vectors: several rows of them are taken for one.
  static constexpr std::int64_t narrow_width = 64;

  // Whether columns are narrow and without gaps: then no tile has fewer than all of them.
  bool folds_columns() const noexcept {
    return nest_.layout == layout_class::column && in_place_ && lane_.extent <= narrow_width / 2 &&
           run_.in == lane_.extent * lane_.in && run_.extent >= 2 * narrow_width;
  }

  // Rows of narrow columns that are taken for one: a power of two, for the sake of vectors.
  std::int64_t folded_rows() const noexcept {
    return static_cast<std::int64_t>(
        std::bit_floor(static_cast<std::uint64_t>(narrow_width / lane_.extent)));
  }

  // Blocks that one slice is cut into at most.
  std::int64_t blocks_per_slice() const noexcept {
    const std::int64_t runs = nest_.slice_length / run_.extent;
    if (nest_.layout == layout_class::row) {
      const std::int64_t stream = stream_length();
      return runs * (streams_at_once * div_ceil(stream, longest_block()) +
                     div_ceil(run_.extent - streams_at_once * stream, longest_block()));
    }
    return runs * (in_place_ ? div_ceil(run_.extent, column_rows(lane_.extent)) : run_.extent);
  }

  // Calls f with the blocks of a tile of rows, whose offsets count from `data`.
  template <typename F>
  void for_each_row_block(const std::byte* data, const tile& t, const F& f) const {
    if (run_.extent > longest_block() || t.width == 1) {
      for (std::int64_t j = 0; j < t.width; ++j) {
        for_each_block_of_row(data + t.in_of(j), [&](const T* x, std::int64_t step,
                                                     std::int64_t rows, std::int64_t length) {
          f(row_block<T>{x, step, rows, length, j, true});
        });
      }
      return;
    }
    T scratch[scratch_size];
    const std::int64_t step = t.in_streams() ? t.across.in : t.along.in;
    const std::int64_t rows = t.in_streams() ? streams_at_once
                              : in_place_    ? t.width
                                             : scratch_size / run_.extent;
    for_each_run(nest_, [&](std::int64_t in, std::int64_t) {
      for (std::int64_t j = 0; j < t.width; j += rows) {
        const std::int64_t count = std::min(rows, t.width - j);
        const T* x = gathered(data + t.in_of(j) + in, count, step, run_.extent, run_.in, scratch);
        f(row_block<T>{x, in_place_ ? step / size : run_.extent, count, run_.extent, j, false});
      }
    });
  }

  // Calls f(x, step, rows, length) with blocks x[i * step + k], i < rows, k < length, of the row
  // that starts at `row`. Long ones are read in streams.
  template <typename F>
  void for_each_block_of_row(const std::byte* row, const F& f) const {
    T scratch[scratch_size];
    const std::int64_t longest = longest_block();
    const std::int64_t stream = stream_length();
    for_each_run(nest_, [&](std::int64_t in, std::int64_t) {
      const auto* x = reinterpret_cast<const T*>(row + in);
      for (std::int64_t i = 0; i < stream; i += longest) {
        f(x + i, stream, streams_at_once, std::min(longest, stream - i));
      }
      for (std::int64_t i = streams_at_once * stream; i < run_.extent; i += longest) {
        const std::int64_t n = std::min(longest, run_.extent - i);
        f(gathered(row + in + i * run_.in, 1, 0, n, run_.in, scratch), n, std::int64_t{1}, n);
      }
    });
  }

  // Of a tile of columns: calls f(x, step, rows) for blocks where x[i * step + j], i < rows,
  // belong to slice j, j < width. Where they are not in place, `width` is at most scratch_size.
  // There are up to longest_column rows, of all columns where these are folded times as many.
  template <typename F>
  void for_each_column_block(const std::byte* tile, std::int64_t width, const F& f) const {
    T scratch[scratch_size];
    const std::int64_t rows = in_place_ ? column_rows(width) : scratch_size / width;
    const std::int64_t step = in_place_ ? run_.in / size : width;
    for_each_run(nest_, [&](std::int64_t in, std::int64_t) {
      for (std::int64_t i = 0; i < run_.extent; i += rows) {
        const std::int64_t count = std::min(rows, run_.extent - i);
        f(gathered(tile + in + i * run_.in, count, run_.in, width, lane_.in, scratch), step, count);
      }
    });
  }

 private:
  std::int64_t column_rows(std::int64_t width) const noexcept {
    return longest_column * (folds_columns() && width == lane_.extent ? folded_rows() : 1);
  }

  std::int64_t longest_block() const noexcept { return in_place_ ? longest_row : scratch_size; }

  // Elements of each stream of a run; 0: it is too short for several.
  std::int64_t stream_length() const noexcept {
    const bool in_streams = in_place_ && run_.extent >= streams_at_once * longest_row;
    return in_streams ? run_.extent / streams_at_once : 0;
  }

  static constexpr auto size = static_cast<std::int64_t>(sizeof(T));

  // `count` pieces, `step` bytes apart, of n elements, `stride` bytes apart: where they are, or one
  // after the other in scratch.
  const T* gathered(const std::byte* data, std::int64_t count, std::int64_t step, std::int64_t n,
                    std::int64_t stride, T* scratch) const noexcept {
    if (in_place_) return reinterpret_cast<const T*>(data);
    T* to = scratch;
    for (std::int64_t i = 0; i < count; ++i) {
      const std::byte* from = data + i * step;
      for (std::int64_t k = 0; k < n; ++k, from += stride) *to++ = load<T>(from);
    }
    return scratch;
  }

  const loop_nest& nest_;
  const loop& lane_;
  const loop& run_;
  bool in_place_;
};

}  // namespace halfulp
