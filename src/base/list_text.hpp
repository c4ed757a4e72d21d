// Lists in messages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

namespace halfulp {

// "a, b, c": what text_of() makes of the items, and ", ..." in place of all beyond the first
// `most`.
template <typename Items, typename Text>
std::string list_first(const Items& items, std::size_t most, const Text& text_of) {
  std::string list;
  for (std::size_t i = 0; i < std::min(items.size(), most); ++i) {
    if (i != 0) list += ", ";
    list += text_of(items[i]);
  }
  return items.size() > most ? list + ", ..." : list;
}

}  // namespace halfulp
