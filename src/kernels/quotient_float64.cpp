// SPDX-License-Identifier: Apache-2.0
#include "kernels/quotient-inl.hpp"

namespace halfulp::kernels {

HALFULP_INSTANTIATE_QUOTIENTS(double, bfloat16)
HALFULP_INSTANTIATE_QUOTIENTS(double, float16)
HALFULP_INSTANTIATE_QUOTIENTS(double, float)
HALFULP_INSTANTIATE_QUOTIENTS(double, double)

}  // namespace halfulp::kernels
