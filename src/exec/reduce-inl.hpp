// Reductions: the tiles of a plan, summed and finished. Instantiated for one input type at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "accum/certificate.hpp"
#include "accum/exact_finish.hpp"
#include "base/element_dispatch.hpp"
#include "exec/execute.hpp"
#include "exec/sum_tile.hpp"

namespace halfulp {

namespace detail {

// Slices of a tile: enough of them to keep a tile worth its bookkeeping, few enough to have many
// tiles.
inline int reduction_tile_width(const loop_nest& nest) {
  constexpr std::int64_t tile_elements = 1 << 16;
  if (nest.layout == layout_class::column) return max_tile_width;
  return static_cast<int>(
      std::clamp<std::int64_t>(tile_elements / nest.slice_length, 1, max_tile_width));
}

// Calls finish(width, in, out) for each tile; in and out are the addresses of its first slice. It
// returns how many slices it left to their exact sums.
template <typename F>
void for_each_tile(const computation_plan& plan, const std::byte* input, std::byte* output,
                   parallel& threads, tier_counts& slices, const F& finish) {
  const tiling tiles(plan.nest, reduction_tile_width(plan.nest));
  const std::int64_t elements = plan.nest.slice_count * plan.nest.slice_length;
  threads.for_each_part(tiles.count(), elements, [&](std::int64_t first, std::int64_t last) {
    std::int64_t all = 0, exact = 0;
    for (std::int64_t i = first; i < last; ++i) {
      const tile t = tiles[i];
      all += t.width;
      exact += finish(t.width, input + t.in, output + t.out);
    }
    slices.fast += all - exact;
    slices.exact += exact;
  });
}

// Fast sums where their certificate holds, else exact ones.
template <float_element T, power P, float_element Out, root R>
void reduce(const computation_plan& plan, const std::byte* input, std::byte* output,
            parallel& threads, tier_counts& slices) {
  constexpr kernels::precision sum_precision = kernels::precision_for<T>(dtype_of<Out>);
  const loop& lane = plan.nest.kept.back();
  const double bound = sum_tile_bound<T, P, sum_precision>(plan.nest);
  for_each_tile(
      plan, input, output, threads, slices, [&](int width, const std::byte* in, std::byte* out) {
        std::array<approximate_sum, max_tile_width> sums;
        sum_tile<T, P, sum_precision>(plan.nest, in, width, sums.data());
        std::int64_t exact = 0;
        for (int j = 0; j < width; ++j) {
          Out y;
          const bool settled =
              R == root::yes ? settle_sqrt(sums[j], bound, &y) : settle_sum(sums[j], bound, &y);
          if (!settled) {
            ++exact;
            y = finish_exact<Out>(exact_slice_sum<T, P>(plan.nest, in + j * lane.in), R);
          }
          store(out + j * lane.out, y);
        }
        return exact;
      });
}

// Integer sums into integers wrap; all else is exact.
template <integer_element T, power P, element Out, root R>
void reduce(const computation_plan& plan, const std::byte* input, std::byte* output,
            parallel& threads, tier_counts& slices) {
  const loop& lane = plan.nest.kept.back();
  for_each_tile(plan, input, output, threads, slices,
                [&](int width, const std::byte* in, std::byte* out) {
                  if constexpr (integer_element<Out> && R == root::no) {
                    std::array<std::uint64_t, max_tile_width> sums;
                    wrapping_sum_tile<T, P>(plan.nest, in, width, sums.data());
                    for (int j = 0; j < width; ++j)
                      store(out + j * lane.out, static_cast<Out>(sums[j]));
                    return 0;
                  } else {
                    for (int j = 0; j < width; ++j) {
                      const auto sum = exact_slice_sum<T, P>(plan.nest, in + j * lane.in);
                      store(out + j * lane.out, finish_exact<Out>(sum, R));
                    }
                    return width;
                  }
                });
}

}  // namespace detail

template <typename T>
void execute_reduction(const computation_plan& plan, const std::byte* input, std::byte* output,
                       parallel& threads, tier_counts& slices) {
  const auto into = [&]<typename Out>(std::type_identity<Out>) {
    if (plan.computation.map == schema::element_map::abs) {
      detail::reduce<T, power::abs, Out, root::no>(plan, input, output, threads, slices);
    } else if (plan.computation.finish == schema::finish_map::sqrt) {
      detail::reduce<T, power::square, Out, root::yes>(plan, input, output, threads, slices);
    } else {
      detail::reduce<T, power::square, Out, root::no>(plan, input, output, threads, slices);
    }
  };
  if constexpr (float_element<T>) {
    dispatch(plan.output.type, float_types{}, into);
  } else {
    dispatch(plan.output.type, element_types{}, into);
  }
}

}  // namespace halfulp
