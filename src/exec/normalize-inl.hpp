// LpNormalization: sums, reciprocals and quotients of a plan's tiles. Instantiated for one input
// type at a time. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstring>

#include "base/cache_size.hpp"
#include "base/element_dispatch.hpp"
#include "exec/divisors.hpp"
#include "exec/execute.hpp"
#include "exec/schedule.hpp"
#include "exec/slice_sums.hpp"
#include "exec/tile_memory.hpp"
#include "kernels/stream.hpp"

namespace halfulp {

namespace detail {

template <float_element T, power P, float_element Out>
class normalization {
 public:
  normalization(const computation_plan& plan, const std::byte* input, std::byte* output,
                parallel& threads)
      : nest_(plan.nest),
        eps_(plan.computation.eps),
        input_(input),
        output_(output),
        threads_(threads),
        in_place_(input == output),
        // Rows are divided while they are in the first cache; what is read again from memory is
        // not.
        row_kernel_(row_kernel(nest_, input, output)),
        tiles_(nest_,
               row_kernel_ != nullptr
                   ? rows_at_once(nest_, sizeof(T))
                   : normalized_width(nest_, sizeof(T), slice_blocks<T>(nest_, input).in_place(),
                                      threads.width())),
        parts_(nest_, part_count(nest_, tiles_.count(), threads.width()), threads),
        sums_(nest_, input, precision_for(nest_), parts_),
        test_(sums_.template certify<Out>()),
        streams_(!in_place_ &&
                 nest_.slice_count * nest_.slice_length * static_cast<std::int64_t>(sizeof(Out)) >
                     last_cache_size()) {}

  void run(tier_counts& slices) const {
    if (parts_.count() > 1) {
      run_tiles(0, tiles_.count(), slices);
    } else {
      threads_.for_each_part(tiles_.count(), nest_.slice_count * nest_.slice_length,
                             [&](std::int64_t first, std::int64_t last) {
                               if (row_kernel_ != nullptr) {
                                 run_rows(first, last, slices);
                               } else {
                                 run_tiles(first, last, slices);
                               }
                             });
    }
  }

 private:
  using divisors = tile_divisors<T, P, Out>;

  // Sums in short runs are not good enough for quotients. Of a float32 quotient in some 2^22, sums
  // in doubles are not, either: in a long slice the exact sum that settles it would take as long as
  // everything else, down a column, with a cache line for each element, much sooner.
  static kernels::precision precision_for(const loop_nest& nest) noexcept {
    constexpr std::int64_t long_row = 1 << 19, long_column = 1 << 13;
    static_assert(long_row > longest_row, "row kernels have no pairs for float32");
    if (std::same_as<T, double> || std::same_as<Out, double>) return kernels::precision::pair;
    const bool is_long =
        nest.slice_length >= (nest.layout == layout_class::row ? long_row : long_column);
    return std::same_as<Out, float> && is_long ? kernels::precision::pair
                                               : kernels::precision::plain;
  }

  // Elements that are divided at a time.
  static constexpr std::int64_t block = 4096;

  using row_function = typename kernels::quotient_kernels<T, Out>::divide_and_sum_function;

  // The kernel that divides rows while it sums the next ones, so that memory and processor both
  // have something to do all the time; null for slices that it does not take.
  static row_function row_kernel(const loop_nest& nest, const std::byte* input,
                                 const std::byte* output) {
    constexpr std::int64_t shortest = 512;  // bytes
    constexpr auto size = static_cast<std::int64_t>(sizeof(T));
    const bool aligned = std::ranges::all_of(nest.kept, [](const loop& l) {
      return l.out % static_cast<std::int64_t>(sizeof(Out)) == 0;
    });
    const bool fits = aligned && nest.layout == layout_class::row && input != output &&
                      slice_blocks<T>(nest, input).in_place() &&
                      is_contiguous<Out>(output + nest.out_offset, nest.reduced.back().out) &&
                      nest.slice_length == nest.reduced.back().extent &&
                      nest.slice_length <= longest_row && nest.slice_length * size >= shortest;
    const auto power_index = static_cast<std::size_t>(P) - 1;
    return fits ? kernels::quotient_kernels_of<T, Out>().divide_and_sum[power_index] : nullptr;
  }

