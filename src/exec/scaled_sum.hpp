// Sums of doubles, or roots of sums of their squares, that double's range does not hold or only
// with few digits: they are taken of elements times a power of two. SPDX-License-Identifier:
// Apache-2.0
#pragma once

#include <hwy/cache_control.h>

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
  // All squares that count are then in the pair range, docs/numerics.md, "Scaled sums".
  double scale_for(double hi, double lo) const noexcept {
    const bool overflowed = !std::isfinite(hi) || !std::isfinite(lo);
    if (P == power::abs) return overflowed ? 0x1p-64 : 1;
    if (root_ == root::no) return 1;
    if (overflowed || hi > pair_range_highest) return 0x1p-600;
    return hi < pair_range_lowest ? 0x1p+900 : 1;
  }

  // If the output of the row that starts at `row` is certain: stores it and returns true. Any row
  // may be tried with any of the scales.
  bool settle(const std::byte* row, double scale, double* out) const {
    const auto& kernels = kernels::sum_kernels_of<double>();
    constexpr kernels::precision pair = kernels::precision::pair;
    double scaled[scratch_size];
    double hi = 0, lo = 0;
    std::int64_t blocks = 0;
    const slice_blocks<double> elements(nest_, data_);
    elements.for_each_row_block(
        row, 1,
        [&](const double* x, std::int64_t, std::int64_t, std::int64_t, std::int64_t length) {
          for (std::int64_t i = 0; i < length; i += scratch_size) {
            const std::int64_t n = std::min(scratch_size, length - i);
            scale_elements(x + i, n, scale, scaled);
            double block_hi, block_lo;
            kernels.rows.at(P, pair)(scaled, n, 1, n, &block_hi, &block_lo);
            fold_sums(&block_hi, &block_lo, 1, &hi, &lo);
            ++blocks;
          }
        });
    certificate test = kernels::certify<double, P, double>(
        pair, kernels.fused, kernels.row_depth.at(P, pair)(scratch_size), blocks,
        nest_.slice_length);
    // What elements lose by scaling. A smaller sum has not been scaled for a reason, but by habit.
    test.bound += 0x1p-100;
    test.lowest = scale > 1 ? 0x1p-400 : P == power::abs ? 0x1p+900 : 0x1p-301;
    double scaled_out;
    std::uint8_t open;
    if (!kernels::finish_kernels_of<double>().of(root_)(&hi, &lo, 1, test, &scaled_out, &open)) {
      return false;
    }
    *out = scaled_out / scale;
    // Subnormal results would be rounded twice.
    return *out >= std::numeric_limits<double>::min();
  }

 private:
  // Elements that come to nothing beside such a sum become zero: subnormal numbers are slow.
  static void scale_elements(const double* x, std::int64_t n, double scale, double* scaled) {
    const double least = scale < 1 ? (P == power::abs ? 1 : 0x1p+150) : 0;
    constexpr std::int64_t line = 64 / static_cast<std::int64_t>(sizeof(double));
    // A row's length or so: it arrives while this one is added up.
    constexpr std::int64_t ahead = 8192;  // bytes
    for (std::int64_t i = 0; i < n; i += line) {
      hwy::Prefetch(reinterpret_cast<const char*>(x + i) + ahead);
      const std::int64_t count = std::min(line, n - i);
      for (std::int64_t k = i; k < i + count; ++k) {
        scaled[k] = x[k] * (std::fabs(x[k]) < least ? 0 : scale);
      }
    }
  }

  const loop_nest& nest_;
  const std::byte* data_;
  root root_;
};

}  // namespace halfulp
