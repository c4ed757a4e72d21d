// The second tier on slices: extractions of rows and columns to bases that are known, or guessed
// and corrected. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "accum/extracted_sum.hpp"
#include "exec/blocks.hpp"
#include "exec/slice_parts.hpp"
#include "kernels/sum.hpp"

namespace halfulp {

// Columns of a tile, and which of them are still open.
template <float_element Out>
struct column_group {
  const std::byte* first;
  std::vector<double> bases;
  std::vector<std::uint8_t> open;
  Out* out;
};

template <float_element T, power P, float_element Out>
class slice_extraction {
 public:
  // As later_tiers.
  slice_extraction(const loop_nest& nest, const slice_parts& parts, const std::byte* data,
                   root root) noexcept
      : nest_(nest),
        parts_(parts),
        data_(data),
        kernels_(kernels::sum_kernels_of<T>()),
        root_(root),
        depth_(depth_of(nest, data, parts.count())) {}

  // Whether what an extraction to any base gives is good enough for the right one to be found from
  // it.
  bool can_guess_bases() const noexcept {
    constexpr std::int64_t most_terms = 1 << 20;
    return parts_.count() == 1 && nest_.slice_length <= most_terms;
  }

  // Settles the row that starts at `slice` by an extraction to `base`. If that is only a guess, the
  // right one takes its place, and is tried, too. What 16-bit types have is first tried in floats,
  // where what is too small for them can have a larger base.
  bool settle_row(const std::byte* slice, bool guessed, double& base, Out& out) const {
    if constexpr (sizeof(T) == 2) {
      double float_base = std::max(base, smallest_float_base);
      if (fits_floats(float_base)) {
        const bool settled = settle_by_extraction<float>(slice, guessed, float_base, out);
        if (guessed) base = float_base;
        if (settled) return true;
      }
    }
    return settle_by_extraction<double>(slice, guessed, base, out);
  }

  // The same of columns, those that are open. Returns how many it settled. A cache line's columns
  // take as long as memory does, twice if floats do not settle them.
  std::int64_t settle_columns(column_group<Out>& columns, bool guessed) const {
    constexpr std::size_t line = 64 / sizeof(T);
    std::int64_t settled = 0;
    if constexpr (sizeof(T) == 2) {
      if (columns.bases.size() > line) {
        const std::vector<double> bases = columns.bases;
        settle_by_extraction<float>(columns, guessed, settled);
        if (!guessed) columns.bases = bases;
      }
    }
    const bool any_open = std::any_of(columns.open.begin(), columns.open.end(),
                                      [](std::uint8_t o) { return o != 0; });
    if (any_open) settle_by_extraction<double>(columns, guessed, settled);
    return settled;
  }

 private:
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

  // A base for a sum that has been extracted in Fs to any base. Where that overflowed, its own
  // base, which another type than F may do with.
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
    blocks.for_each_block_of_row(
        slice, [&](const T* x, std::int64_t step, std::int64_t rows, std::int64_t length) {
          for (std::int64_t i = 0; i < rows; ++i) kernel(x + i * step, length, sum);
        });
  }

  // As of rows.
  template <typename F>
  void settle_by_extraction(column_group<Out>& columns, bool guessed, std::int64_t& settled) const {
    if (fits<F>(columns) && settle_with_bases<F>(columns, guessed, settled) && fits<F>(columns)) {
      settle_with_bases<F>(columns, false, settled);
    }
  }

  // Whether Fs hold the sums of the open columns. What is too small for floats can have a larger
  // base. Columns that are closed, or not finite, only need one that is a float.
  template <typename F>
  bool fits(column_group<Out>& columns) const {
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
  bool settle_with_bases(column_group<Out>& columns, bool guessed, std::int64_t& settled) const {
    const std::vector<extracted_sum> sums = extract_columns<F>(columns);
    bool another = false;
    for (std::size_t j = 0; j < sums.size(); ++j) {
      const double base = guessed ? corrected_base<F>(sums[j]) : columns.bases[j];
      if (columns.open[j] != 0) {
        if (settles<F>(sums[j], columns.out[j])) {
          columns.open[j] = 0;
          ++settled;
        } else {
          another = another || base != columns.bases[j];
        }
      }
      columns.bases[j] = base;
    }
    return another;
  }

  template <typename F>
  std::vector<extracted_sum> extract_columns(const column_group<Out>& columns) const {
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

  const loop_nest& nest_;
  const slice_parts& parts_;
  const std::byte* data_;
  const kernels::sum_kernels<T>& kernels_;
  root root_;
  std::int64_t depth_;
};

}  // namespace halfulp
