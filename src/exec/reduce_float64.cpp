// SPDX-License-Identifier: Apache-2.0
#include "exec/reduce-inl.hpp"

namespace halfulp {

template void execute_reduction<double>(const computation_plan&, const std::byte*, std::byte*,
                                        parallel&, tier_counts&);

}  // namespace halfulp
