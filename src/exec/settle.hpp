// The slices whose rounding the fast sums leave open: the second tier, and then the third.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "accum/exact_finish.hpp"
#include "accum/extracted_sum.hpp"
#include "exec/blocks.hpp"
#include "exec/slice_parts.hpp"
#include "kernels/sum.hpp"
#include "kernels/sum_bound.hpp"

namespace halfulp {

// How many slices the later tiers settled.
struct tally {
  std::int64_t extracted = 0;
  std::int64_t exact = 0;

  tally& operator+=(const tally& other) noexcept {
    extracted += other.extracted;
    exact += other.exact;
    return *this;
  }
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
        kernels_(kernels::sum_kernels_of<T>()),
        test_(test),
        root_(root),
        depth_(depth_of(nest, data, parts.count())) {}

  // Settles the slices j < width of the tile whose open[j] is set, of which the fast sum is
  // hi[j] + lo[j]. `vain` is how many times in a row the second tier has been in vain for rows,
  // which it then most likely is for the next ones, too.
  tally settle(const std::byte* tile, std::int64_t width, const std::uint8_t* open,
               const double* hi, const double* lo, Out* out, int& vain) const {
    tally counts;
    if (nest_.layout == layout_class::row) {
      for (std::int64_t j = 0; j < width; ++j) {
        if (open[j] == 0) continue;
        const std::byte* slice = tile + j * nest_.kept.back().in;
        if (vain >= 2) {
          finish_exactly(slice, out[j], counts);
          continue;
        }
        const std::int64_t extracted = counts.extracted;
        extracted_sum sum{.base = base(hi[j], lo[j])};
        extract_row(slice, sum);
        finish(slice, sum, out[j], counts);
        vain = counts.extracted > extracted ? 0 : vain + 1;
      }
      return counts;
    }
    // A cache line's columns cost no more than one of them.
    constexpr std::int64_t group = 64 / static_cast<std::int64_t>(sizeof(T));
    const auto group_is_open = [&](std::int64_t first) {
      const std::int64_t last = std::min(first + group, width);
      return std::any_of(open + first, open + last, [](std::uint8_t o) { return o != 0; });
    };
    for (std::int64_t first = 0; first < width; first += group) {
      if (!group_is_open(first)) continue;
      std::int64_t last = first + group;
      while (last < width && last - first < most_columns && group_is_open(last)) last += group;
      last = std::min(last, width);
      settle_columns(tile, first, last, open, hi, lo, out, counts);
      first = last - group;
    }
    return counts;
  }

 private:
  // Columns that are extracted together: their state stays in the first cache.
  static constexpr std::int64_t most_columns = 512;
  static constexpr auto power_index = static_cast<std::size_t>(P) - 1;

  // Additions that a residue passes through: down a column, or along a lane of a block, from the
  // lanes to the sum, and from part to part.
  static std::int64_t depth_of(const loop_nest& nest, const std::byte* data, std::int64_t parts) {
    if (nest.layout == layout_class::column) return nest.slice_length + parts;
    return std::min(nest.reduced.back().extent, longest_row) +
           kernels::additions_per_extracted_row *
               (slice_blocks<T>(nest, data).blocks_per_slice() + parts) +
           parts;
  }

  // More than twice the sum.
  double base(double hi, double lo) const noexcept {
    const double sum = (hi + lo) * (1 + test_.bound + test_slack);
    return extraction_base(sum + kernels::lost_to_underflow<T, P>(nest_.slice_length));
  }

  void extract_row(const std::byte* slice, extracted_sum& sum) const {
    if (parts_.count() == 1) {
      extract_row(nest_, slice, data_, sum);
      return;
    }
    std::vector<extracted_sum> sums(static_cast<std::size_t>(parts_.count()), sum);
    parts_.for_each([&](const loop_nest& nest, std::int64_t in, std::int64_t, std::size_t i) {
      extract_row(nest, slice + in, data_ + in, sums[i]);
    });
    for (const extracted_sum& s : sums) sum.merge(s);
  }

  void extract_row(const loop_nest& nest, const std::byte* slice, const std::byte* data,
                   extracted_sum& sum) const {
    const auto kernel = kernels_.extract_row[power_index];
    const slice_blocks<T> blocks(nest, data);
    blocks.for_each_row_block(
        slice, 1, [&](const T* x, std::int64_t, std::int64_t, std::int64_t, std::int64_t n) {
          kernel(x, n, sum);
        });
  }

  void settle_columns(const std::byte* tile, std::int64_t first, std::int64_t last,
                      const std::uint8_t* open, const double* hi, const double* lo, Out* out,
                      tally& counts) const {
    const auto width = static_cast<std::size_t>(last - first);
    const std::byte* columns = tile + first * nest_.kept.back().in;
    std::vector<extracted_sum> sums(width);
    std::vector<double> bases(width);
    for (std::size_t j = 0; j < width; ++j) {
      const std::int64_t at = first + static_cast<std::int64_t>(j);
      bases[j] = base(hi[at], lo[at]);
      sums[j].base = bases[j];
    }
    std::vector<double> states(static_cast<std::size_t>(parts_.count()) * 3 * width);
    const auto kernel = kernels_.extract_columns[power_index];
    parts_.for_each([&](const loop_nest& nest, std::int64_t in, std::int64_t, std::size_t i) {
      double* state = states.data() + i * 3 * width;
      std::copy(bases.begin(), bases.end(), state);
      const kernels::column_extraction extraction{state, state + width, state + 2 * width};
      const slice_blocks<T> blocks(nest, data_ + in);
      blocks.for_each_column_block(columns + in, last - first,
                                   [&](const T* x, std::int64_t step, std::int64_t rows) {
                                     kernel(x, step, rows, last - first, extraction);
                                   });
    });
    for (std::size_t at = 0; at < states.size(); at += 3 * width) {
      for (std::size_t j = 0; j < width; ++j) {
        sums[j].merge({.base = bases[j],
                       .hi = states[at + j] - bases[j],
                       .lo = states[at + width + j],
                       .residue_bits = to_bits(states[at + 2 * width + j])});
      }
    }
    for (std::int64_t j = first; j < last; ++j) {
      if (open[j] == 0) continue;
      finish(tile + j * nest_.kept.back().in, sums[static_cast<std::size_t>(j - first)], out[j],
             counts);
    }
  }

  void finish(const std::byte* slice, const extracted_sum& sum, Out& out, tally& counts) const {
    if (settle_extracted(sum, error_of_extraction(sum.base, nest_.slice_length, depth_), root_,
                         &out)) {
      ++counts.extracted;
    } else {
      finish_exactly(slice, out, counts);
    }
  }

  void finish_exactly(const std::byte* slice, Out& out, tally& counts) const {
    out = finish_exact<Out>(parts_.template exact<T, P>(slice), root_);
    ++counts.exact;
  }

  const loop_nest& nest_;
  const slice_parts& parts_;
  const std::byte* data_;
  const kernels::sum_kernels<T>& kernels_;
  certificate test_;
  root root_;
  std::int64_t depth_;
};

}  // namespace halfulp
