// Checks of errors: the code, and one line that names the culprit.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "halfulp/types.hpp"

namespace oracle {

inline void expect_one_line(std::string_view message, const std::vector<std::string>& parts) {
  EXPECT_FALSE(message.empty());
  EXPECT_TRUE(std::all_of(message.begin(), message.end(), [](char c) {
    return c >= ' ' && c <= '~';
  })) << message;
  for (const std::string& part : parts) {
    EXPECT_NE(message.find(part), std::string_view::npos) << "no '" << part << "' in: " << message;
  }
}

template <typename Function>
void expect_error(halfulp::errc code, const std::vector<std::string>& parts, Function function) {
  try {
    function();
  } catch (const halfulp::error& error) {
    EXPECT_EQ(static_cast<int>(error.code()), static_cast<int>(code)) << error.what();
    expect_one_line(error.what(), parts);
    return;
  }
  std::string culprits;
  for (const std::string& part : parts) culprits += " " + part;
  ADD_FAILURE() << "no error about" << culprits;
}

}  // namespace oracle
