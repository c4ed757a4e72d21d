// Completions for shells: functions that give the text of a script.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "generate/help.hpp"

namespace halfulp::cli {

std::string make_bash_completion(const command_help& command);
std::string make_zsh_completion(const command_help& command);
std::string make_fish_completion(const command_help& command);

}  // namespace halfulp::cli
