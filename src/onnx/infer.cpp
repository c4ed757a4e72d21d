// SPDX-License-Identifier: Apache-2.0
#include "onnx/infer.hpp"

namespace halfulp::onnx {

void symbol_table::bind(const std::string& symbol, std::int64_t extent, const std::string& where,
                        std::string_view label) {
  const auto [place, is_new] = bindings_.try_emplace(symbol, binding{extent, where});
  if (is_new || place->second.extent == extent) return;
  fail(errc::invalid_shape, "{}: the symbolic dimension '{}' is {} in '{}' and {} in '{}'", label,
       printable(symbol), place->second.extent, printable(place->second.where), extent,
       printable(where));
}

fact merge(const value_info& declared, fact found, const std::string& tensor, symbol_table& symbols,
           std::string_view label) {
  const bool states_type = declared.type || !declared.stored_type.empty();
  if (states_type && declared.type != found.type) {
    fail(errc::unsupported_type, "{}: '{}' has type {}; the model states {}", label,
         printable(tensor), name_of(found.type),
         declared.type ? name_of(*declared.type) : std::string_view(declared.stored_type));
  }
  if (!declared.shape) return found;
  if (!found.shape) {
    found.shape = declared.shape;
    return found;
  }
  bool fits = found.shape->size() == declared.shape->size();
  for (std::size_t i = 0; fits && i < declared.shape->size(); ++i) {
    const dimension& stated = (*declared.shape)[i];
    dimension& axis = (*found.shape)[i];
    if (!axis.extent && (stated.extent || axis.symbol.empty())) axis = stated;
    if (stated.extent) fits = axis.extent == stated.extent;
  }
  if (!fits) {
    fail(errc::invalid_shape, "{}: '{}' has shape {}; the model states {}", label,
         printable(tensor), format_shape(found.shape), format_shape(declared.shape));
  }
  for (std::size_t i = 0; i < declared.shape->size(); ++i) {
    const std::string& symbol = (*declared.shape)[i].symbol;
    const std::optional<std::int64_t>& extent = (*found.shape)[i].extent;
    if (!symbol.empty() && extent) symbols.bind(symbol, *extent, tensor, label);
  }
  return found;
}

std::vector<const fact*> inputs_of(const node& node, const std::vector<fact>& known) {
  std::vector<const fact*> inputs;
  inputs.reserve(node.inputs.size());
  for (const value_id id : node.inputs) inputs.push_back(id == none ? nullptr : &known[id]);
  return inputs;
}

fact infer_node(const graph& graph, const node& node, const operation& operation,
                const std::vector<fact>& known, symbol_table& symbols, std::string_view label) {
  const value& output = graph.values[node.outputs.front()];
  fact found = name_node(node, label, [&] { return operation.infer(inputs_of(node, known)); });
  if (output.declared == nullptr) return found;
  return merge(*output.declared, std::move(found), path_of(output), symbols, label);
}

}  // namespace halfulp::onnx
