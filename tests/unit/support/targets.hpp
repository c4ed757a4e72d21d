// Tests of kernels on each Highway target that this processor has.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "kernels/target.hpp"

namespace halfulp {

// Calls test() on one target after the other; then the best one is in use again.
template <typename F>
void on_each_target(const F& test) {
  for (const std::int64_t target : kernels::supported_targets()) {
    SCOPED_TRACE("on " + std::string(kernels::target_name(target)));
    kernels::use_target(target);
    EXPECT_EQ(kernels::current_target(), target);
    test();
    kernels::use_target(0);
  }
}

}  // namespace halfulp
