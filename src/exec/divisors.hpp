// The norms of a tile's slices as divisors: reciprocals for the rounding test, exact ones where
// that leaves a quotient open. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "accum/enclosed_divisor.hpp"
#include "accum/exact_quotient.hpp"
#include "exec/slice_parts.hpp"
#include "exec/slice_sums.hpp"
#include "kernels/quotient.hpp"

namespace halfulp {

template <float_element T, power P, float_element Out>
class tile_divisors {
 public:
  // For tiles of at most `width` slices.
  tile_divisors(const loop_nest& nest, const certificate& test, double eps, std::int64_t width)
      : nest_(nest),
        test_(test),
        eps_(eps),
        kernels_(kernels::quotient_kernels_of<T, Out>()),
        lanes_(static_cast<std::size_t>(width)),
        a_(lanes_.size()),
        b_(lanes_.size()),
        h_(lanes_.size()),
        low_(lanes_.size()),
        high_(lanes_.size()),
        sums_(test.bound <= enclosed_divisor::largest_bound ? lanes_.size() : 0) {}

  // Takes the sums of the tile whose first slice starts at `slices`; `lo` may be null: zeros.
  void prepare(const std::byte* slices, std::int64_t width, const double* hi, const double* lo) {
    slices_ = slices;
    if (any_special_) std::ranges::for_each(lanes_, [](lane_state& lane) { lane = {}; });
    any_special_ = false;
    any_without_test_ = false;
    const kernels::norm_sums sums{hi, lo, test_.bound, eps_};
    error_ = sums.reciprocal_error(P);
    for (std::size_t j = 0; j < std::min(sums_.size(), static_cast<std::size_t>(width)); ++j) {
      sums_[j] = {hi[j], lo == nullptr ? 0 : lo[j]};
    }
    const bool all = test_.bound <= largest_bound &&
                     kernels_.reciprocate[power_index](sums, width, reciprocals_at(0));
    for (std::int64_t j = 0; !all && j < width; ++j) {
      prepare(static_cast<std::size_t>(j), hi[j], lo == nullptr ? 0 : lo[j]);
    }
    least_ = kernels::least_divided(a_.data(), h_.data(), width);
  }

  // The quotients of x[0..n): elements of slice `lane`, or with PerElement one each of `lane` and
  // the slices after it. May be called for several parts of a tile at once.
  template <bool PerElement>
  void divide(const T* x, Out* y, std::int64_t n, std::size_t lane,
              const kernels::quotient_traffic& traffic) {
    const auto kernel = PerElement ? kernels_.by_each : kernels_.by_one;
    if (!kernel(x, y, n, reciprocals_from(lane), traffic)) {
      for (std::int64_t i = 0; i < n; ++i) {
        const std::size_t j = lane + (PerElement ? static_cast<std::size_t>(i) : 0);
        Out unused;
        if (lanes_[j].has_test && !kernels_.by_one(x + i, &unused, 1, reciprocals_from(j), {})) {
          y[i] = exact_quotient(j, x[i]);
        }
      }
    }
    if (!any_without_test_) return;
    for (std::int64_t i = 0; i < n; ++i) {
      const std::size_t j = lane + (PerElement ? static_cast<std::size_t>(i) : 0);
      if (!lanes_[j].has_test) y[i] = exact_quotient(j, x[i]);
    }
  }

  // Whether every slice of the tile has a reciprocal; these are they.
  bool all_tested() const noexcept { return !any_without_test_; }
  kernels::reciprocals reciprocals() const noexcept { return reciprocals_from(0); }

  // Slices of all tiles so far whose exact sums were taken.
  std::int64_t exact_sums() const noexcept { return exact_sums_; }

 private:
  static constexpr auto power_index = static_cast<std::size_t>(P) - 1;

  enum class norm_kind { regular, zero, infinite, nan };

