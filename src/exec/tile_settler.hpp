// From a tile's slices to its outputs: fast sums, finished in the ways that may settle them, and
// the later tiers for what these leave open. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "exec/settle.hpp"
#include "exec/slice_sums.hpp"
#include "exec/tile_memory.hpp"
#include "kernels/finish.hpp"

namespace halfulp {

// With what a thread's tiles have been settled: neighbours mostly are alike. Results do not depend
// on it.
struct tile_habit {
  std::size_t first = 0;      // the way that is tried first
  bool only = false;          // whether all others were in vain
  bool without_sums = false;  // most slices needed an extraction: the next are not summed first
  later_habit later{};
  int tiles = 0;  // since everything was tried again
};

template <float_element T, power P, float_element Out>
class tile_settler {
 public:
  tile_settler(const loop_nest& nest, const std::byte* data, const slice_parts& parts,
               root root) noexcept
      : nest_(nest),
        data_(data),
        parts_(parts),
        root_(root),
        fast_(nest, data, parts, kernels::precision_for<T>(dtype_of<Out>, nest.slice_length)) {
    if (fast_.precision == kernels::precision::runs) {
      plain_.emplace(nest, data, parts, kernels::precision::plain);
      ways_[count_++] = {&fast_, false};
    }
    const variant* precise = plain_ ? &*plain_ : &fast_;
    // In as many digits as their terms have, sums hardly ever are exact.
    constexpr bool has_digits = !std::same_as<T, double> || std::same_as<Out, double>;
    if (has_digits && parts.count() == 1 && (root == root::no || !std::same_as<Out, double>)) {
      ways_[count_++] = {precise, true};
    }
    safest_ = count_;
    ways_[count_++] = {precise, false};
    // Sums of so few terms are midpoints so often that it pays to look first whether they are
    // exact.
    constexpr std::int64_t short_slice = 16;
    const bool looks_first = nest.slice_length <= short_slice && root == root::no;
    first_ = plain_ || looks_first ? 0 : safest_;
  }
  tile_settler(const tile_settler&) = delete;
  tile_settler& operator=(const tile_settler&) = delete;

  bool in_place() const noexcept { return fast_.sums.in_place(); }

  void settle(const tile& t, const tile_memory<Out>& memory, Out* out, tile_habit& habit,
              tally& later) const {
    constexpr int tiles_between_trials = 64;
    if (habit.tiles++ % tiles_between_trials == 0) {
      habit = {.first = first_, .tiles = 1};
    }
    if (habit.without_sums) {
      std::fill_n(memory.open(), t.width, std::uint8_t{1});
      later += settle_later(t, *ways_[safest_].sums, nullptr, memory, out, habit);
      return;
    }
    const variant* summed = nullptr;
    const auto settles = [&](std::size_t i) {
      if (ways_[i].sums != summed) ways_[i].sums->sums.sum(t, memory.sums());
      summed = ways_[i].sums;
      return finish(t, ways_[i], memory, out);
    };
    const auto many_open = [&] { return count_open(t, memory) > t.width / 16; };
    // Columns come from memory once more for each way. Where hardly one is settled, an extraction
    // is the next to try, which settles exact sums as well.
    const auto extracts_next = [&] {
      return nest_.layout == layout_class::column && most_open(t, memory);
    };
    bool settled = false, enough = false;
    std::size_t i = habit.first;
    const std::size_t tries = habit.only ? 1 : count_;
    for (std::size_t k = 0; k < tries && !enough; ++k) {
      i = (habit.first + k) % count_;
      settled = settles(i);
      enough = settled || (!ways_[i].exact && (!many_open() || extracts_next()));
    }
    if (!enough) {
      habit.only = true;
      if (i != safest_) settled = settles(safest_);
      i = safest_;
    }
    habit.first = i;
    if (settled) return;
    habit.without_sums = most_open(t, memory);
    const sums_memory& sums = memory.sums();
    if (!summed->sums.has_lo()) std::fill_n(sums.lo, t.width, 0.0);
    const fast_sums known{sums.hi, sums.lo};
    later += settle_later(t, *summed, &known, memory, out, habit);
  }

 private:
  struct variant {
    variant(const loop_nest& nest, const std::byte* data, const slice_parts& parts,
            kernels::precision q) noexcept
        : precision(q), sums(nest, data, q, parts), test(sums.template certify<Out>()) {}

    kernels::precision precision;
    tile_sums<T, P> sums;
    certificate test;
  };

  struct way {
    const variant* sums = nullptr;
    bool exact = false;
  };

  static std::int64_t count_open(const tile& t, const tile_memory<Out>& memory) {
    return std::count(memory.open(), memory.open() + t.width, 1);
  }

  static bool most_open(const tile& t, const tile_memory<Out>& memory) {
    return 4 * count_open(t, memory) > 3 * t.width;
  }

  // Whether all of the tile's outputs are settled; else open says which are not.
  bool finish(const tile& t, const way& w, const tile_memory<Out>& memory, Out* out) const {
    const auto& [fast_sums, exact] = w;
    const sums_memory& sums = memory.sums();
    return kernels::finish_kernels_of<Out>().of(root_)(
        sums.hi, fast_sums->sums.has_lo() ? sums.lo : nullptr, t.width,
        exact ? fast_sums->sums.template certify_exact<Out>(t, root_) : fast_sums->test, out,
        memory.open());
  }

  // `sums` may be null, where the habit says so.
  tally settle_later(const tile& t, const variant& of, const fast_sums* sums,
                     const tile_memory<Out>& memory, Out* out, tile_habit& habit) const {
    const later_tiers<T, P, Out> tiers(nest_, parts_, data_, of.test, root_);
    const tally counts = tiers.settle(t, memory.open(), sums, out, habit.later);
    // Neither an extraction nor a scaled sum: the next slices had better be summed.
    const bool mostly_exact = 2 * counts.exact > t.width;
    habit.without_sums = habit.without_sums && tiers.can_do_without_sums() && !mostly_exact;
    return counts;
  }

  const loop_nest& nest_;
  const std::byte* data_;
  const slice_parts& parts_;
  root root_;
  variant fast_;
  std::optional<variant> plain_;  // for 16-bit types that are added in runs
  std::array<way, 3> ways_{};
  std::size_t count_ = 0;
  std::size_t first_;
  std::size_t safest_;
};

}  // namespace halfulp
