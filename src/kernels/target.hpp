// Which Highway target (instruction set) the kernels run on.
// SPDX-License-Identifier: Apache-2.0
//
// Kernels are compiled for several targets; the best one that the processor has is picked at run
// time. The results are the same bits on all of them, which the tests show by restricting the
// choice.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace halfulp::kernels {

// The targets that were compiled and that this processor has, best first, as Highway's bits.
std::vector<std::int64_t> supported_targets();

// "AVX2", "SSE4", "SCALAR", ...
std::string_view target_name(std::int64_t target);

// The one in use.
std::int64_t current_target();

// From now on kernels run on this one of the supported targets; 0 makes it the best one again. For
// tests: no kernel may be running.
void use_target(std::int64_t target);

}  // namespace halfulp::kernels
