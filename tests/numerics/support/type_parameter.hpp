// Element types as the parameter of a test.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "oracle/format.hpp"

namespace oracle {

// Names the instances of a test after their type.
inline std::string name_of_parameter(const testing::TestParamInfo<dtype>& parameter) {
  return text_of(parameter.param);
}

}  // namespace oracle
