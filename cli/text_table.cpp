// SPDX-License-Identifier: Apache-2.0
#include "text_table.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace halfulp::cli {

std::string format_table(const std::vector<table_row>& rows) {
  // A long cell pushes what follows it in its row, and not what is in all the others.
  constexpr std::size_t widest = 60;
  std::vector<std::size_t> widths;
  for (const table_row& row : rows) {
    widths.resize(row.size());
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], std::min(row[i].size(), widest));
    }
  }
  std::string text;
  for (const table_row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool is_last = i + 1 == row.size();
      text += is_last ? row[i] : fmt::format("{:<{}}  ", row[i], widths[i]);
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

}  // namespace halfulp::cli
