// What a model holds, whether or not it can be computed.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "halfulp/onnx.hpp"
#include "onnx/infer.hpp"
#include "onnx/program.hpp"

namespace halfulp::onnx {

namespace {

// Inlining repeats names and symbols, which take little in the file and a lot written out.
constexpr std::size_t most_shown_bytes = std::size_t{1} << 25;

std::size_t text_size(const value_info& value) {
  std::size_t size = value.name.size() + value.stored_type.size();
  if (value.shape) {
    for (const dimension& dimension : *value.shape) size += dimension.symbol.size();
  }
  return size;
}

std::size_t text_size(const node_info& node) {
  std::size_t size = node.name.size() + node.domain.size() + node.op_type.size();
  for (const std::string& input : node.inputs) size += input.size();
  for (const value_info& output : node.outputs) size += text_size(output);
  for (const std::string& attribute : node.attributes) size += attribute.size();
  return size;
}

class inspector {
 public:
  inspector(const parsed_model& model, const std::string& path) : model_(model), external_(path) {}

  model_info inspect() {
    const model_proto& proto = model_.proto;
    model_info info;
    info.ir_version = proto.ir_version;
    info.producer = proto.producer_name;
    if (!info.producer.empty() && !proto.producer_version.empty()) info.producer += ' ';
    info.producer += proto.producer_version;
    info.graph = proto.graph.name;
    info.opset_imports = proto.opset_imports;
    info.inputs = proto.graph.inputs;
    known_.resize(model_.graph.values.size());
    is_known_.resize(model_.graph.values.size());
    add_initializers(info);
    for (value_id id = 0; id < known_.size(); ++id) know_start(id);
    for (const node& node : model_.graph.nodes) {
      info.nodes.push_back(inspect_node(node));
      shown_bytes_ += text_size(info.nodes.back());
      if (shown_bytes_ > most_shown_bytes) {
        fail(errc::invalid_file,
             "{}: the names and symbols of its nodes have more than {} bytes written out, the most "
             "that are shown",
             model_.source.label(), most_shown_bytes);
      }
    }
    for (const value_id id : model_.graph.outputs) info.outputs.push_back(info_of(id));
    return info;
  }

 private:
  std::string label_of(const tensor_message& tensor) const {
    return fmt::format("{}: initializer '{}'", model_.source.label(), printable(tensor.name));
  }
  void add_initializers(model_info& info);
  void know_start(value_id id);
  node_info inspect_node(const node& node);
  void infer(const node& node, const supported_operator& row);
  value_info info_of(value_id id) const;

  const parsed_model& model_;
  external_data external_;
  std::vector<initializer> initializers_;
  // Constants have their elements in their operation.
  std::vector<std::unique_ptr<operation>> operations_;
  std::vector<fact> known_;
  std::vector<bool> is_known_;  // else the type is not known, or none of ours
  symbol_table symbols_;
  axis_counter axes_;
  std::size_t shown_bytes_ = 0;
};

void inspector::add_initializers(model_info& info) {
  for (const tensor_message& tensor : model_.proto.graph.initializers) {
    initializers_.push_back(
        load_initializer(tensor.message, label_of(tensor), external_, external_elements::ignore));
    info.initializers.push_back(initializers_.back().info);
    axes_.add(known_value(info.initializers.back().value.shape).size(), model_.source.label());
  }
  for (const std::string_view name : model_.proto.graph.sparse_initializers) {
    info.initializers.emplace_back().value = {
        .name = std::string(name), .type = {}, .stored_type = "sparse tensor", .shape = {}};
  }
}

// What is known of a value before the nodes are looked at: what the model states, or an
// initializer that nothing else can take the place of.
void inspector::know_start(value_id id) {
  const value& value = model_.graph.values[id];
  if (!value.is_input && value.initializer != none) {
    const std::optional<fact>& loaded = initializers_[value.initializer].known;
    is_known_[id] = loaded.has_value();
    if (loaded) known_[id] = *loaded;
    return;
  }
  for (const value_info* declared : value.declared) {
    if (!declared->type || is_known_[id]) continue;
    is_known_[id] = true;
    known_[id].type = *declared->type;
    if (declared->shape) known_[id].shape = to_axes(*declared->shape);
    axes_.add(known_[id], model_.source.label());
  }
}

// Infers the output of a node, unless a type is not known or none of ours.
void inspector::infer(const node& node, const supported_operator& row) {
  if (std::any_of(node.inputs.begin(), node.inputs.end(),
                  [&](value_id id) { return id != none && !is_known_[id]; })) {
    return;
  }
  const std::string& label = model_.source.label();
  try {
    operations_.push_back(name_node(node, label, [&] {
      return make_operation(row, node, model_.source, external_, external_elements::ignore);
    }));
    const value_id output = node.outputs.front();
    known_[output] = infer_node(model_.graph, node, *operations_.back(), known_, symbols_, label);
    axes_.add(known_[output], label);
    is_known_[output] = true;
  } catch (const error& problem) {
    // Such a node can be shown, if not run.
    if (problem.code() != errc::unsupported_type) throw;
  }
}

node_info inspector::inspect_node(const node& node) {
  node_info info;
  info.name = path_of(node);
  info.domain = node.proto->domain;
  info.op_type = node.proto->op_type;
  const supported_operator* row = find_operator(node.proto->domain, node.proto->op_type);
  info.supported = row != nullptr;
  info.version = row != nullptr ? row->version(row->name, node.opset) : node.opset;
  if (row != nullptr) infer(node, *row);
  for (const value_id id : node.inputs) {
    info.inputs.push_back(id == none ? std::string() : path_of(model_.graph.values[id]));
  }
  for (const value_id id : node.outputs) {
    info.outputs.push_back(id == none ? value_info{} : info_of(id));
  }
  for (const attribute& attribute : node.attributes) {
    info.attributes.push_back(
        name_node(node, model_.source.label(), [&] { return describe(model_.source, attribute); }));
  }
  return info;
}

value_info inspector::info_of(value_id id) const {
  const value& value = model_.graph.values[id];
  if (is_known_[id]) return onnx::info_of(value, known_[id]);
  value_info info;
  if (!value.declared.empty()) info = *value.declared.front();
  info.name = path_of(value);
  return info;
}

}  // namespace

model_info inspect(const std::string& path) {
  return name_memory(path, [&] { return inspector(*read_file(path), path).inspect(); });
}

}  // namespace halfulp::onnx