  struct lane_state {
    norm_kind kind = norm_kind::regular;
    bool has_test = true;      // there is a reciprocal
    bool eps_divides = false;  // eps exceeds the norm
    // Made when first needed.
    std::unique_ptr<enclosed_divisor> enclosed;
    std::unique_ptr<exact_divisor> exact;
  };

  kernels::reciprocal_arrays reciprocals_at(std::size_t lane) noexcept {
    return {&a_[lane], &b_[lane], &h_[lane], &low_[lane], &high_[lane]};
  }
  kernels::reciprocals reciprocals_from(std::size_t lane) const noexcept {
    return {&a_[lane], &b_[lane], &h_[lane], &low_[lane], &high_[lane], error_, least_};
  }

  // The reciprocal of one norm, or what stands in for it.
  void prepare(std::size_t j, double hi, double lo) {
    lane_state& lane = lanes_[j];
    any_special_ = true;
    if (test_.bound <= largest_bound &&
        kernels_.reciprocate[power_index]({&hi, &lo, test_.bound, eps_}, 1, reciprocals_at(j))) {
      return;
    }
    lane.has_test = false;
    if (test_.exact_zero && hi == 0 && lo == 0) {
      lane.kind = norm_kind::zero;
    } else if (eps_exceeds(hi + lo)) {
      lane.eps_divides = true;
      const double zero = 0;
      constexpr auto itself = static_cast<std::size_t>(power::abs) - 1;
      lane.has_test = kernels_.reciprocate[itself]({&eps_, &zero, 0, 0}, 1, reciprocals_at(j));
      if (!lane.has_test) take_exact_sum(j);
    } else {
      take_exact_sum(j);
    }
    any_without_test_ |= !lane.has_test;
  }

  // Whether that is certain of the norm of a slice with this sum.
  bool eps_exceeds(double sum) const {
    if (!in_pair_range(sum) || !(test_.bound <= largest_bound)) return false;
    const double norm = P == power::abs ? sum : std::sqrt(sum);
    return eps_ > norm * (1 + test_.bound + test_slack);
  }

  void take_exact_sum(std::size_t j) {
    lane_state& lane = lanes_[j];
    any_special_ = true;
    if (lane.eps_divides) {
      lane.exact = std::make_unique<exact_divisor>(eps_);
      return;
    }
    ++exact_sums_;
    exact_sum<T, P> sum;
    add_slice(nest_, slices_ + static_cast<std::int64_t>(j) * nest_.kept.back().in, sum);
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

  Out exact_quotient(std::size_t j, T x) {
    const std::scoped_lock lock(exact_mutex_);
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
    if (!lane.exact) {
      if (const auto quotient = enclosed_quotient(j, x)) {
        return with_sign(*quotient, is_negative(x));
      }
      take_exact_sum(j);
    }
    return with_sign(lane.exact->template quotient<Out>(decompose(x)), is_negative(x));
  }

  // |x| / N without the slice's exact sum, where its approximation is good enough.
  std::optional<Out> enclosed_quotient(std::size_t j, T x) {
    lane_state& lane = lanes_[j];
    if (sums_.empty() || !lane.has_test || lane.eps_divides) return std::nullopt;
    if (!lane.enclosed) {
      any_special_ = true;
      lane.enclosed = std::make_unique<enclosed_divisor>(sums_[j], test_.bound, P);
    }
    return lane.enclosed->template quotient<Out>(decompose(x));
  }

  const loop_nest& nest_;
  certificate test_;
  double eps_;
  const kernels::quotient_kernels<T, Out>& kernels_;
  const std::byte* slices_ = nullptr;
  std::vector<lane_state> lanes_;
  std::vector<double> a_, b_;
  std::vector<float> h_, low_, high_;
  std::vector<approximate_sum> sums_;  // where they are good enough for enclosed_divisor
  double error_ = 0;
  float least_ = 0;
  bool any_special_ = false;  // some lane is not as it was made
  bool any_without_test_ = false;
  std::int64_t exact_sums_ = 0;
  std::mutex exact_mutex_;  // parts of one slice may need its exact sum at once
};

}  // namespace halfulp
