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

// `text` fit to be quoted in a one-line message: UTF-8 as it is; controls, whatever else would
// change how the rest of the line looks, and bytes that are no UTF-8 as \xNN. What has more than
// `limit` characters is cut with "...". Names out of files are hostile until they have passed
// through here.
std::string printable(std::string_view text, std::size_t limit = 80);

}  // namespace halfulp
