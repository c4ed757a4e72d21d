// Elements as doubles: the terms that the fast kernels sum.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <limits>

#include "accum/power.hpp"
#include "base/float_format.hpp"

namespace halfulp::kernels {

// |x| as a double, exactly. NaN and infinity give NaN or infinity.
inline double magnitude(double x) noexcept { return std::fabs(x); }
inline double magnitude(float x) noexcept { return static_cast<double>(std::fabs(x)); }
inline double magnitude(bfloat16 x) noexcept {
  return static_cast<double>(from_bits<float>(static_cast<std::uint32_t>(x.bits & 0x7fff) << 16));
}
inline double magnitude(float16 x) noexcept {
  // The exponent field moves by the difference of the biases, 112; subnormals follow, because the
  // product is exact. The all-ones field would land at 2^16 and above.
  const float scaled = from_bits<float>(static_cast<std::uint32_t>(x.bits & 0x7fff) << 13);
  const float value = scaled * 0x1p112f;
  return static_cast<double>(value < 65536.0f ? value : std::numeric_limits<float>::infinity());
}

}  // namespace halfulp::kernels
