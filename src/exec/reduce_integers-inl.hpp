// Reductions of integers. Instantiated for one input type at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "accum/exact_finish.hpp"
#include "base/cache_size.hpp"
#include "base/element_dispatch.hpp"
#include "exec/blocks.hpp"
#include "exec/execute.hpp"
#include "exec/schedule.hpp"
#include "exec/slice_parts.hpp"
#include "kernels/stream.hpp"
#include "kernels/wrapping_sum.hpp"

namespace halfulp {

namespace detail {

// What both ways have in common: tiles, or parts of tiles, on the threads.
class integer_reduction {
 public:
  integer_reduction(const loop_nest& nest, const tiling& tiles, parallel& threads)
      : nest_(nest),
        threads_(threads),
        tiles_(tiles),
        parts_(nest_, part_count(nest_, tiles_.count(), threads.width()), threads) {}

  const slice_parts& parts() const noexcept { return parts_; }

  // f(tile, scratch) for each, scratch as f left it the last time on its thread.
  template <typename Scratch, typename F>
  void for_each_tile(const F& f) const {
    const auto run_tiles = [&](std::int64_t first, std::int64_t last) {
      Scratch scratch;
      for (std::int64_t i = first; i < last; ++i) f(tiles_[i], scratch);
    };
    if (parts_.count() > 1) {
      run_tiles(0, tiles_.count());
    } else {
      threads_.for_each_part(tiles_.count(), nest_.slice_count * nest_.slice_length, run_tiles);
    }
  }

 private:
  const loop_nest& nest_;
  parallel& threads_;
  tiling tiles_;
  slice_parts parts_;
};

// Sums into integers wrap.
template <integer_element T, power P, integer_element Out>
class modular_reduction {
  using word = std::conditional_t<(sizeof(T) > sizeof(Out)), std::make_unsigned_t<T>,
                                  std::make_unsigned_t<Out>>;
  using words = std::vector<word>;

 public:
  modular_reduction(const computation_plan& plan, const std::byte* input, std::byte* output,
                    parallel& threads)
      : nest_(plan.nest),
        input_(input),
        output_(output),
        blocks_(nest_, input),
        work_(nest_, tiles_of(nest_, sizeof(T), blocks_.in_place(), threads.width()), threads),
        streams_(nest_.slice_count * static_cast<std::int64_t>(sizeof(Out)) > last_cache_size()) {}

  void run() const {
    const bool direct = sizeof(word) == sizeof(Out) && nest_.layout == layout_class::row &&
                        work_.parts().count() == 1 && blocks_.blocks_per_slice() == 1;
    work_.for_each_tile<words>([&](const tile& t, words& scratch) {
      std::byte* to = output_ + t.out;
      const std::int64_t stride = t.width == 1 ? sizeof(Out) : t.along.out;
      if (direct && !t.in_streams() && is_contiguous<Out>(to, stride)) {
        sum_rows(t, reinterpret_cast<word*>(to));
        return;
      }
      sum(t, scratch);
      for (std::int64_t j = 0; j < t.width; ++j) {
        store(output_ + t.out_of(j), static_cast<Out>(scratch[static_cast<std::size_t>(j)]));
      }
    });
    if (streams_) kernels::end_stream();
  }

 private:
  static constexpr auto power_index = static_cast<std::size_t>(P) - 1;

  // Rows of which each is one block.
  void sum_rows(const tile& t, word* sums) const {
    blocks_.for_each_row_block(input_, t, [&](const row_block<T>& b) {
      kernels_.rows[power_index](b.x, b.step, b.rows, b.length, sums + b.first, streams_);
    });
  }

