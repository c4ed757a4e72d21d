// SPDX-License-Identifier: Apache-2.0
#include "onnx/infer.hpp"

namespace halfulp::onnx {

void symbol_table::bind(std::string_view symbol, std::int64_t extent, const std::string& where,
                        std::string_view label) {
  const auto [place, is_new] = bindings_.try_emplace(std::string(symbol), binding{extent, where});
  if (is_new || place->second.extent == extent) return;
  fail(errc::invalid_shape, "{}: the symbolic dimension '{}' is {} in '{}' and {} in '{}'", label,
       printable(symbol), place->second.extent, printable(place->second.where), extent,
       printable(where));
}

void axis_counter::add(std::size_t axes, std::string_view label) {
  constexpr std::size_t most = std::size_t{1} << 21;
  count_ += axes;
  if (count_ <= most) return;
  fail(errc::invalid_file,
       "{}: its tensors have more than {} axes in all, the most that are allowed", label, most);
}

namespace {

fact merge_one(const value_info& declared, fact found, const value& tensor, symbol_table& symbols,
               std::string_view label) {
  const bool states_type = declared.type || !declared.stored_type.empty();
  if (states_type && declared.type != found.type) {
    fail(errc::unsupported_type, "{}: '{}' has type {}; the model states {}", label,
         printable(path_of(tensor)), name_of(found.type),
         declared.type ? name_of(*declared.type) : std::string_view(declared.stored_type));
  }
  if (!declared.shape) return found;
  const std::vector<axis> stated = to_axes(*declared.shape);
  if (!found.shape) {
    found.shape = stated;
    return found;
  }
  bool fits = found.shape->size() == stated.size();
  for (std::size_t i = 0; fits && i < stated.size(); ++i) {
    axis& axis = (*found.shape)[i];
    if (!axis.extent && (stated[i].extent || axis.symbol.empty())) axis = stated[i];
    if (stated[i].extent) fits = axis.extent == stated[i].extent;
  }
  if (!fits) {
    fail(errc::invalid_shape, "{}: '{}' has shape {}; the model states {}", label,
         printable(path_of(tensor)), format_shape(found.shape), format_shape(stated));
  }
  for (std::size_t i = 0; i < stated.size(); ++i) {
    const std::optional<std::int64_t>& extent = (*found.shape)[i].extent;
    if (stated[i].symbol.empty() || !extent) continue;
    symbols.bind(stated[i].symbol, *extent, path_of(tensor), label);
  }
  return found;
}

}  // namespace

fact merge(const value& tensor, fact found, symbol_table& symbols, std::string_view label) {
  for (const value_info* declared : tensor.declared) {
    found = merge_one(*declared, std::move(found), tensor, symbols, label);
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
  return merge(output, std::move(found), symbols, label);
}

}  // namespace halfulp::onnx
