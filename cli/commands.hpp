// The words of the command line. Each function adds one to `app`, with its options and help; the
// word runs from CLI11's callback once the whole line has been parsed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace halfulp::cli {

// What --threads is, wherever it is.
inline constexpr const char* threads_text =
    "Use at most N threads (default: HALFULP_NUM_THREADS, else the processors)";

void add_op(CLI::App& app);
void add_describe(CLI::App& app);
void add_inspect(CLI::App& app);
void add_run(CLI::App& app);

}  // namespace halfulp::cli
