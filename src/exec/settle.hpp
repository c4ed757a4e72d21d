// The slices whose rounding the fast sums leave open: the second tier, and then the third.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "accum/exact_finish.hpp"
#include "accum/extracted_sum.hpp"
#include "exec/blocks.hpp"
#include "exec/scaled_rows.hpp"
#include "exec/slice_parts.hpp"
#include "kernels/sum.hpp"
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
        kernels_(kernels::sum_kernels_of<T>()),
        test_(test),
        root_(root),
        depth_(depth_of(nest, data, parts.count())) {}

  // Whether slices can be settled without a fast sum: what an extraction gives is then good enough
  // for a base to be found from it.
  bool can_do_without_sums() const noexcept {
    constexpr std::int64_t most_terms = 1 << 20;
    return parts_.count() == 1 && nest_.slice_length <= most_terms;
  }

  // Settles the slices j < width of the tile whose open[j] is set; `sums` may be null, where
  // can_do_without_sums().
  tally settle(const std::byte* tile, std::int64_t width, const std::uint8_t* open,
               const fast_sums* sums, Out* out, later_habit& habit) const {
    tally counts;
    if (nest_.layout == layout_class::row) {
      for (std::int64_t j = 0; j < width; ++j) {
        if (open[j] == 0) continue;
        const std::byte* slice = tile + j * nest_.kept.back().in;
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
      const std::int64_t last = std::min(first + group, width);
      return std::any_of(open + first, open + last, [](std::uint8_t o) { return o != 0; });
    };
    for (std::int64_t first = 0; first < width; first += group) {
      if (!group_is_open(first)) continue;
      std::int64_t last = first + group;
      while (last < width && last - first < most_columns && group_is_open(last)) last += group;
      last = std::min(last, width);
      settle_columns(tile, first, last, open, sums, out, habit, counts);
      first = last - group;
    }
    return counts;
  }

 private:
  // Columns that are extracted together: so many that their rows are long pieces of memory, with a
  // state that mostly stays in the first cache.
  static constexpr std::int64_t most_columns = sizeof(T) == 2 ? 2048 : sizeof(T) == 4 ? 1024 : 768;
  static constexpr auto power_index = static_cast<std::size_t>(P) - 1;

  // Additions that a residue passes through: down a column, or along a lane of a block, from the
  // lanes to the sum, and from part to part.
  static std::int64_t depth_of(const loop_nest& nest, const std::byte* data, std::int64_t parts) {
    constexpr std::int64_t residues = std::same_as<T, double> && P == power::square ? 2 : 1;
    if (nest.layout == layout_class::column) return residues * nest.slice_length + parts;
    return std::min(nest.reduced.back().extent, longest_row) +
           kernels::additions_per_extracted_row *
               (slice_blocks<T>(nest, data).blocks_per_slice() + parts) +
           parts;
  }

  // More than twice the sum.
  double base_for(double hi, double lo) const noexcept {
    const double sum = (hi + lo) * (1 + test_.bound + test_slack);
    return extraction_base(sum + kernels::lost_to_underflow<T, P>(nest_.slice_length));
  }

  // The same from an extraction in Fs to any base. Where that overflowed, its own base, which
  // another type than F may do with.
  template <typename F>
  double corrected_base(const extracted_sum& sum) const noexcept {
    const double base = extraction_base(sum_at_most<F>(sum));
    return std::isfinite(base) ? base : sum.base();
  }

  template <typename F>
  double sum_at_most(const extracted_sum& sum) const noexcept {
    const extraction_error error = error_of<F>(sum);
    if (sum.is_valid()) {
      const bool no_sign = (sum.residue_bits & float_format<double>::sign_mask) == 0;
      const double residues = sum.lo + (no_sign ? sum.lo * error.relative : error.absolute);
      return (sum.hi() + (sum.parts[1] + sum.parts[2]) + residues) * (1 + test_slack) +
             error.left_out;
    }
    // The base was too small: hi is what adding up in Fs gives, and off by no more than a unit of
    // it for each addition.
    const double roundings = static_cast<double>(nest_.slice_length) * 2 * grid_unit<F>;
    return sum.hi() + (sum.hi() + sum.base()) * roundings + error.left_out;
  }

  template <typename F>
  extraction_error error_of(const extracted_sum& sum) const noexcept {
    return error_of_extraction<T, P, F>(sum, nest_.slice_length, depth_);
  }

  template <typename F>
  bool settles(const extracted_sum& sum, Out& out) const noexcept {
    return settle_extracted(sum, error_of<F>(sum), root_, &out);
  }

  template <typename F>
  const kernels::extraction_kernels<T, F>& kernels_in() const noexcept {
    if constexpr (std::same_as<F, float>) {
      return kernels_.extraction_in_floats;
    } else {
      return kernels_.extraction;
    }
  }

  void settle_row(const std::byte* slice, const approximate_sum* known, Out& out,
                  later_habit& habit, tally& counts) const {
    if (settle_scaled(slice, known, out, habit)) return;
    // After some in vain, others may be again, but not for ever.
    constexpr int tries = 2, period = 16;
    if (habit.vain % period < tries) {
      double base = known == nullptr ? habit.base : base_for(known->hi, known->lo);
      const bool guessed = known == nullptr;
      bool settled = false;
      if constexpr (sizeof(T) == 2) settled = settle_in_floats(slice, guessed, base, out);
      settled = settled || settle_by_extraction<double>(slice, guessed, base, out);
      if (std::isfinite(base) && base > extraction_base(0)) habit.base = base;
      if (settled) {
        habit.vain = 0;
        ++counts.extracted;
        return;
      }
    }
    ++habit.vain;
    finish_exactly(slice, out, counts);
  }

  // If floats hold the sum; what is too small for them can have a larger base.
  bool settle_in_floats(const std::byte* slice, bool guessed, double& base, Out& out) const {
    if (!fits_floats(std::max(base, smallest_float_base))) return false;
    double float_base = std::max(base, smallest_float_base);
    const bool settled = settle_by_extraction<float>(slice, guessed, float_base, out);
    if (guessed) base = float_base;
    return settled;
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

  // To `base`, and where that does not settle it and is only a guess, to the right one, which
  // `base` then is.
  template <typename F>
  bool settle_by_extraction(const std::byte* slice, bool guessed, double& base, Out& out) const {
    const extracted_sum sum = extract_row<F>(slice, base);
    const double guess = base;
    if (guessed) base = corrected_base<F>(sum);
    if (settles<F>(sum, out)) return true;
    if (base == guess || (std::same_as<F, float> && !fits_floats(base))) return false;
    return settles<F>(extract_row<F>(slice, base), out);
  }

  template <typename F>
  extracted_sum extract_row(const std::byte* slice, double base) const {
    extracted_sum sum = start_extraction<T, P, F>(base, nest_.slice_length);
    if (parts_.count() == 1) {
      extract_row<F>(nest_, slice, data_, sum);
      return sum;
    }
    std::vector<extracted_sum> sums(static_cast<std::size_t>(parts_.count()), sum);
    parts_.for_each([&](const loop_nest& nest, std::int64_t in, std::int64_t, std::size_t i) {
      extract_row<F>(nest, slice + in, data_ + in, sums[i]);
    });
    for (const extracted_sum& s : sums) sum.merge(s);
    return sum;
  }

  template <typename F>
  void extract_row(const loop_nest& nest, const std::byte* slice, const std::byte* data,
                   extracted_sum& sum) const {
    const auto kernel = kernels_in<F>().row[power_index];
    const slice_blocks<T> blocks(nest, data);
    blocks.for_each_row_block(
        slice, 1, [&](const T* x, std::int64_t, std::int64_t, std::int64_t, std::int64_t n) {
          kernel(x, n, sum);
        });
  }

  // Columns of a tile, and which of them are still open.
  struct column_group {
    const std::byte* first;
    std::vector<double> bases;
    std::vector<std::uint8_t> open;
    Out* out;

    bool settled() const {
      return std::none_of(open.begin(), open.end(), [](std::uint8_t o) { return o != 0; });
    }
  };

  void settle_columns(const std::byte* tile, std::int64_t first, std::int64_t last,
                      const std::uint8_t* open, const fast_sums* known, Out* out,
                      later_habit& habit, tally& counts) const {
    const auto width = static_cast<std::size_t>(last - first);
    column_group columns{.first = tile + first * nest_.kept.back().in,
                         .bases = std::vector<double>(width, habit.base),
                         .open = std::vector<std::uint8_t>(open + first, open + last),
                         .out = out + first};
    if (known != nullptr) {
      for (std::size_t j = 0; j < width; ++j) {
        const std::size_t at = static_cast<std::size_t>(first) + j;
        columns.bases[j] = base_for(known->hi[at], known->lo[at]);
      }
    }
    const bool guessed = known == nullptr;
    if constexpr (sizeof(T) == 2) {
      const std::vector<double> bases = columns.bases;
      settle_by_extraction<float>(columns, guessed, counts);
      if (!guessed) columns.bases = bases;
    }
    if (!columns.settled()) settle_by_extraction<double>(columns, guessed, counts);
    for (std::size_t j = 0; j < width; ++j) {
      if (columns.open[j] != 0) {
        finish_exactly(columns.first + static_cast<std::int64_t>(j) * nest_.kept.back().in,
                       columns.out[j], counts);
      }
    }
    const double largest = *std::max_element(columns.bases.begin(), columns.bases.end());
    if (std::isfinite(largest) && largest > extraction_base(0)) habit.base = largest;
  }

  // As of rows.
  template <typename F>
  void settle_by_extraction(column_group& columns, bool guessed, tally& counts) const {
    if (fits<F>(columns) && settle_with_bases<F>(columns, guessed, counts) && fits<F>(columns)) {
      settle_with_bases<F>(columns, false, counts);
    }
  }

  // Whether Fs hold the sums of the open columns. What is too small for floats can have a larger
  // base. Columns that are closed, or not finite, only need one that is a float.
  template <typename F>
  bool fits(column_group& columns) const {
    if constexpr (std::same_as<F, float>) {
      for (std::size_t j = 0; j < columns.bases.size(); ++j) {
        double& base = columns.bases[j];
        base = std::max(base, smallest_float_base);
        if (fits_floats(base)) continue;
        if (columns.open[j] != 0 && std::isfinite(base)) return false;
        base = smallest_float_base;
      }
    }
    return true;
  }

  // Puts the right bases in the place of guessed ones, and returns whether one of a column that
  // stays open was another.
  template <typename F>
  bool settle_with_bases(column_group& columns, bool guessed, tally& counts) const {
    const std::vector<extracted_sum> sums = extract_columns<F>(columns);
    bool another = false;
    for (std::size_t j = 0; j < sums.size(); ++j) {
      const double base = guessed ? corrected_base<F>(sums[j]) : columns.bases[j];
      if (columns.open[j] != 0) {
        if (settles<F>(sums[j], columns.out[j])) {
          columns.open[j] = 0;
          ++counts.extracted;
        } else {
          another = another || base != columns.bases[j];
        }
      }
      columns.bases[j] = base;
    }
    return another;
  }

  template <typename F>
  std::vector<extracted_sum> extract_columns(const column_group& columns) const {
    constexpr std::size_t grids = cuts<T, P, F>;
    constexpr std::size_t fields = grids + 2;
    const std::size_t width = columns.bases.size();
    std::vector<extracted_sum> sums(width);
    for (std::size_t j = 0; j < width; ++j) {
      sums[j] = start_extraction<T, P, F>(columns.bases[j], nest_.slice_length);
    }
    std::vector<F> memory(static_cast<std::size_t>(parts_.count()) * fields * width);
    const auto state_of = [&](std::size_t part) {
      F* field = memory.data() + part * fields * width;
      kernels::column_extraction<F> state{{}, field, field + width};
      for (std::size_t i = 0; i < grids; ++i) state.grids[i] = field + (2 + i) * width;
      return state;
    };
    const auto kernel = kernels_in<F>().columns[power_index];
    parts_.for_each([&](const loop_nest& nest, std::int64_t in, std::int64_t, std::size_t part) {
      const auto state = state_of(part);
      for (std::size_t i = 0; i < grids; ++i) {
        for (std::size_t j = 0; j < width; ++j) {
          state.grids[i][j] = static_cast<F>(sums[j].start(i));
        }
      }
      const slice_blocks<T> blocks(nest, data_ + in);
      const auto columns_wide = static_cast<std::int64_t>(width);
      blocks.for_each_column_block(columns.first + in, columns_wide,
                                   [&](const T* x, std::int64_t step, std::int64_t rows) {
                                     kernel(x, step, rows, columns_wide, state);
                                   });
    });
    for (std::size_t part = 0; part < static_cast<std::size_t>(parts_.count()); ++part) {
      const auto state = state_of(part);
      for (std::size_t j = 0; j < width; ++j) {
        for (std::size_t i = 0; i < grids; ++i) {
          sums[j].parts[i] += static_cast<double>(state.grids[i][j]) - sums[j].start(i);
        }
        sums[j].lo += static_cast<double>(state.residue[j]);
        sums[j].residue_bits |= extracted_sum::bits_of(state.residue_bits[j]);
      }
    }
    return sums;
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
