// How a result was computed, as the command prints it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "halfulp/halfulp.hpp"

namespace halfulp::cli {

// Whole lines.
std::string explain_text(const plan_description& plan, const run_statistics& run);

// `"explain":{...}`
std::string explain_json(const plan_description& plan, const run_statistics& run);

}  // namespace halfulp::cli
