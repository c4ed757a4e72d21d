// The memory of a tile of reductions: sums, output elements, and which of them are open.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "exec/slice_sums.hpp"

namespace halfulp {

// For tiles of at most `width` slices. Small ones need no allocation.
template <typename Out>
class tile_memory {
 public:
  explicit tile_memory(std::int64_t width)
      : large_(width <= small_width
                   ? nullptr
                   : std::make_unique_for_overwrite<std::byte[]>(bytes_for(width))) {
    const auto n = static_cast<std::size_t>(width <= small_width ? small_width : width);
    auto* doubles = reinterpret_cast<double*>(large_ ? large_.get() : small_.data());
    sums_ = {doubles, doubles + n, doubles + 2 * n, doubles + 3 * n};
    outputs_ = reinterpret_cast<Out*>(doubles + 4 * n);
    open_ = reinterpret_cast<std::uint8_t*>(outputs_ + n);
  }
  tile_memory(const tile_memory&) = delete;
  tile_memory& operator=(const tile_memory&) = delete;

  const sums_memory& sums() const noexcept { return sums_; }
  Out* outputs() const noexcept { return outputs_; }
  std::uint8_t* open() const noexcept { return open_; }

 private:
  static constexpr std::int64_t small_width = 64;
  static constexpr std::size_t bytes_for(std::int64_t width) {
    return static_cast<std::size_t>(width) * (4 * sizeof(double) + sizeof(Out) + 1);
  }

  alignas(64) std::array<std::byte, bytes_for(small_width)> small_;
  std::unique_ptr<std::byte[]> large_;
  sums_memory sums_;
  Out* outputs_;
  std::uint8_t* open_;
};

}  // namespace halfulp