  // As run_tiles, where there is a row kernel.
  void run_rows(std::int64_t first, std::int64_t last, tier_counts& slices) const {
    if constexpr (std::same_as<T, Out>) {
      const loop& lane = nest_.kept.back();
      double hi[kernels::rows_at_once] = {}, lo[kernels::rows_at_once] = {};
      bool certain[kernels::rows_at_once];
      divisors norms(nest_, test_, eps_, tiles_.max_width());
      const tile none = tiles_[first].part(0, 0);
      std::int64_t all = 0;
      tile now = none;
      for (std::int64_t i = first; i <= last; ++i) {
        if (i > first) norms.prepare(input_ + now.in, now.width, hi, sums_.has_lo() ? lo : nullptr);
        const tile next = i < last ? tiles_[i] : none;
        row_kernel_({.x = reinterpret_cast<const T*>(input_ + now.in),
                     .x_step = lane.in / static_cast<std::int64_t>(sizeof(T)),
                     .y = reinterpret_cast<T*>(output_ + now.out),
                     .y_step = lane.out / static_cast<std::int64_t>(sizeof(T)),
                     .rows = now.width,
                     .next = reinterpret_cast<const T*>(input_ + next.in),
                     .next_rows = next.width,
                     .length = nest_.slice_length,
                     .divisors = norms.reciprocals(),
                     .stream = streams_,
                     .certain = certain,
                     .hi = hi,
                     .lo = lo});
        for (std::int64_t j = 0; j < now.width; ++j) {
          if (!certain[j] || !norms.all_tested()) divide_again(now, j, norms);
        }
        all += now.width;
        now = next;
      }
      if (streams_) kernels::end_stream();
      slices.fast += all - norms.exact_sums();
      slices.exact += norms.exact_sums();
    }
  }

  // Divides row j of a tile with whatever it takes.
  void divide_again(const tile& t, std::int64_t j, divisors& norms) const {
    const loop& lane = nest_.kept.back();
    norms.template divide<false>(reinterpret_cast<const T*>(input_ + t.in + j * lane.in),
                                 reinterpret_cast<Out*>(output_ + t.out + j * lane.out),
                                 nest_.slice_length, static_cast<std::size_t>(j), {0, false});
  }

  void run_tiles(std::int64_t first, std::int64_t last, tier_counts& slices) const {
    const tile_memory<Out> memory(tiles_.max_width());
    divisors norms(nest_, test_, eps_, tiles_.max_width());
    std::int64_t all = 0;
    for (std::int64_t i = first; i < last; ++i) {
      const tile t = tiles_[i];
      sums_.sum(t, memory.sums());
      norms.prepare(input_ + t.in, t.width, memory.sums().hi,
                    sums_.has_lo() ? memory.sums().lo : nullptr);
      // What the test leaves open is settled with the slice's exact sum. In place, a slice would be
      // partly overwritten by then, so the sums that will be needed are taken in a first pass.
      const std::int64_t next = i + 1 < last ? tiles_[i + 1].in - t.in : 0;
      if (in_place_) pass(t, next, norms, false);
      pass(t, next, norms, true);
      all += t.width;
    }
    if (streams_) kernels::end_stream();
    slices.fast += all - norms.exact_sums();
    slices.exact += norms.exact_sums();
  }

  // Writes the quotients, or with `write` false only makes sure that every exact sum that writing
  // needs has been taken. The next tile lies `next` bytes ahead.
  void pass(const tile& t, std::int64_t next, divisors& norms, bool write) const {
    parts_.for_each([&](const loop_nest& nest, std::int64_t in, std::int64_t out, std::size_t) {
      if (nest.layout == layout_class::row) {
        divide_rows(nest, t, input_ + t.in + in, output_ + t.out + out, norms, write);
      } else {
        divide_columns(nest, t, input_ + t.in + in, output_ + t.out + out, next, norms, write);
      }
      if (streams_ && parts_.count() > 1) kernels::end_stream();
    });
  }

