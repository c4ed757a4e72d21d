// 128-bit integers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

namespace halfulp {

__extension__ using uint128 = unsigned __int128;

constexpr std::uint64_t high_word(uint128 v) { return static_cast<std::uint64_t>(v >> 64); }
constexpr std::uint64_t low_word(uint128 v) { return static_cast<std::uint64_t>(v); }

// The number of bits up to the highest one that is set; 0 for 0.
constexpr int bit_width(std::uint64_t v) { return static_cast<int>(std::bit_width(v)); }
constexpr int bit_width(uint128 v) {
  return high_word(v) != 0 ? 64 + bit_width(high_word(v)) : bit_width(low_word(v));
}

}  // namespace halfulp
