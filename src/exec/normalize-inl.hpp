// LpNormalization: sums, reciprocals and quotients of a plan's tiles. Instantiated for one input
// type at a time. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "accum/exact_quotient.hpp"
#include "accum/reciprocal.hpp"
#include "base/element_dispatch.hpp"
#include "exec/execute.hpp"
#include "exec/sum_tile.hpp"
#include "kernels/quotient.hpp"

namespace halfulp {

namespace detail {

template <float_element T, power P, float_element Out>
class normalizer {
 public:
  normalizer(const computation_plan& plan, bool in_place)
      : nest_(plan.nest),
        eps_(plan.computation.eps),
        in_place_(in_place),
        bound_(sum_tile_bound<T, P, sum_precision>(plan.nest)),
        lanes_(static_cast<std::size_t>(width_for(plan.nest))) {}

  // Slices that run() takes at a time: one row stays in cache between its sum and its quotients.
  static int width_for(const loop_nest& nest) {
    return nest.layout == layout_class::row ? 1 : max_tile_width;
  }

  // Returns how many of the slices needed their exact sums.
  std::int64_t run(int width, const std::byte* in, std::byte* out) {
    in_ = in;
    std::array<approximate_sum, max_tile_width> sums;
    sum_tile<T, P, sum_precision>(nest_, in, width, sums.data());
    any_without_test_ = false;
    error_ = 0;
    exact_sums_ = 0;
    for (int j = 0; j < width; ++j) prepare(j, sums[j]);

    // What the test leaves open is settled with the slice's exact sum. In place, a slice of more
    // than a block would be partly overwritten by then, so the sums that will be needed are taken
    // in a first pass.
    const bool one_block = nest_.layout == layout_class::row && nest_.slice_length <= block;
    if (in_place_ && !one_block) pass(width, in, nullptr);
    pass(width, in, out);
    return exact_sums_;
  }

 private:
  static constexpr kernels::precision sum_precision = kernels::precision_for<T>(dtype_of<Out>);
  static constexpr std::int64_t block = 2048;
  static_assert(block >= max_tile_width);

  enum class norm_kind { regular, zero, infinite, nan };

  struct lane_state {
    norm_kind kind;
    bool has_test;                         // the reciprocal is good for the rounding test
    bool eps_divides;                      // eps exceeds the norm
    std::unique_ptr<exact_divisor> exact;  // made when first needed
  };

  void prepare(int j, const approximate_sum& sum) {
    lane_state& lane = lanes_[j];
    lane = {norm_kind::regular, true, false, nullptr};
    // Terms that are exact have a zero sum only if all are zero.
    if (!std::same_as<T, double> && sum.hi == 0 && sum.lo == 0) {
      lane.kind = norm_kind::zero;
      lane.has_test = false;
    } else if (const auto norm = approximate_divisor(sum, &lane.eps_divides)) {
      double error = 0;
      reciprocals_[j] = reciprocal_of<Out>(*norm, &error);
      error_ = std::max(error_, error);
    } else {
      lane.has_test = false;
      take_exact_sum(j);
    }
    if (!lane.has_test) {
      any_without_test_ = true;
      reciprocals_[j] = {};
    }
  }

  // max(N, eps) where a fast sum tells it; empty where the exact sum has to.
  std::optional<approximate_norm> approximate_divisor(const approximate_sum& sum,
                                                      bool* eps_divides) const {
    if (!in_pair_range(sum.hi) || !(bound_ <= largest_bound)) return {};
    const approximate_norm norm = norm_of(sum, bound_, P);
    const double margin = norm.bound + test_slack;
    if (eps_ < norm.hi * (1 - margin)) return norm;
    if (eps_ > norm.hi * (1 + margin) && in_pair_range(eps_)) {
      *eps_divides = true;
      return approximate_norm{eps_, 0, 0};
    }
    return {};
  }

  void take_exact_sum(int j) {
    lane_state& lane = lanes_[j];
    if (lane.eps_divides) {
      lane.exact = std::make_unique<exact_divisor>(eps_);
      return;
    }
    ++exact_sums_;
    const auto sum = exact_slice_sum<T, P>(nest_, in_ + j * nest_.kept.back().in);
    if (sum.has_nan()) {
      lane.kind = norm_kind::nan;
    } else if (sum.has_infinity()) {
      lane.kind = norm_kind::infinite;
    } else if (bit_width(sum.value().limbs) == 0) {
      lane.kind = norm_kind::zero;
    } else {
      lane.exact = std::make_unique<exact_divisor>(sum.value(), static_cast<int>(P));
      if (eps_ > 0 && lane.exact->is_below(eps_)) *lane.exact = exact_divisor(eps_);
    }
  }

