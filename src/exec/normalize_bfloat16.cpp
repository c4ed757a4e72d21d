// SPDX-License-Identifier: Apache-2.0
#include "exec/normalize-inl.hpp"

namespace halfulp {

template void execute_normalization<bfloat16>(const computation_plan&, const std::byte*, std::byte*,
                                              parallel&, tier_counts&);

}  // namespace halfulp
