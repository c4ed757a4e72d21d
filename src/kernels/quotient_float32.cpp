// SPDX-License-Identifier: Apache-2.0
#include "kernels/quotient-inl.hpp"

namespace halfulp::kernels {

HALFULP_INSTANTIATE_QUOTIENTS(float, bfloat16)
HALFULP_INSTANTIATE_QUOTIENTS(float, float16)
HALFULP_INSTANTIATE_QUOTIENTS(float, float)
HALFULP_INSTANTIATE_QUOTIENTS(float, double)

}  // namespace halfulp::kernels
