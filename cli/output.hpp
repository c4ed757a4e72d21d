// Standard output, where a full disk or a closed pipe is an error, and the escaping of text that
// comes out of files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace halfulp::cli {

// Both throw error(io). Nothing is surely written until flush_output() returns.
void write_output(std::string_view text);
void flush_output();

// `text` on one line: control characters become \xNN, everything else stays.
std::string one_line(std::string_view text);

}  // namespace halfulp::cli
