// SPDX-License-Identifier: Apache-2.0
#include "onnx/graph.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "onnx/sort_nodes.hpp"

namespace halfulp::onnx {

namespace {

// Functions that call functions can make billions of nodes out of a small file. The names and the
// bytes that inlining looks at are counted, over all calls, as are the calls inside of each other.
constexpr std::size_t most_inlined_names = std::size_t{1} << 20;
constexpr std::size_t most_inlined_bytes = std::size_t{1} << 25;
constexpr std::size_t most_nested_calls = 100;

std::string label_of(const node_proto& node, std::uint32_t position, const scope* where);

std::string name_of(const function_proto& function) {
  return fmt::format("the function '{}'", printable(function.name));
}

// What a name stands for in the graph or in one call of a function.
struct entry {
  value_id id;
  bool is_written;              // by a node, or because it is an input or initializer
  std::string_view written_by;  // the name of the output's node, if it is one
};

using opset_map = std::map<std::string_view, std::int64_t>;  // by domain

struct frame {
  const scope* where = nullptr;
  const opset_map* opsets = nullptr;
  // Of a call: what references to attributes find.
  const std::vector<attribute>* given = nullptr;
  const function_proto* function = nullptr;
  bool is_repeated = false;  // the function was inlined before
  std::map<std::string_view, entry> names = {};
};

class graph_builder {
 public:
  graph_builder(const model_source& source, const model_proto& model)
      : source_(source), model_(model) {}

  graph build() {
    index_functions();
    frame top{.opsets = &opsets_of(model_.opset_imports, "the model")};
    add_inputs(top);
    add_initializers(top);
    add_nodes(top, model_.graph.nodes);
    declare_values(top);
    add_outputs(top);
    sort_nodes(result_, source_);
    return std::move(result_);
  }

 private:
  template <typename... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    fail(errc::invalid_file, "{}: {}", source_.label(),
         fmt::format(format, std::forward<Args>(args)...));
  }

  void index_functions();
  const opset_map& opsets_of(const std::vector<opset_import>& imports, const std::string& who);
  void add_inputs(frame& top);
  void add_initializers(frame& top);
  void add_outputs(frame& top);
  void declare_values(frame& top);
  void declare_value(frame& top, const value_info& info);
  value_id add_value(const frame& frame, std::string_view name);

  void add_nodes(frame& frame, const std::vector<node_proto>& nodes);
  void add_node_outputs(frame& frame, const node_proto& node, std::uint32_t position);
  node resolve(const frame& frame, const node_proto& proto, std::uint32_t position);
  std::vector<attribute> resolve_attributes(const frame& frame, const node& node);
  void emit(node node);
  void emit_identity(const frame& frame, value_id input, value_id output);
  void inline_call(const node& call, std::size_t index);
  std::int64_t opset_of(const frame& frame, const node& node) const;

