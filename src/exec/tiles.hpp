// How the loops of a plan are walked: tiles of neighbouring slices, and the runs of a slice.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "base/memory_access.hpp"
#include "plan/loop_nest.hpp"

namespace halfulp {

constexpr std::int64_t div_ceil(std::int64_t a, std::int64_t b) noexcept { return (a + b - 1) / b; }

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

// Memory that is read at several places by turns comes faster than what is read from one place on
// (docs/benchmarks.md): this many streams, a power of two.
inline constexpr std::int64_t streams_at_once = 4;

// Slices along the innermost kept loop, the unit of work: tiles are independent of each other. The
// slices follow each other, or, in streams, they are neighbours in each of several streams, from
// which they are taken by turns.
struct tile {
  struct step {
    std::int64_t in;  // bytes
    std::int64_t out;
  };

  std::int64_t in;  // byte offsets of the first slice
  std::int64_t out;
  std::int64_t width;
  step along;     // from a slice to its neighbour
  step across{};  // from stream to stream; zero: there is one
  bool in_streams() const noexcept { return across.in != 0; }

  // Those of slice j.
  std::int64_t in_of(std::int64_t j) const noexcept {
    if (!in_streams()) return in + j * along.in;
    return in + j / streams_at_once * along.in + j % streams_at_once * across.in;
  }
  std::int64_t out_of(std::int64_t j) const noexcept {
    if (!in_streams()) return out + j * along.out;
    return out + j / streams_at_once * along.out + j % streams_at_once * across.out;
  }
  // Slices first to last, of one stream.
  tile part(std::int64_t first, std::int64_t last) const noexcept {
    return {in + first * along.in, out + first * along.out, last - first, along};
  }
};

class tiling {
 public:
  // Tiles of up to `max_width` slices, a multiple of streams_at_once where they are in streams.
  tiling(const loop_nest& nest, std::int64_t max_width, bool in_streams = false)
      : outer_(std::span(nest.kept).first(nest.kept.size() - 1)),
        lane_(nest.kept.back()),
        in_offset_(nest.in_offset),
        out_offset_(nest.out_offset),
        max_width_(max_width),
        stream_(in_streams ? lane_.extent / streams_at_once : 0),
        stream_tiles_(in_streams ? div_ceil(stream_, max_width / streams_at_once) : 0),
        per_row_(stream_tiles_ + div_ceil(lane_.extent - stream_ * streams_at_once, max_width)) {
    count_ = per_row_;
    for (const loop& l : outer_) count_ *= l.extent;
  }

  std::int64_t count() const noexcept { return count_; }
  std::int64_t max_width() const noexcept { return max_width_; }

  tile operator[](std::int64_t index) const noexcept {
    tile t = in_lane(index % per_row_);
    index /= per_row_;
    t.in += in_offset_;
    t.out += out_offset_;
    for (std::size_t i = outer_.size(); i-- > 0; index /= outer_[i].extent) {
      const std::int64_t step = index % outer_[i].extent;
      t.in += step * outer_[i].in;
      t.out += step * outer_[i].out;
    }
    return t;
  }

 private:
  // Of the tiles of one lane. What the streams leave over follows them.
  tile in_lane(std::int64_t index) const noexcept {
    const tile::step along{lane_.in, lane_.out};
    if (index < stream_tiles_) {
      const std::int64_t most = max_width_ / streams_at_once, first = index * most;
      return {first * lane_.in,
              first * lane_.out,
              std::min(most, stream_ - first) * streams_at_once,
              along,
              {stream_ * lane_.in, stream_ * lane_.out}};
    }
    const std::int64_t first = stream_ * streams_at_once + (index - stream_tiles_) * max_width_;
    return {first * lane_.in, first * lane_.out, std::min(max_width_, lane_.extent - first), along};
  }

  std::span<const loop> outer_;
  loop lane_;
  std::int64_t in_offset_, out_offset_;
  std::int64_t max_width_;
  std::int64_t stream_;        // slices of each stream of a lane
  std::int64_t stream_tiles_;  // tiles of a lane that are in streams
  std::int64_t per_row_;
  std::int64_t count_;
};

template <element T>
bool is_contiguous(const std::byte* data, std::int64_t stride) noexcept {
  return stride == static_cast<std::int64_t>(sizeof(T)) &&
         reinterpret_cast<std::uintptr_t>(data) % alignof(T) == 0;
}

}  // namespace halfulp
