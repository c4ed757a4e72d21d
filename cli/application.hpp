// The command's words, options and help, before anything is parsed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

namespace halfulp::cli {

std::unique_ptr<CLI::App> make_application();

// The text of --help.
std::string help_of(const CLI::App& app);

}  // namespace halfulp::cli
