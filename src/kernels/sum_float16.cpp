// SPDX-License-Identifier: Apache-2.0
#include "kernels/sum-inl.hpp"

namespace halfulp::kernels {

HALFULP_INSTANTIATE_SUMS(float16, plain)
HALFULP_INSTANTIATE_SUMS(float16, pair)

}  // namespace halfulp::kernels