  using function_key = std::tuple<std::string_view, std::string_view, std::string_view>;
  const model_source& source_;
  const model_proto& model_;
  graph result_;
  std::map<function_key, std::size_t> functions_;
  std::map<const std::vector<opset_import>*, opset_map> opsets_;
  std::vector<std::size_t> active_calls_;  // the functions that are being inlined
  std::size_t inlined_names_ = 0;
  std::size_t inlined_bytes_ = 0;
  std::vector<bool> was_inlined_;  // of each function
};

void graph_builder::index_functions() {
  was_inlined_.resize(model_.functions.size());
  for (std::size_t i = 0; i < model_.functions.size(); ++i) {
    const function_proto& function = model_.functions[i];
    if (!functions_.try_emplace({function.domain, function.name, function.overload}, i).second) {
      refuse("has the function '{}' twice", printable(function.name));
    }
  }
}

// Each list is checked once, however often its function is called.
const opset_map& graph_builder::opsets_of(const std::vector<opset_import>& imports,
                                          const std::string& who) {
  const auto [known, is_first] = opsets_.try_emplace(&imports);
  opset_map& seen = known->second;
  if (!is_first) return seen;
  for (const opset_import& import : imports) {
    if (import.domain.empty() && (import.version < 1 || import.version > newest_opset)) {
      refuse("{} imports opset {} of ONNX; known are 1 to {}", who, import.version, newest_opset);
    }
    const auto [place, is_new] = seen.try_emplace(import.domain, import.version);
    if (!is_new && place->second != import.version) {
      refuse("{} imports the opsets {} and {} of domain '{}'", who, place->second, import.version,
             printable(import.domain));
    }
  }
  return seen;
}

value_id graph_builder::add_value(const frame& frame, std::string_view name) {
  value& added = result_.values.emplace_back();
  added.name = name;
  added.where = frame.where;
  return static_cast<value_id>(result_.values.size() - 1);
}

void graph_builder::add_inputs(frame& top) {
  for (const value_info& info : model_.graph.inputs) {
    const value_id id = add_value(top, info.name);
    if (!top.names.try_emplace(info.name, entry{id, true, {}}).second) {
      refuse("has the input '{}' twice", printable(info.name));
    }
    result_.values[id].is_input = true;
    result_.values[id].declared = {&info};
    result_.inputs.push_back(id);
  }
}

// An initializer with the name of an input is what the input is where nothing is fed.
void graph_builder::add_initializers(frame& top) {
  const auto add = [&](std::string_view name) -> value& {
    const auto [place, is_new] = top.names.try_emplace(name, entry{none, true, {}});
    if (is_new) place->second.id = add_value(top, name);
    value& added = result_.values[place->second.id];
    if (added.is_sparse || added.initializer != none) {
      refuse("has the initializer '{}' twice", printable(name));
    }
    return added;
  };
  for (std::size_t i = 0; i < model_.graph.initializers.size(); ++i) {
    add(model_.graph.initializers[i].name).initializer = static_cast<std::uint32_t>(i);
  }
  for (const std::string_view name : model_.graph.sparse_initializers) add(name).is_sparse = true;
}

void graph_builder::declare_value(frame& top, const value_info& info) {
  const auto found = top.names.find(info.name);
  // What is said of a name that nothing has is of no use, and does no harm.
  if (found == top.names.end()) return;
  if (!info.type && info.stored_type.empty() && !info.shape) return;
  result_.values[found->second.id].declared.push_back(&info);
}

// The types and shapes that the graph states, of inner tensors and of outputs.
void graph_builder::declare_values(frame& top) {
  for (const value_info& info : model_.graph.values) declare_value(top, info);
  for (const value_info& info : model_.graph.outputs) declare_value(top, info);
}

void graph_builder::add_outputs(frame& top) {
  if (model_.graph.outputs.empty()) refuse("has no output");
  std::set<std::string_view> seen;
  for (const value_info& info : model_.graph.outputs) {
    const auto found = top.names.find(info.name);
    if (found == top.names.end()) {
      refuse("nothing writes the output '{}'", printable(info.name));
    }
    if (!seen.insert(info.name).second) {
      refuse("has the output '{}' twice", printable(info.name));
    }
    result_.outputs.push_back(found->second.id);
  }
}

// The nodes of the graph or of a function, and those of the functions they call. Outputs come
// first, since a node may stand before the one whose output it reads.
void graph_builder::add_nodes(frame& frame, const std::vector<node_proto>& nodes) {
  for (std::uint32_t i = 0; i < nodes.size(); ++i) add_node_outputs(frame, nodes[i], i);
  if (frame.function != nullptr) {
    for (const std::string_view name : frame.function->outputs) {
      if (frame.names.at(name).is_written) continue;
      refuse("no node of the function '{}' writes its output '{}'", printable(frame.function->name),
             printable(name));
    }
  }
  for (std::uint32_t i = 0; i < nodes.size(); ++i) {
    node resolved = resolve(frame, nodes[i], i);
    const auto function = functions_.find({nodes[i].domain, nodes[i].op_type, nodes[i].overload});
    if (function != functions_.end()) {
      inline_call(resolved, function->second);
    } else {
      resolved.opset = opset_of(frame, resolved);
      emit(std::move(resolved));
    }
  }
}

void graph_builder::add_node_outputs(frame& frame, const node_proto& node, std::uint32_t position) {
  for (const std::string_view name : node.outputs) {
    if (name.empty()) continue;
    const auto [place, is_new] = frame.names.try_emplace(name, entry{none, false, {}});
    entry& written = place->second;
    if (written.is_written) {
      refuse("{} writes the tensor '{}', which is {} already",
             label_of(node, position, frame.where), printable(name),
             written.written_by.empty()
                 ? "an input, an initializer or written by another node"
                 : fmt::format("written by node '{}'", printable(written.written_by)));
    }
    if (is_new) written.id = add_value(frame, name);
    written.is_written = true;
    written.written_by = node.name;
  }
}

node graph_builder::resolve(const frame& frame, const node_proto& proto, std::uint32_t position) {
  node result;
  result.proto = &proto;
  result.where = frame.where;
  result.position = position;
  for (const std::string_view name : proto.inputs) {
    if (name.empty()) {
      result.inputs.push_back(none);
      continue;
    }
    const auto found = frame.names.find(name);
    if (found == frame.names.end()) {
      refuse("{} reads the tensor '{}', which nothing writes", label_of(result), printable(name));
    }
    result.inputs.push_back(found->second.id);
  }
  while (!result.inputs.empty() && result.inputs.back() == none) result.inputs.pop_back();
  for (const std::string_view name : proto.outputs) {
    result.outputs.push_back(name.empty() ? none : frame.names.at(name).id);
  }
  while (!result.outputs.empty() && result.outputs.back() == none) result.outputs.pop_back();
  result.attributes = resolve_attributes(frame, result);
  if (frame.function != nullptr) {
    if (frame.is_repeated) inlined_bytes_ += proto.weight;
    if (inlined_bytes_ > most_inlined_bytes) {
      refuse(
          "{}: functions repeat more than {} bytes of nodes and attributes, the most that are "
          "allowed",
          label_of(result), most_inlined_bytes);
    }
  }
  return result;
}

// A reference takes the value that the caller gives, or else the function's default; without
// either the attribute is absent.
std::vector<attribute> graph_builder::resolve_attributes(const frame& frame, const node& node) {
  std::vector<attribute> result;
  for (const attribute_proto& proto : node.proto->attributes) {
    if (std::any_of(result.begin(), result.end(),
                    [&](const attribute& other) { return other.name == proto.name; })) {
      refuse("{} has the attribute {} twice", label_of(node), printable(proto.name));
    }
    if (proto.reference.empty()) {
      result.push_back({proto.name, proto.message, proto.weight});
      continue;
    }
    if (frame.function == nullptr) {
      refuse("{} has the attribute {} refer to '{}', but is in no function", label_of(node),
             printable(proto.name), printable(proto.reference));
    }
    const auto has_name = [&](const auto& other) { return other.name == proto.reference; };
    const auto given = std::find_if(frame.given->begin(), frame.given->end(), has_name);
    if (given != frame.given->end()) {
      result.push_back({proto.name, given->message, given->weight});
      inlined_bytes_ += given->weight;
      continue;
    }
    const auto& defaults = frame.function->defaults;
    const auto standard = std::find_if(defaults.begin(), defaults.end(), has_name);
    if (standard != defaults.end()) {
      result.push_back({proto.name, standard->message, standard->weight});
      inlined_bytes_ += standard->weight;
      continue;
    }
    const auto& names = frame.function->attributes;
    if (std::find(names.begin(), names.end(), proto.reference) == names.end()) {
      refuse("{} has the attribute {} refer to '{}', which the function '{}' does not have",
             label_of(node), printable(proto.name), printable(proto.reference),
             printable(frame.function->name));
    }
  }
  return result;
}

std::int64_t graph_builder::opset_of(const frame& frame, const node& node) const {
  const auto found = frame.opsets->find(node.proto->domain);
  if (found != frame.opsets->end()) return found->second;
  if (!node.proto->domain.empty()) return 0;
  refuse("{}: {} imports no opset of ONNX", label_of(node),
         frame.function == nullptr ? "the model" : name_of(*frame.function));
}

void graph_builder::emit(node node) {
  for (const value_id id : node.outputs) {
    if (id != none) result_.values[id].writer = static_cast<node_id>(result_.nodes.size());
  }
  result_.nodes.push_back(std::move(node));
}

// The output of a function that is one of its inputs.
void graph_builder::emit_identity(const frame& frame, value_id input, value_id output) {
  static const node_proto identity = [] {
    node_proto proto;
    proto.op_type = "Identity";
    return proto;
  }();
  node passing;
  passing.proto = &identity;
  passing.where = frame.where;
  passing.opset = newest_opset;
  passing.inputs.push_back(input);
  passing.outputs.push_back(output);
  emit(std::move(passing));
}

void graph_builder::inline_call(const node& call, std::size_t index) {
  const function_proto& function = model_.functions[index];
  if (std::find(active_calls_.begin(), active_calls_.end(), index) != active_calls_.end()) {
    refuse("{}: the function '{}' calls itself", label_of(call), printable(function.name));
  }
  if (active_calls_.size() == most_nested_calls) {
    refuse("{}: functions are nested more than {} deep, the most that are allowed", label_of(call),
           most_nested_calls);
  }
  if (call.inputs.size() > function.inputs.size() ||
      call.outputs.size() > function.outputs.size()) {
    refuse("{}: gives {} inputs and {} outputs to the function '{}', which has {} and {}",
           label_of(call), call.inputs.size(), call.outputs.size(), printable(function.name),
           function.inputs.size(), function.outputs.size());
  }
  for (const attribute& given : call.attributes) {
    const auto has_name = [&](const auto& other) { return other.name == given.name; };
    if (std::find(function.attributes.begin(), function.attributes.end(), given.name) ==
            function.attributes.end() &&
        std::none_of(function.defaults.begin(), function.defaults.end(), has_name)) {
      refuse("{}: the function '{}' has no attribute '{}'", label_of(call),
             printable(function.name), printable(given.name));
    }
  }
  // What is inlined once takes what it takes in the file.
  const bool is_repeated = was_inlined_[index];
  was_inlined_[index] = true;
  if (is_repeated) {
    inlined_names_ += 1 + function.inputs.size() + function.outputs.size();
    for (const node_proto& node : function.nodes) {
      inlined_names_ += 1 + node.inputs.size() + node.outputs.size() + node.attributes.size();
    }
  }
  if (inlined_names_ > most_inlined_names) {
    refuse("{}: functions make more than {} nodes and names, the most that are allowed",
           label_of(call), most_inlined_names);
  }

  result_.scopes.push_back(std::make_unique<scope>(scope{call.where, call.proto, call.position}));
  frame inner{.where = result_.scopes.back().get(),
              .opsets = &opsets_of(function.opset_imports, name_of(function)),
              .given = &call.attributes,
              .function = &function,
              .is_repeated = is_repeated};
  const auto add = [&](std::string_view name, value_id id, bool is_written) {
    if (name.empty() || !inner.names.try_emplace(name, entry{id, is_written, {}}).second) {
      refuse("the function '{}' has the input or output '{}' twice or without a name",
             printable(function.name), printable(name));
    }
  };
  for (std::size_t i = 0; i < function.inputs.size(); ++i) {
    add(function.inputs[i], i < call.inputs.size() ? call.inputs[i] : none, true);
  }
  for (std::size_t i = 0; i < function.outputs.size(); ++i) {
    value_id id = i < call.outputs.size() ? call.outputs[i] : none;
    const auto passed = inner.names.find(function.outputs[i]);
    if (passed != inner.names.end() && passed->second.is_written) {
      if (id == none) continue;
      if (passed->second.id == none) {
        refuse("{}: its output '{}' is an input of the function '{}', which is left out",
               label_of(call), printable(function.outputs[i]), printable(function.name));
      }
      emit_identity(inner, passed->second.id, id);
      continue;
    }
    if (id == none) id = add_value(inner, function.outputs[i]);
    add(function.outputs[i], id, false);
  }
  active_calls_.push_back(index);
  add_nodes(inner, function.nodes);
  active_calls_.pop_back();
}

// What stands for the name of a node that has none.
std::string number_of(std::uint32_t position) { return fmt::format("#{}", position + 1); }

std::string path_of(const scope* where) {
  std::string path;
  for (; where != nullptr; where = where->parent) {
    const std::string_view name = where->call->name;
    path.insert(0, (name.empty() ? number_of(where->position) : printable(name)) + '/');
  }
  return path;
}

std::string path_of(const scope* where, std::string_view name) {
  return where == nullptr ? std::string(name) : path_of(where) + printable(name);
}

// "node 'norm'", as it stands in its graph or function.
std::string label_of(const node_proto& node, std::uint32_t position, const scope* where) {
  if (!node.name.empty()) {
    return fmt::format("node '{}{}'", path_of(where), printable(node.name));
  }
  return fmt::format("node {}{} ({})", path_of(where), number_of(position),
                     printable(node.op_type));
}

}  // namespace

graph build_graph(const model_source& source, const model_proto& model) {
  return graph_builder(source, model).build();
}

std::string path_of(const value& value) { return path_of(value.where, value.name); }

std::string path_of(const node& node) {
  if (node.where == nullptr || !node.proto->name.empty()) {
    return path_of(node.where, node.proto->name);
  }
  return path_of(node.where) + number_of(node.position);
}

std::string label_of(const node& node) { return label_of(*node.proto, node.position, node.where); }

}  // namespace halfulp::onnx
