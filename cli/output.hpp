// Standard output, where a full disk or a closed pipe is an error.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace halfulp::cli {

// Both throw error(io). Nothing is surely written until flush_output() returns.
void write_output(std::string_view text);
void flush_output();

}  // namespace halfulp::cli
