// How many processors there are to run on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace halfulp {

// Processors in this process's affinity mask, or less where the container that the program runs in
// gets less of their time, rounded up; at least 1.
int processor_count() noexcept;

}  // namespace halfulp
