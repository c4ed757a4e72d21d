// One-line errors.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>

#include "halfulp/types.hpp"

namespace halfulp {

// Throws error(code) with the formatted message.
template <typename... Args>
[[noreturn]] void fail(errc code, fmt::format_string<Args...> format, Args&&... args) {
  throw error(code, fmt::format(format, std::forward<Args>(args)...));
}

// `text` fit to be quoted in a one-line message: control characters and bytes that are not ASCII
// become \xNN, and what is longer than `limit` is cut with "...". Names out of files are hostile
// until they have passed through here.
std::string printable(std::string_view text, std::size_t limit = 80);

}  // namespace halfulp
