// The parts that the slices of a plan are cut into, and their exact sums.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "accum/exact_sum.hpp"
#include "exec/parallel.hpp"
#include "exec/tiles.hpp"
#include "plan/split.hpp"

namespace halfulp {

// Adds to `sum` the elements of the slice, or of the part of one, that starts at `slice`.
template <element T, power P>
void add_slice(const loop_nest& nest, const std::byte* slice, exact_sum<T, P>& sum) {
  const loop& run = nest.reduced.back();
  for_each_run(nest,
               [&](std::int64_t in, std::int64_t) { sum.add(slice + in, run.extent, run.in); });
}

class slice_parts {
 public:
  // Slices that stay whole where `wanted` is 1.
  slice_parts(const loop_nest& nest, std::int64_t wanted, parallel& threads)
      : whole_(nest), threads_(threads) {
    if (wanted > 1) parts_ = split_slices(nest, wanted);
  }

  std::int64_t count() const noexcept {
    return std::max<std::int64_t>(static_cast<std::int64_t>(parts_.size()), 1);
  }

  // The nest of the longest part.
  const loop_nest& longest() const noexcept { return parts_.empty() ? whole_ : parts_[0].nest; }

  // f(nest, in, out, index) for each part, in any order, on the threads if there are several.
  template <typename F>
  void for_each(const F& f) const {
    if (parts_.empty()) {
      f(whole_, std::int64_t{0}, std::int64_t{0}, std::size_t{0});
      return;
    }
    threads_.for_each(count(), [&](std::int64_t i) {
      const auto index = static_cast<std::size_t>(i);
      f(parts_[index].nest, parts_[index].in, parts_[index].out, index);
    });
  }

  // The exact sum of the slice that starts at `slice`.
  template <element T, power P>
  exact_sum<T, P> exact(const std::byte* slice) const {
    exact_sum<T, P> sum;
    if (parts_.empty()) {
      add_slice(whole_, slice, sum);
      return sum;
    }
    std::vector<exact_sum<T, P>> sums(parts_.size());
    for_each([&](const loop_nest& nest, std::int64_t in, std::int64_t, std::size_t i) {
      add_slice(nest, slice + in, sums[i]);
    });
    for (const auto& s : sums) sum.merge(s);
    return sum;
  }

 private:
  const loop_nest& whole_;
  std::vector<slice_part> parts_;
  parallel& threads_;
};

}  // namespace halfulp