  // The sums of a tile, which come first in `sums`.
  void sum(const tile& t, words& sums) const {
    const slice_parts& parts = work_.parts();
    const auto width = static_cast<std::size_t>(t.width);
    const auto all = width * static_cast<std::size_t>(parts.count());
    sums.assign(2 * all, 0);
    parts.for_each([&](const loop_nest& nest, std::int64_t in, std::int64_t, std::size_t part) {
      word* to = sums.data() + width * part;
      const slice_blocks<T> blocks(nest, input_ + in);
      if (nest.layout == layout_class::row) {
        blocks.for_each_row_block(input_ + in, t, [&](const row_block<T>& b) {
          word of_slice[streams_at_once];
          word* block_sums = b.of_one_slice ? of_slice : to + all;
          kernels_.rows[power_index](b.x, b.step, b.rows, b.length, block_sums, false);
          for (std::int64_t j = 0; j < b.rows; ++j) {
            to[b.of_one_slice ? b.first : b.first + j] += block_sums[j];
          }
        });
      } else if (blocks.folds_columns()) {
        sum_narrow_columns(blocks, input_ + t.in + in, t.width, to);
      } else {
        blocks.for_each_column_block(input_ + t.in + in, t.width,
                                     [&](const T* x, std::int64_t step, std::int64_t rows) {
                                       kernels_.columns[power_index](x, step, rows, t.width, to);
                                     });
      }
    });
    for (std::size_t i = width; i < all; ++i) sums[i % width] += sums[i];
  }

  // Rows of `width` elements without gaps, taken as fewer rows of several times as many.
  void sum_narrow_columns(const slice_blocks<T>& blocks, const std::byte* tile, std::int64_t width,
                          word* sums) const {
    const auto columns_kernel = kernels_.columns[power_index];
    const std::int64_t copies = blocks.folded_rows();
    std::array<word, slice_blocks<T>::narrow_width> of_copies{};
    blocks.for_each_column_block(
        tile, width, [&](const T* x, std::int64_t step, std::int64_t rows) {
          const std::int64_t wide_rows = rows / copies;
          columns_kernel(x, step * copies, wide_rows, width * copies, of_copies.data());
          columns_kernel(x + wide_rows * copies * step, step, rows % copies, width, sums);
        });
    for (std::int64_t i = 0; i < copies * width; ++i) {
      sums[i % width] += of_copies[static_cast<std::size_t>(i)];
    }
  }

  const loop_nest& nest_;
  const std::byte* input_;
  std::byte* output_;
  slice_blocks<T> blocks_;
  integer_reduction work_;
  const kernels::wrapping_kernels<T, word>& kernels_ = kernels::wrapping_kernels_of<T, word>();
  bool streams_;  // outputs go around the caches
};

// All else is exact.
template <integer_element T, power P, element Out>
void reduce_exactly(const computation_plan& plan, root root, const std::byte* input,
                    std::byte* output, parallel& threads) {
  // Exact sums take more time than memory does.
  const tiling tiles(plan.nest, tile_width(plan.nest, sizeof(T), true, threads.width()));
  const integer_reduction work(plan.nest, tiles, threads);
  const slice_parts& parts = work.parts();
  struct nothing {};
  work.for_each_tile<nothing>([&](const tile& t, nothing&) {
    for (std::int64_t j = 0; j < t.width; ++j) {
      const auto sum = parts.template exact<T, P>(input + t.in_of(j));
      store(output + t.out_of(j), finish_exact<Out>(sum, root));
    }
  });
}

}  // namespace detail

template <integer_element T>
void execute_reduction(const computation_plan& plan, const std::byte* input, std::byte* output,
                       parallel& threads, tier_counts& slices) {
  const bool abs = plan.computation.map == schema::element_map::abs;
  const root root = plan.computation.finish == schema::finish_map::sqrt ? root::yes : root::no;
  dispatch(plan.output.type, element_types{}, [&]<typename Out>(std::type_identity<Out>) {
    if constexpr (integer_element<Out>) {
      if (root == root::no) {
        if (abs) {
          detail::modular_reduction<T, power::abs, Out>(plan, input, output, threads).run();
        } else {
          detail::modular_reduction<T, power::square, Out>(plan, input, output, threads).run();
        }
        slices.fast += plan.nest.slice_count;
        return;
      }
    }
    if (abs) {
      detail::reduce_exactly<T, power::abs, Out>(plan, root, input, output, threads);
    } else {
      detail::reduce_exactly<T, power::square, Out>(plan, root, input, output, threads);
    }
    slices.exact += plan.nest.slice_count;
  });
}

}  // namespace halfulp
