// Small models, at least one for each structure that the model reader knows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace halfulp::fuzz {

struct model_seed {
  std::string name;
  std::string content;
  bool runs = true;  // else it can only be inspected
};

std::vector<model_seed> model_seeds();

// The file that external data of these models is in, beside the model.
inline constexpr const char* external_file = "weights.bin";

}  // namespace halfulp::fuzz
