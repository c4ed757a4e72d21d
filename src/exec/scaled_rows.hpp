// Sums of doubles, or roots of sums of their squares, that double's range does not hold or only
// with few digits: they are taken of elements times a power of two. SPDX-License-Identifier:
// Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "exec/blocks.hpp"
#include "exec/slice_sums.hpp"
#include "kernels/finish.hpp"
#include "kernels/sum_bound.hpp"

namespace halfulp {

template <power P>
class scaled_rows {
 public:
  // Rows of `nest`, whole; `data` is the address of the element of index 0.
  scaled_rows(const loop_nest& nest, const std::byte* data, root root) noexcept
      : nest_(nest), data_(data), root_(root) {}

  // By what to multiply the elements of a row whose fast sum is hi + lo; 1 where that is of no use.
  double scale_for(double hi, double lo) const noexcept {
    const bool overflowed = !std::isfinite(hi) || !std::isfinite(lo);
    if (P == power::abs) return overflowed ? large_magnitudes.scale : 1;
    if (root_ == root::no) return 1;
    if (overflowed || hi > pair_range_highest) return large_squares.scale;
    return hi < pair_range_lowest ? small_squares.scale : 1;
  }

  // If the output of the row that starts at `row` is certain: stores it and returns true. Any row
  // may be tried with any of the scales.
  bool settle(const std::byte* row, double scale, double* out) const {
    const scaling& how = P == power::abs ? large_magnitudes
                         : scale < 1     ? large_squares
                                         : small_squares;
    const auto& kernels = kernels::sum_kernels_of<double>();
    constexpr kernels::precision pair = kernels::precision::pair;
    double scaled[scratch_size];
    double hi = 0, lo = 0;
    std::int64_t blocks = 0;
    const slice_blocks<double> elements(nest_, data_);
    const auto add = [&](const double* x, std::int64_t n) {
      kernels.scale(x, n, how.scale, how.least, scaled);
      double block_hi, block_lo;
      kernels.rows.at(P, pair)(scaled, n, 1, n, &block_hi, &block_lo);
      fold_sums(&block_hi, &block_lo, 1, &hi, &lo);
      ++blocks;
    };
    elements.for_each_block_of_row(
        row, [&](const double* x, std::int64_t step, std::int64_t rows, std::int64_t length) {
          for (std::int64_t i = 0; i < length; i += scratch_size) {
            for (std::int64_t r = 0; r < rows; ++r) {
              add(x + r * step + i, std::min(scratch_size, length - i));
            }
          }
        });
    certificate test = kernels::certify<double, P, double>(
        pair, kernels.fused, kernels.row_depth.at(P, pair)(scratch_size), blocks,
        nest_.slice_length);
    test.bound += 0x1p-100;  // for the elements that are left out
    test.lowest = how.lowest;
    test.exact_zero = false;
    double result;
    std::uint8_t open;
    if (!kernels::finish_kernels_of<double>().of(root_)(&hi, &lo, 1, test, &result, &open)) {
      return false;
    }
    // A subnormal quotient would be rounded once more.
    if (result < how.scale * std::numeric_limits<double>::min()) return false;
    *out = result / how.scale;
    return true;
  }

 private:
  // Elements below `least` come to nothing beside a scaled sum of at least `lowest`, and are left
  // out: what is left has no square that underflows. Smaller sums have been scaled not for a
  // reason, but by habit. docs/numerics.md, "Scaled sums", has the proofs.
  struct scaling {
    double scale, least, lowest;
  };
  static constexpr scaling large_magnitudes{0x1p-64, 1, 0x1p+900};
  static constexpr scaling large_squares{0x1p-600, 0x1p+150, 0x1p-301};
  static constexpr scaling small_squares{0x1p+900, 0, 0x1p-348};

  const loop_nest& nest_;
  const std::byte* data_;
  root root_;
};

}  // namespace halfulp