  Out exact_quotient(int j, T x) {
    lane_state& lane = lanes_[j];
    switch (lane.kind) {
      case norm_kind::zero:
        return from_bits<Out>(0);
      case norm_kind::nan:
        return quiet_nan<Out>();
      case norm_kind::infinite:
        return is_infinite(x) ? quiet_nan<Out>() : with_sign(from_bits<Out>(0), is_negative(x));
      case norm_kind::regular:
        break;
    }
    if (!lane.exact) take_exact_sum(j);
    return with_sign(lane.exact->template quotient<Out>(decompose(x)), is_negative(x));
  }

  // The quotients of a piece: along a slice if PerElement is false, else x[j] of slice j.
  template <bool PerElement>
  void divide(const T* x, Out* y, std::int64_t n) {
    if (!kernels::quotients<T, Out, PerElement>(x, y, n, reciprocals_.data(), error_)) {
      for (std::int64_t i = 0; i < n; ++i) {
        const int j = PerElement ? static_cast<int>(i) : 0;
        Out unused;
        if (lanes_[j].has_test &&
            !kernels::quotients<T, Out, false>(x + i, &unused, 1, &reciprocals_[j], error_)) {
          y[i] = exact_quotient(j, x[i]);
        }
      }
    }
    if (!any_without_test_) return;
    for (std::int64_t i = 0; i < n; ++i) {
      const int j = PerElement ? static_cast<int>(i) : 0;
      if (!lanes_[j].has_test) y[i] = exact_quotient(j, x[i]);
    }
  }

  // Writes the quotients, or with out == nullptr only makes sure that every exact sum that writing
  // needs has been taken.
  void pass(int width, const std::byte* in, std::byte* out) {
    T scratch[block];
    Out results[block];
    const loop& lane = nest_.kept.back();
    const loop& run = nest_.reduced.back();
    const bool row = nest_.layout == layout_class::row;
    const loop& piece = row ? run : lane;
    const std::int64_t steps = row ? (run.extent + block - 1) / block : run.extent;
    for_each_run(nest_, [&](std::int64_t in_run, std::int64_t out_run) {
      for (std::int64_t step = 0; step < steps; ++step) {
        const std::int64_t index = row ? step * block : step;
        const std::int64_t n = row ? std::min(block, run.extent - index) : width;
        const std::byte* from = in + in_run + index * run.in;
        const T* x = contiguous<T>(from, n, piece.in, scratch);
        if (out == nullptr) {
          row ? divide<false>(x, results, n) : divide<true>(x, results, n);
          continue;
        }
        std::byte* to = out + out_run + index * run.out;
        const bool direct = !in_place_ && is_contiguous<Out>(to, piece.out);
        Out* y = direct ? reinterpret_cast<Out*>(to) : results;
        row ? divide<false>(x, y, n) : divide<true>(x, y, n);
        if (direct) continue;
        if (piece.out == sizeof(Out)) {
          std::memcpy(to, y, static_cast<std::size_t>(n) * sizeof(Out));
        } else {
          for (std::int64_t i = 0; i < n; ++i) store(to + i * piece.out, y[i]);
        }
      }
    });
  }

  const loop_nest& nest_;
  double eps_;
  bool in_place_;
  double bound_;
  const std::byte* in_ = nullptr;
  std::vector<lane_state> lanes_;
  std::array<reciprocal<Out>, max_tile_width> reciprocals_;
  double error_ = 0;
  bool any_without_test_ = false;
  std::int64_t exact_sums_ = 0;
};

}  // namespace detail

template <typename T>
void execute_normalization(const computation_plan& plan, const std::byte* input, std::byte* output,
                           parallel& threads, tier_counts& slices) {
  const auto normalize = [&]<power P, typename Out>() {
    using normalizer = detail::normalizer<T, P, Out>;
    const tiling tiles(plan.nest, normalizer::width_for(plan.nest));
    const std::int64_t elements = plan.nest.slice_count * plan.nest.slice_length;
    threads.for_each_part(tiles.count(), elements, [&](std::int64_t first, std::int64_t last) {
      normalizer tile_normalizer(plan, input == output);
      std::int64_t all = 0, exact = 0;
      for (std::int64_t i = first; i < last; ++i) {
        const tile t = tiles[i];
        all += t.width;
        exact += tile_normalizer.run(t.width, input + t.in, output + t.out);
      }
      slices.fast += all - exact;
      slices.exact += exact;
    });
  };
  dispatch(plan.output.type, float_types{}, [&]<typename Out>(std::type_identity<Out>) {
    if (plan.computation.map == schema::element_map::abs) {
      normalize.template operator()<power::abs, Out>();
    } else {
      normalize.template operator()<power::square, Out>();
    }
  });
}

}  // namespace halfulp
