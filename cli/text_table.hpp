// Rows of text in columns.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace halfulp::cli {

using table_row = std::vector<std::string>;  // the cells; all rows have as many

// A line for each row, its cells aligned to the left, but for very long ones, with two spaces
// between columns.
std::string format_table(const std::vector<table_row>& rows);

}  // namespace halfulp::cli
