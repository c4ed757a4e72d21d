// Rows of a few elements, from elements to results at once: with results nearly as many as
// elements, sums do not go through memory in between. A first tier of its own.
// SPDX-License-Identifier: Apache-2.0
//
// Elements are added as in sum.hpp; of the 16-bit types, in floats first, and in doubles where that
// is not good enough. docs/numerics.md proves the bounds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "accum/exact_finish.hpp"
#include "accum/power.hpp"
#include "base/float_format.hpp"

namespace halfulp::kernels {

// Elements of a row.
inline constexpr std::int64_t longest_short_row = 31;
// Rows that are settled together.
inline constexpr std::int64_t short_rows_at_once = 64;

template <float_element T>
struct short_row_kernels {
  // out[j] = RN(S_j), or RN(sqrt(S_j)), S_j the sum of the terms of x[j * length + i], i < length,
  // for short_rows_at_once rows j in each of the blocks b < blocks; length is 2 to
  // longest_short_row. Returns whether the rounding of all is certain; else open[b] says in which
  // blocks it is not (1), whose results mean nothing. With `stream`, results go around the caches
  // where `out` is aligned for that (stream.hpp).
  using function = bool (*)(const T* x, std::int64_t blocks, std::int64_t length, T* out,
                            bool stream, std::uint8_t* open);

  // Null where there is none.
  std::array<std::array<function, 2>, 2> functions;  // by power - 1 and root
  function of(power p, root r) const {
    return functions[static_cast<std::size_t>(p) - 1][static_cast<std::size_t>(r)];
  }
};

// The kernels for the best target that this processor has.
template <float_element T>
const short_row_kernels<T>& short_row_kernels_of() noexcept;

}  // namespace halfulp::kernels
