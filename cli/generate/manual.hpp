// The manual page, halfulp.1.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "generate/help.hpp"

namespace halfulp::cli {

std::string make_manual(const command_help& command, std::string_view version);

}  // namespace halfulp::cli
