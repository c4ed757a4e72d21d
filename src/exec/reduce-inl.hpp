// Reductions of floating-point elements: the tiles of a plan, summed, and finished tier by tier.
// Instantiated for one input type at a time. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/cache_size.hpp"
#include "base/element_dispatch.hpp"
#include "exec/execute.hpp"
#include "exec/schedule.hpp"
#include "exec/tile_memory.hpp"
#include "exec/tile_settler.hpp"
#include "kernels/short_rows.hpp"
#include "kernels/stream.hpp"

namespace halfulp {

namespace detail {

template <float_element T, power P, float_element Out>
class reduction {
 public:
  reduction(const computation_plan& plan, root root, const std::byte* input, std::byte* output,
            parallel& threads)
      : nest_(plan.nest),
        root_(root),
        input_(input),
        output_(output),
        threads_(threads),
        tiles_(
            tiles_of(nest_, sizeof(T), slice_blocks<T>(nest_, input).in_place(), threads.width())),
        parts_(nest_, part_count(nest_, tiles_.count(), threads.width()), threads),
        settler_(nest_, input, parts_, root_),
        two_terms_(adds_two_terms()),
        short_rows_(short_row_kernel()),
        streams_((two_terms_ || short_rows_ != nullptr) &&
                 nest_.slice_count * static_cast<std::int64_t>(sizeof(Out)) > last_cache_size()) {}

  void run(tier_counts& slices) const {
    if (parts_.count() > 1) {
      run_tiles(0, tiles_.count(), slices);
    } else {
      threads_.for_each_part(
          tiles_.count(), nest_.slice_count * nest_.slice_length,
          [&](std::int64_t first, std::int64_t last) { run_tiles(first, last, slices); });
    }
  }

 private:
  void run_tiles(std::int64_t first, std::int64_t last, tier_counts& slices) const {
    const tile_memory<Out> memory(tiles_.max_width());
    tally later;
    tile_habit habit;
    std::int64_t all = 0;
    for (std::int64_t i = first; i < last; ++i) {
      const tile t = tiles_[i];
      const std::int64_t stride = t.width == 1 ? sizeof(Out) : t.along.out;
      const bool direct = !t.in_streams() && is_contiguous<Out>(output_ + t.out, stride);
      Out* out = direct ? reinterpret_cast<Out*>(output_ + t.out) : memory.outputs();
      if (two_terms_) {
        add_two_terms(t, out);
      } else if (short_rows_ != nullptr && direct) {
        reduce_short_rows(t, memory, out, habit, later);
      } else {
        settler_.settle(t, memory, out, habit, later);
      }
      if (!direct) {
        for (std::int64_t j = 0; j < t.width; ++j) store(output_ + t.out_of(j), out[j]);
      }
      all += t.width;
    }
    if (streams_) kernels::end_stream();
    slices.fast += all - later.extracted - later.exact;
    slices.extracted += later.extracted;
    slices.exact += later.exact;
  }

  // Sums of two magnitudes are rounded by the processor's addition.
  bool adds_two_terms() const noexcept {
    const loop& lane = nest_.kept.back();
    const loop& run = nest_.reduced.back();
    if (!std::same_as<T, Out> || P != power::abs || root_ == root::yes || nest_.slice_length != 2 ||
        run.extent != 2 || !settler_.in_place() || kernels_.add_rows == nullptr) {
      return false;
    }
    return nest_.layout == layout_class::column || lane.in == 2 * run.in;
  }

  void add_two_terms(const tile& t, Out* out) const {
    if constexpr (std::same_as<T, Out>) {
      const std::byte* x = input_ + t.in;
      if (nest_.layout == layout_class::row) {
        kernels_.add_neighbours(reinterpret_cast<const T*>(x), t.width, out, streams_);
      } else {
        kernels_.add_rows(reinterpret_cast<const T*>(x),
                          reinterpret_cast<const T*>(x + nest_.reduced.back().in), t.width, out,
                          streams_);
      }
    }
  }

  // Rows of a few elements without gaps, of which whole blocks are settled at once.
  auto short_row_kernel() const noexcept -> typename kernels::short_row_kernels<T>::function {
    const loop& lane = nest_.kept.back();
    const loop& run = nest_.reduced.back();
    if (!std::same_as<T, Out> || nest_.layout != layout_class::row || !settler_.in_place() ||
        parts_.count() > 1 || run.extent != nest_.slice_length || nest_.slice_length < 2 ||
        nest_.slice_length > kernels::longest_short_row || lane.in != nest_.slice_length * run.in) {
      return nullptr;
    }
    return kernels::short_row_kernels_of<T>().of(P, root_);
  }

  void reduce_short_rows(const tile& t, const tile_memory<Out>& memory, Out* out, tile_habit& habit,
                         tally& later) const {
    if constexpr (std::same_as<T, Out>) {
      constexpr std::int64_t at_once = kernels::short_rows_at_once;
      const std::int64_t blocks = t.width / at_once;
      std::array<std::uint8_t, most_slices / at_once> open;
      const auto settle_rows = [&](std::int64_t first, std::int64_t last) {
        settler_.settle(t.part(first, last), memory, out + first, habit, later);
      };
      if (!short_rows_(reinterpret_cast<const T*>(input_ + t.in), blocks, nest_.slice_length, out,
                       streams_, open.data())) {
        for (std::int64_t b = 0; b < blocks; ++b) {
          if (open[b] == 0) continue;
          std::int64_t end = b + 1;
          while (end < blocks && open[end] != 0) ++end;
          settle_rows(b * at_once, end * at_once);
          b = end;
        }
      }
      if (blocks * at_once < t.width) settle_rows(blocks * at_once, t.width);
    }
  }

  const loop_nest& nest_;
  root root_;
  const std::byte* input_;
  std::byte* output_;
  parallel& threads_;
  tiling tiles_;
  slice_parts parts_;
  tile_settler<T, P, Out> settler_;
  const kernels::sum_kernels<T>& kernels_ = kernels::sum_kernels_of<T>();
  bool two_terms_;
  typename kernels::short_row_kernels<T>::function short_rows_;  // or null
  bool streams_;                                                 // outputs go around the caches
};

}  // namespace detail

template <float_element T>
void execute_reduction(const computation_plan& plan, const std::byte* input, std::byte* output,
                       parallel& threads, tier_counts& slices) {
  dispatch(plan.output.type, float_types{}, [&]<typename Out>(std::type_identity<Out>) {
    const root root = plan.computation.finish == schema::finish_map::sqrt ? root::yes : root::no;
    if (plan.computation.map == schema::element_map::abs) {
      detail::reduction<T, power::abs, Out>(plan, root, input, output, threads).run(slices);
    } else {
      detail::reduction<T, power::square, Out>(plan, root, input, output, threads).run(slices);
    }
  });
}

}  // namespace halfulp
