// SPDX-License-Identifier: Apache-2.0
#include "kernels/sum-inl.hpp"

namespace halfulp::kernels {

HALFULP_INSTANTIATE_SUMS(double, pair)

}  // namespace halfulp::kernels
