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

#include <cstddef>
#include <cstdint>

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// How far ahead of its use an element is asked for. The processor's own prefetching stops at the
// end of each page, and this carries on across it.
inline constexpr std::ptrdiff_t prefetch_distance = 2048;  // bytes
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

// Rows that column kernels take at a time, if they have no reason for another number: their terms
// meet in registers before they meet the sums, which are in the cache.
inline constexpr int rows_at_a_time = 4;

// What kernels that go over columns, `rows` rows at a time, ask for ahead: further along these
// rows, or, where they are shorter than that is far, the rows that come next. Of the shortest rows
// without gaps, these are asked for in the order in which they lie in memory, which the processor's
// own prefetching follows.
template <class T>
class rows_prefetch {
 public:
  HWY_INLINE rows_prefetch(std::int64_t rows, std::int64_t step, std::int64_t width) : step_(step) {
    constexpr std::int64_t short_row = 4 * prefetch_distance, shortest_row = 4096;
    const std::int64_t bytes = width * static_cast<std::int64_t>(sizeof(T));
    if (bytes < short_row) ahead_ = rows * step * static_cast<std::ptrdiff_t>(sizeof(T));
    in_order_ = step == width && bytes < shortest_row;
  }

  // Called for each cache line of columns, those from x + j on, in `rows` rows.
  HWY_INLINE void line(const T* x, std::int64_t j, std::int64_t rows) const {
    constexpr auto line = cache_line / static_cast<std::int64_t>(sizeof(T));
    const std::int64_t first = in_order_ ? rows * j : j;
    const std::int64_t step = in_order_ ? line : step_;
    for (std::int64_t r = 0; r < rows; ++r) prefetch(x + first + r * step, ahead_);
  }

 private:
  std::int64_t step_;
  std::ptrdiff_t ahead_ = prefetch_distance;
  bool in_order_;
};

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
