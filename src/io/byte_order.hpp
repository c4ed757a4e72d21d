// The order of the bytes of an element.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace halfulp::io {

// The formats store the least significant byte first, and so must the machine: elements are read
// and written as they lie in memory.
static_assert(std::endian::native == std::endian::little);

// Reverses the bytes of each element of 2, 4 or 8 bytes.
inline void swap_bytes(std::span<std::byte> elements, std::size_t item_size) {
  const auto swap_each = [&](auto item, auto swap) {
    for (std::size_t at = 0; at < elements.size(); at += sizeof(item)) {
      std::memcpy(&item, &elements[at], sizeof(item));
      item = swap(item);
      std::memcpy(&elements[at], &item, sizeof(item));
    }
  };
  switch (item_size) {
    case 2:
      return swap_each(std::uint16_t{}, [](std::uint16_t x) { return __builtin_bswap16(x); });
    case 4:
      return swap_each(std::uint32_t{}, [](std::uint32_t x) { return __builtin_bswap32(x); });
    default:
      return swap_each(std::uint64_t{}, [](std::uint64_t x) { return __builtin_bswap64(x); });
  }
}

}  // namespace halfulp::io
