// From fast sums to output elements, with a rounding test: most slices end here.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "accum/certificate.hpp"
#include "accum/exact_finish.hpp"
#include "base/float_format.hpp"

namespace halfulp::kernels {

template <float_element Out>
struct finish_kernels {
  // out[j] = RN(S_j), or RN(sqrt(S_j)), for j < n, where S_j is hi[j] + lo[j] within the
  // certificate (lo may be null: zeros). Returns whether the rounding of all is certain; else
  // open[j] says of which it is not (1) and of which it is (0), and what is out[j] where it is not
  // means nothing.
  using function = bool (*)(const double* hi, const double* lo, std::int64_t n,
                            const certificate& test, Out* out, std::uint8_t* open);

  std::array<function, 2> functions;  // by `root`
  function of(root r) const { return functions[static_cast<std::size_t>(r)]; }
};

// The kernels for the best target that this processor has.
template <float_element Out>
const finish_kernels<Out>& finish_kernels_of() noexcept;

}  // namespace halfulp::kernels
