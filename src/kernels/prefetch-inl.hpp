// Asking for memory ahead of its use. Included once for each target.
// SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_PREFETCH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_PREFETCH_INL_HPP
#undef HALFULP_KERNELS_PREFETCH_INL_HPP
#else
#define HALFULP_KERNELS_PREFETCH_INL_HPP
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// How far ahead of its use an element is asked for. The processor's own prefetching stops at the
// end of each page, and this carries on across it.
inline constexpr std::ptrdiff_t prefetch_distance = 2048;  // bytes
inline constexpr std::ptrdiff_t stream_ahead = 1024;       // the same of streams side by side
inline constexpr std::ptrdiff_t cache_line = 64;

template <class T>
HWY_INLINE void prefetch(const T* from, std::ptrdiff_t bytes) {
  hwy::Prefetch(reinterpret_cast<const char*>(from) + bytes);
}

// `Size` bytes from there on.
template <std::ptrdiff_t Size, class T>
HWY_INLINE void prefetch_block(const T* from, std::ptrdiff_t bytes) {
  for (std::ptrdiff_t at = 0; at < Size; at += cache_line) prefetch(from, bytes + at);
}

// Further ahead by as many elements, `rows` rows, `step` apart.
template <class T>
HWY_INLINE void prefetch_rows(const T* x, std::int64_t step, std::int64_t rows,
                              std::int64_t length) {
  constexpr auto line = cache_line / static_cast<std::int64_t>(sizeof(T));
  if (step == length) {
    length *= rows;
    rows = 1;
  }
  for (std::int64_t i = 0; i < rows; ++i) {
    for (std::int64_t at = 0; at < length; at += line) {
      prefetch(x + i * step + at, prefetch_distance);
    }
  }
}

// Streams that are read side by side: one comes from memory slower than several
// (docs/benchmarks.md). Rows that column kernels take at a time, if they have no reason for another
// number: their terms meet in registers before they meet the sums, which are in the cache.
inline constexpr int rows_at_a_time = 4;

// `rows` rows of `width` elements that start `step` apart, of which column kernels take `at_a_time`
// at a time, each from a part of the block of its own: so many streams, which come from memory
// faster than one (docs/benchmarks.md).
template <class T>
class row_streams {
 public:
  HWY_INLINE row_streams(std::int64_t at_a_time, std::int64_t step, std::int64_t rows,
                         std::int64_t width)
      : length_(rows / at_a_time), step_(length_ * step), block_((rows - length_) * step) {
    constexpr auto size = static_cast<std::int64_t>(sizeof(T));
    // What comes next of a stream is the row's next elements, or the next rows.
    constexpr std::int64_t most_rows = 4;
    const std::int64_t row_bytes = width * size;
    if (step != width && row_bytes < 4 * prefetch_distance) {
      ahead_ = std::min(prefetch_distance / row_bytes + 1, most_rows) * step * size;
    } else {
      turn_ = width - prefetch_distance / size;
    }
  }

  // Rows of each stream, and how far apart they start.
  HWY_INLINE std::int64_t length() const { return length_; }
  HWY_INLINE std::int64_t step() const { return step_; }

  // Called for each cache line of columns, those from x + j on, in `rows` rows. With `last`, these
  // are the last ones of their streams, which are followed by those of the next block.
  HWY_INLINE void prefetch_line(const T* x, std::int64_t j, std::int64_t rows, bool last) const {
    if (last && j >= turn_) x += block_;
    for (std::int64_t r = 0; r < rows; ++r) prefetch(x + j + r * step_, ahead_);
  }

 private:
  std::int64_t length_, step_;
  std::int64_t block_;     // from what follows a stream to the same stream of the next block
  std::int64_t turn_ = 0;  // the column from which on the next row is asked for
  std::ptrdiff_t ahead_ = prefetch_distance;
};

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
