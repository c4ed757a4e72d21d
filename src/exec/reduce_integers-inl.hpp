// Reductions of integers. Instantiated for one input type at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "accum/exact_finish.hpp"
#include "base/element_dispatch.hpp"
#include "exec/blocks.hpp"
#include "exec/execute.hpp"
#include "exec/schedule.hpp"
#include "exec/slice_parts.hpp"
#include "kernels/wrapping_sum.hpp"

namespace halfulp {

namespace detail {

// What both ways have in common: tiles, or parts of tiles, on the threads.
class integer_reduction {
 public:
  integer_reduction(const computation_plan& plan, std::int64_t size, bool in_place,
                    parallel& threads)
      : nest_(plan.nest),
        threads_(threads),
        tiles_(nest_, tile_width(nest_, size, in_place, threads.width())),
        parts_(nest_, part_count(nest_, tiles_.count(), threads.width()), threads) {}

  const slice_parts& parts() const noexcept { return parts_; }

  // f(tile) for each.
  template <typename F>
  void for_each_tile(const F& f) const {
    const auto run_tiles = [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t i = first; i < last; ++i) f(tiles_[i]);
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
void reduce_modulo(const computation_plan& plan, const std::byte* input, std::byte* output,
                   parallel& threads) {
  using word = std::conditional_t<(sizeof(T) > sizeof(Out)), std::make_unsigned_t<T>,
                                  std::make_unsigned_t<Out>>;
  const bool in_place = slice_blocks<T>(plan.nest, input).in_place();
  const integer_reduction work(plan, sizeof(T), in_place, threads);
  const auto& kernels = kernels::wrapping_kernels_of<T, word>();
  constexpr auto power_index = static_cast<std::size_t>(P) - 1;
  const slice_parts& parts = work.parts();
  work.for_each_tile([&](const tile& t) {
    const auto width = static_cast<std::size_t>(t.width);
    std::vector<word> sums(width * static_cast<std::size_t>(parts.count()));
    parts.for_each([&](const loop_nest& nest, std::int64_t in, std::int64_t, std::size_t part) {
      word* to = sums.data() + width * part;
      const slice_blocks<T> blocks(nest, input + in);
      const std::byte* from = input + t.in + in;
      if (nest.layout == layout_class::row) {
        blocks.for_each_row_block(
            from, t.width,
            [&](const T* x, std::int64_t step, std::int64_t first, std::int64_t rows,
                std::int64_t n) { kernels.rows[power_index](x, step, rows, n, to + first); });
      } else {
        blocks.for_each_column_block(from, t.width,
                                     [&](const T* x, std::int64_t step, std::int64_t rows) {
                                       kernels.columns[power_index](x, step, rows, t.width, to);
                                     });
      }
    });
    for (std::size_t i = width; i < sums.size(); ++i) sums[i % width] += sums[i];
    std::byte* to = output + t.out;
    if (sizeof(word) == sizeof(Out) && plan.nest.kept.back().out == sizeof(Out)) {
      std::memcpy(to, sums.data(), width * sizeof(Out));
      return;
    }
    for (std::size_t j = 0; j < width; ++j, to += plan.nest.kept.back().out) {
      store(to, static_cast<Out>(sums[j]));
    }
  });
}

// All else is exact.
template <integer_element T, power P, element Out>
void reduce_exactly(const computation_plan& plan, root root, const std::byte* input,
                    std::byte* output, parallel& threads) {
  const integer_reduction work(plan, sizeof(T), true, threads);
  const slice_parts& parts = work.parts();
  const loop& lane = plan.nest.kept.back();
  work.for_each_tile([&](const tile& t) {
    for (std::int64_t j = 0; j < t.width; ++j) {
      const auto sum = parts.template exact<T, P>(input + t.in + j * lane.in);
      store(output + t.out + j * lane.out, finish_exact<Out>(sum, root));
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
          detail::reduce_modulo<T, power::abs, Out>(plan, input, output, threads);
        } else {
          detail::reduce_modulo<T, power::square, Out>(plan, input, output, threads);
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
