// SPDX-License-Identifier: Apache-2.0
#include "base/shape.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace halfulp {

std::optional<std::size_t> element_count(std::span<const std::int64_t> shape,
                                         std::size_t item_size) noexcept {
  if (std::any_of(shape.begin(), shape.end(), [](std::int64_t n) { return n < 0; })) return {};
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::int64_t bytes = static_cast<std::int64_t>(item_size);
  for (const std::int64_t extent : shape) {
    if (__builtin_mul_overflow(bytes, extent, &bytes)) return {};
  }
  return static_cast<std::size_t>(bytes) / item_size;
}

namespace {

// Strides where `next` walks the axes from the fastest to the slowest. Extents of zero count as
// one, so that the strides of an empty tensor are what they would be without the empty axis; where
// that overflows, no element is ever addressed and the stride stays at its last value.
template <typename Range>
void fill_strides(Range axes, std::span<const std::int64_t> shape, std::size_t item_size,
                  std::vector<std::int64_t>& strides) {
  std::int64_t stride = static_cast<std::int64_t>(item_size);
  for (const std::size_t axis : axes) {
    strides[axis] = stride;
    std::int64_t next = 0;
    if (!__builtin_mul_overflow(stride, std::max<std::int64_t>(shape[axis], 1), &next)) {
      stride = next;
    }
  }
}

std::vector<std::size_t> iota(std::size_t n) {
  std::vector<std::size_t> axes(n);
  for (std::size_t i = 0; i < n; ++i) axes[i] = i;
  return axes;
}

}  // namespace

std::vector<std::int64_t> c_strides(std::span<const std::int64_t> shape, std::size_t item_size) {
  std::vector<std::int64_t> strides(shape.size());
  auto axes = iota(shape.size());
  std::reverse(axes.begin(), axes.end());
  fill_strides(axes, shape, item_size, strides);
  return strides;
}

std::vector<std::int64_t> fortran_strides(std::span<const std::int64_t> shape,
                                          std::size_t item_size) {
  std::vector<std::int64_t> strides(shape.size());
  fill_strides(iota(shape.size()), shape, item_size, strides);
  return strides;
}

std::string format_shape(std::span<const std::int64_t> shape) {
  return fmt::format("({}{})", fmt::join(shape, ","), shape.size() == 1 ? "," : "");
}

}  // namespace halfulp
