// SPDX-License-Identifier: Apache-2.0
#include "onnx/sort_nodes.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/list_text.hpp"

namespace halfulp::onnx {

namespace {

// Calls visit(writer) for each input of the node that a node writes.
template <typename Visit>
void for_each_writer(const graph& graph, const node& node, Visit visit) {
  for (const value_id id : node.inputs) {
    if (id != none && graph.values[id].writer != none) visit(graph.values[id].writer);
  }
}

// Every node that is left waits for another one that is left, so a walk from writer to writer
// comes back to where it was.
[[noreturn]] void fail_cycle(const graph& graph, const std::vector<std::size_t>& waits_for,
                             const model_source& source) {
  const auto first_left =
      std::find_if(waits_for.begin(), waits_for.end(), [](std::size_t n) { return n != 0; });
  auto at = static_cast<node_id>(first_left - waits_for.begin());
  std::vector<node_id> walk;
  std::vector<bool> was_seen(graph.nodes.size());
  while (!was_seen[at]) {
    was_seen[at] = true;
    walk.push_back(at);
    for_each_writer(graph, graph.nodes[at], [&](node_id writer) {
      if (waits_for[writer] != 0) at = writer;
    });
  }
  walk.erase(walk.begin(), std::find(walk.begin(), walk.end(), at));
  const std::string list =
      list_first(walk, 5, [&](node_id id) { return label_of(graph.nodes[id]); });
  fail(errc::invalid_file, "{}: has a cycle: {} {} what depends on {} output", source.label(), list,
       walk.size() == 1 ? "reads" : "read", walk.size() == 1 ? "its own" : "their own");
}

}  // namespace

void sort_nodes(graph& graph, const model_source& source) {
  const std::size_t count = graph.nodes.size();
  std::vector<std::size_t> waits_for(count);  // inputs whose writers have not had their turn
  std::vector<std::vector<node_id>> readers(count);
  for (node_id id = 0; id < count; ++id) {
    for_each_writer(graph, graph.nodes[id], [&](node_id writer) {
      ++waits_for[id];
      readers[writer].push_back(id);
    });
  }
  std::priority_queue<node_id, std::vector<node_id>, std::greater<>> ready;
  for (node_id id = 0; id < count; ++id) {
    if (waits_for[id] == 0) ready.push(id);
  }
  std::vector<node_id> order;
  order.reserve(count);
  while (!ready.empty()) {
    const node_id id = ready.top();
    ready.pop();
    order.push_back(id);
    for (const node_id reader : readers[id]) {
      if (--waits_for[reader] == 0) ready.push(reader);
    }
  }
  if (order.size() != count) fail_cycle(graph, waits_for, source);
  std::vector<node_id> new_id(count);
  std::vector<node> sorted;
  sorted.reserve(count);
  for (const node_id id : order) {
    new_id[id] = static_cast<node_id>(sorted.size());
    sorted.push_back(std::move(graph.nodes[id]));
  }
  graph.nodes = std::move(sorted);
  for (value& value : graph.values) {
    if (value.writer != none) value.writer = new_id[value.writer];
  }
}

}  // namespace halfulp::onnx
