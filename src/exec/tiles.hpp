// How the loops of a plan are walked: tiles of neighbouring slices, and the runs of a slice.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/memory_access.hpp"
#include "plan/loop_nest.hpp"

namespace halfulp {

// Calls f(in, out) with the byte offsets of every step of the loops, in their order.
template <typename F>
void walk(std::span<const loop> loops, std::int64_t in, std::int64_t out, const F& f) {
  if (loops.empty()) {
    f(in, out);
    return;
  }
  const loop& outer = loops.front();
  for (std::int64_t i = 0; i < outer.extent; ++i) {
    walk(loops.subspan(1), in + i * outer.in, out + i * outer.out, f);
  }
}

// Calls f(in, out) with the byte offsets of the start of every run of a slice: the innermost
// reduced loop is the run itself.
template <typename F>
void for_each_run(const loop_nest& nest, const F& f) {
  walk(std::span(nest.reduced).first(nest.reduced.size() - 1), 0, 0, f);
}

// Up to `max_width` slices that follow each other along the innermost kept loop. Tiles are
// independent of each other: the unit of work.
struct tile {
  std::int64_t in;  // byte offsets of the first slice
  std::int64_t out;
  std::int64_t width;
};

class tiling {
 public:
  tiling(const loop_nest& nest, std::int64_t max_width)
      : outer_(std::span(nest.kept).first(nest.kept.size() - 1)),
        lane_(nest.kept.back()),
        in_offset_(nest.in_offset),
        out_offset_(nest.out_offset),
        max_width_(max_width),
        per_row_((lane_.extent + max_width - 1) / max_width) {
    count_ = per_row_;
    for (const loop& l : outer_) count_ *= l.extent;
  }

  std::int64_t count() const noexcept { return count_; }
  std::int64_t max_width() const noexcept { return max_width_; }

  tile operator[](std::int64_t index) const noexcept {
    const std::int64_t first = index % per_row_ * max_width_;
    index /= per_row_;
    tile t{in_offset_ + first * lane_.in, out_offset_ + first * lane_.out,
           std::min(max_width_, lane_.extent - first)};
    for (std::size_t i = outer_.size(); i-- > 0; index /= outer_[i].extent) {
      const std::int64_t step = index % outer_[i].extent;
      t.in += step * outer_[i].in;
      t.out += step * outer_[i].out;
    }
    return t;
  }

 private:
  std::span<const loop> outer_;
  loop lane_;
  std::int64_t in_offset_, out_offset_;
  std::int64_t max_width_;
  std::int64_t per_row_;
  std::int64_t count_;
};

template <element T>
bool is_contiguous(const std::byte* data, std::int64_t stride) noexcept {
  return stride == static_cast<std::int64_t>(sizeof(T)) &&
         reinterpret_cast<std::uintptr_t>(data) % alignof(T) == 0;
}

}  // namespace halfulp
