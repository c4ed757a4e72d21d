// SPDX-License-Identifier: Apache-2.0
#include "kernels/quotient-inl.hpp"

namespace halfulp::kernels {

HALFULP_INSTANTIATE_QUOTIENTS(float16, bfloat16)
HALFULP_INSTANTIATE_QUOTIENTS(float16, float16)
HALFULP_INSTANTIATE_QUOTIENTS(float16, float)
HALFULP_INSTANTIATE_QUOTIENTS(float16, double)

}  // namespace halfulp::kernels
