// What can stand for the value of an option or a positional argument, for the completions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace halfulp::cli {

// Nothing at all where there is nothing to choose from.
struct value_choices {
  std::vector<std::string> words = {};
  std::vector<std::string> endings = {};  // of files, with their dots
  bool after_equals = false;              // NAME=VALUE
};

// By what the help calls the value and says about it.
value_choices choices_of(std::string_view value, std::string_view description);

}  // namespace halfulp::cli
