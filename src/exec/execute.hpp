// Running a plan on data.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "base/float_format.hpp"
#include "exec/parallel.hpp"
#include "exec/tier_counts.hpp"
#include "plan/computation_plan.hpp"

namespace halfulp {

// Computes `plan`, whose input and output have the element of index 0 at these addresses. The
// floating-point environment is the standard one; never inlined, so that no arithmetic can move to
// where it is not. Adds each slice to the count of the tier that settled it. Throws nothing but
// std::bad_alloc and what a host's threads throw.
[[gnu::noinline]] void execute(const computation_plan& plan, const std::byte* input,
                               std::byte* output, parallel& threads, tier_counts& slices);

// The two families, each for one input type (integers are not normalised).
template <float_element T>
void execute_reduction(const computation_plan& plan, const std::byte* input, std::byte* output,
                       parallel& threads, tier_counts& slices);
template <integer_element T>
void execute_reduction(const computation_plan& plan, const std::byte* input, std::byte* output,
                       parallel& threads, tier_counts& slices);
template <float_element T>
void execute_normalization(const computation_plan& plan, const std::byte* input, std::byte* output,
                           parallel& threads, tier_counts& slices);

}  // namespace halfulp
