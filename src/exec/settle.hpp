// The slices whose rounding the fast sums leave open: the second tier, and then the third.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "accum/exact_finish.hpp"
#include "accum/extracted_sum.hpp"
#include "exec/extraction.hpp"
#include "exec/scaled_rows.hpp"
#include "exec/slice_parts.hpp"
#include "kernels/sum_bound.hpp"

namespace halfulp {

// How many slices the later tiers settled. Scaled sums count as fast ones.
struct tally {
  std::int64_t extracted = 0;
  std::int64_t exact = 0;

  tally& operator+=(const tally& other) noexcept {
    extracted += other.extracted;
    exact += other.exact;
    return *this;
  }
};

// What the last slices needed: neighbours mostly are alike. Results do not depend on it.
struct later_habit {
  double base = 1;   // of an extraction
  double scale = 1;  // of a scaled sum; 1: none
  int vain = 0;      // extractions of rows in vain, one after the other
};

// The fast sums of a tile's slices, hi[j] + lo[j].
struct fast_sums {
  const double* hi;
  const double* lo;
};

template <float_element T, power P, float_element Out>
class later_tiers {
 public:
  // `data` is the address of the element of index 0, `nest` the whole of what `parts` are parts of.
  later_tiers(const loop_nest& nest, const slice_parts& parts, const std::byte* data,
              const certificate& test, root root) noexcept
      : nest_(nest),
        parts_(parts),
        data_(data),
        test_(test),
        root_(root),
        extraction_(nest, parts, data, root) {}

  // Whether slices can be settled without a fast sum.
  bool can_do_without_sums() const noexcept { return extraction_.can_guess_bases(); }

  // Settles the slices of the tile whose open[j] is set; `sums` may be null, where
  // can_do_without_sums().
  tally settle(const tile& t, const std::uint8_t* open, const fast_sums* sums, Out* out,
               later_habit& habit) const {
    tally counts;
    if (nest_.layout == layout_class::row) {
      for (std::int64_t j = 0; j < t.width; ++j) {
        if (open[j] == 0) continue;
        const std::byte* slice = data_ + t.in_of(j);
        if (sums == nullptr) {
          settle_row(slice, nullptr, out[j], habit, counts);
        } else {
          const approximate_sum sum{sums->hi[j], sums->lo[j]};
          settle_row(slice, &sum, out[j], habit, counts);
        }
      }
      return counts;
    }
    // A cache line's columns cost no more than one of them.
    constexpr std::int64_t group = 64 / static_cast<std::int64_t>(sizeof(T));
    const auto group_is_open = [&](std::int64_t first) {
      const std::int64_t last = std::min(first + group, t.width);
      return std::any_of(open + first, open + last, [](std::uint8_t o) { return o != 0; });
    };
    for (std::int64_t first = 0; first < t.width; first += group) {
      if (!group_is_open(first)) continue;
      std::int64_t last = first + group;
      while (last < t.width && last - first < most_columns && group_is_open(last)) last += group;
      last = std::min(last, t.width);
      settle_columns(data_ + t.in, first, last, open, sums, out, habit, counts);
      first = last - group;
    }
    return counts;
  }

 private:
  // Columns that are extracted together: so many that their rows are long pieces of memory, with a
  // state that mostly stays in the first cache.
  static constexpr std::int64_t most_columns = sizeof(T) == 2 ? 2048 : sizeof(T) == 4 ? 1024 : 768;

  // More than twice the sum.
  double base_for(double hi, double lo) const noexcept {
    const double sum = (hi + lo) * (1 + test_.bound + test_slack);
    return extraction_base(sum + kernels::lost_to_underflow<T, P>(nest_.slice_length));
  }

  void settle_row(const std::byte* slice, const approximate_sum* known, Out& out,
                  later_habit& habit, tally& counts) const {
    if (settle_scaled(slice, known, out, habit)) return;
    // After some in vain, others may be again, but not for ever.
    constexpr int tries = 2, period = 16;
    if (habit.vain % period < tries) {
      const bool guessed = known == nullptr;
      double base = guessed ? habit.base : base_for(known->hi, known->lo);
      const bool settled = extraction_.settle_row(slice, guessed, base, out);
      remember(base, habit);
      if (settled) {
        habit.vain = 0;
        ++counts.extracted;
        return;
      }
    }
    ++habit.vain;
    finish_exactly(slice, out, counts);
  }

  bool settle_scaled([[maybe_unused]] const std::byte* slice,
                     [[maybe_unused]] const approximate_sum* known, [[maybe_unused]] Out& out,
                     [[maybe_unused]] later_habit& habit) const {
    if constexpr (std::same_as<T, double> && std::same_as<Out, double>) {
      if (parts_.count() > 1) return false;
      const scaled_rows<P> rows(nest_, data_, root_);
      const double scale = known == nullptr ? habit.scale : rows.scale_for(known->hi, known->lo);
      habit.scale = scale;
      return scale != 1 && rows.settle(slice, scale, &out);
    }
    return false;
  }

  void settle_columns(const std::byte* tile, std::int64_t first, std::int64_t last,
                      const std::uint8_t* open, const fast_sums* known, Out* out,
                      later_habit& habit, tally& counts) const {
    const auto width = static_cast<std::size_t>(last - first);
    column_group<Out> columns{.first = tile + first * nest_.kept.back().in,
                              .bases = std::vector<double>(width, habit.base),
                              .open = std::vector<std::uint8_t>(open + first, open + last),
                              .out = out + first};
    const bool guessed = known == nullptr;
    for (std::size_t j = 0; !guessed && j < width; ++j) {
      const std::size_t at = static_cast<std::size_t>(first) + j;
      columns.bases[j] = base_for(known->hi[at], known->lo[at]);
    }
    counts.extracted += extraction_.settle_columns(columns, guessed);
    for (std::size_t j = 0; j < width; ++j) {
      if (columns.open[j] != 0) {
        finish_exactly(columns.first + static_cast<std::int64_t>(j) * nest_.kept.back().in,
                       columns.out[j], counts);
      }
    }
    remember(*std::max_element(columns.bases.begin(), columns.bases.end()), habit);
  }

  static void remember(double base, later_habit& habit) noexcept {
    if (std::isfinite(base) && base > extraction_base(0)) habit.base = base;
  }

  void finish_exactly(const std::byte* slice, Out& out, tally& counts) const {
    out = finish_exact<Out>(parts_.template exact<T, P>(slice), root_);
    ++counts.exact;
  }

  const loop_nest& nest_;
  const slice_parts& parts_;
  const std::byte* data_;
  certificate test_;
  root root_;
  slice_extraction<T, P, Out> extraction_;
};

}  // namespace halfulp
