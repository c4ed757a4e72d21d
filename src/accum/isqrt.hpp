// Integer square roots.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accum/limbs.hpp"
#include "base/int128.hpp"

namespace halfulp {

struct root_64 {
  std::uint64_t root;  // floor(sqrt(v))
  bool exact;          // root^2 == v
};

// The integer square root of v.
root_64 integer_sqrt(uint128 v) noexcept;

// floor(sqrt(v)) modulo 2^64, v an integer of at most three limbs.
std::uint64_t integer_sqrt_low_bits(const limbs<3>& v) noexcept;

}  // namespace halfulp