  void divide_rows(const loop_nest& nest, const tile& t, const std::byte* in, std::byte* out,
                   divisors& norms, bool write) const {
    const loop& lane = nest.kept.back();
    const loop& run = nest.reduced.back();
    // While rows of this tile are divided, those of the next one are on their way.
    const std::int64_t ahead = t.width * lane.in;
    const bool worth = parts_.count() == 1 && ahead <= largest_prefetch;
    for (std::int64_t j = 0; j < t.width; ++j) {
      for_each_run(nest, [&](std::int64_t in_run, std::int64_t out_run) {
        for (std::int64_t i = 0; i < run.extent; i += block) {
          divide_piece<false>(in + j * lane.in + in_run + i * run.in,
                              out + j * lane.out + out_run + i * run.out,
                              std::min(block, run.extent - i), run, static_cast<std::size_t>(j),
                              norms, worth ? ahead : 0, write);
        }
      });
    }
  }

  void divide_columns(const loop_nest& nest, const tile& t, const std::byte* in, std::byte* out,
                      std::int64_t next, divisors& norms, bool write) const {
    const loop& lane = nest.kept.back();
    const loop& run = nest.reduced.back();
    // What comes next from memory: the next tile, or the next elements of this one once more.
    const bool in_cache =
        t.width * nest.slice_length * static_cast<std::int64_t>(sizeof(T)) <= column_bytes;
    const std::int64_t ahead = in_cache && parts_.count() == 1 ? next : run.in;
    for_each_run(nest, [&](std::int64_t in_run, std::int64_t out_run) {
      for (std::int64_t i = 0; i < run.extent; ++i) {
        for (std::int64_t j = 0; j < t.width; j += block) {
          divide_piece<true>(
              in + in_run + i * run.in + j * lane.in, out + out_run + i * run.out + j * lane.out,
              std::min(block, t.width - j), lane, static_cast<std::size_t>(j), norms, ahead, write);
        }
      }
    });
  }

  // n elements along `steps`, of slice `first` or of that and the ones after it.
  template <bool PerElement>
  void divide_piece(const std::byte* in, std::byte* out, std::int64_t n, const loop& steps,
                    std::size_t first, divisors& norms, std::int64_t prefetch, bool write) const {
    T gathered[block];
    Out results[block];
    const T* x = reinterpret_cast<const T*>(in);
    if (!is_contiguous<T>(in, steps.in)) {
      for (std::int64_t i = 0; i < n; ++i) gathered[i] = load<T>(in + i * steps.in);
      x = gathered;
    }
    const bool direct = write && !in_place_ && is_contiguous<Out>(out, steps.out);
    Out* y = direct ? reinterpret_cast<Out*>(out) : results;
    norms.template divide<PerElement>(x, y, n, first, {prefetch, streams_ && direct});
    if (direct || !write) return;
    if (steps.out == sizeof(Out)) {
      std::memcpy(out, y, static_cast<std::size_t>(n) * sizeof(Out));
    } else {
      for (std::int64_t i = 0; i < n; ++i) store(out + i * steps.out, y[i]);
    }
  }

  const loop_nest& nest_;
  double eps_;
  const std::byte* input_;
  std::byte* output_;
  parallel& threads_;
  bool in_place_;
  row_function row_kernel_;
  tiling tiles_;
  slice_parts parts_;
  tile_sums<T, P> sums_;
  certificate test_;
  bool streams_;
};

}  // namespace detail

template <float_element T>
void execute_normalization(const computation_plan& plan, const std::byte* input, std::byte* output,
                           parallel& threads, tier_counts& slices) {
  dispatch(plan.output.type, float_types{}, [&]<typename Out>(std::type_identity<Out>) {
    if (plan.computation.map == schema::element_map::abs) {
      detail::normalization<T, power::abs, Out>(plan, input, output, threads).run(slices);
    } else {
      detail::normalization<T, power::square, Out>(plan, input, output, threads).run(slices);
    }
  });
}

}  // namespace halfulp
