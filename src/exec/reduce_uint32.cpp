// SPDX-License-Identifier: Apache-2.0
#include "exec/reduce_integers-inl.hpp"

namespace halfulp {

template void execute_reduction<std::uint32_t>(const computation_plan&, const std::byte*,
                                               std::byte*, parallel&, tier_counts&);

}  // namespace halfulp
