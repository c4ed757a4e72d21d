// An order of computation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "onnx/graph.hpp"

namespace halfulp::onnx {

// Puts each node after those whose outputs it reads; else they stay in the order of the file. Names
// the writers of the values anew. Throws error(invalid_file) that names the nodes of a cycle.
void sort_nodes(graph& graph, const model_source& source);

}  // namespace halfulp::onnx
