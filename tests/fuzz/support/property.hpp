// What a fuzz target demands of the library.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "base/error.hpp"

namespace halfulp::fuzz {

// Ends the program, which the fuzzer reports with the input.
[[noreturn]] inline void fail_property(std::string_view property, std::string_view detail = {}) {
  fmt::print(stderr, "violated: {}{}{}\n", property, detail.empty() ? "" : ": ", detail);
  std::abort();
}

inline void require(bool holds, std::string_view property, std::string_view detail = {}) {
  if (!holds) fail_property(property, detail);
}

template <typename T>
const T& require_value(const std::optional<T>& value, std::string_view property,
                       std::string_view detail = {}) {
  if (!value) fail_property(property, detail);
  return *value;
}

// An error as the library throws it: one line that names the file.
inline void require_message(const error& problem, std::string_view label) {
  const std::string_view message = problem.what();
  require(printable(message, message.size()) == message, "a message is one printable line",
          message);
  require(message.find(label) != std::string_view::npos, "a message names the file", message);
}

// What `action` returns; empty where it refuses its input by an error(invalid_file) about `label`.
// Any other exception ends the program: nothing catches it.
template <typename Action>
auto attempt(std::string_view label, const Action& action) -> std::optional<decltype(action())> {
  try {
    return action();
  } catch (const error& problem) {
    require_message(problem, label);
    require(problem.code() == errc::invalid_file, "only the content can be wrong", problem.what());
    return {};
  }
}

}  // namespace halfulp::fuzz
