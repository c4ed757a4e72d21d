// SPDX-License-Identifier: Apache-2.0
#include "onnx/program.hpp"

#include <cstring>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "io/input_file.hpp"
#include "io/wire.hpp"
#include "onnx/infer.hpp"
#include "onnx/read_model.hpp"
#include "schema/table.hpp"

namespace halfulp::onnx {

namespace {

std::unique_ptr<const parsed_model> parse(buffer content, std::size_t size, std::string label) {
  const byte_span all(content.get(), size);
  model_source source(all, std::move(label));
  model_proto proto = read_model(source);
  // The graph points into the messages, which must have their place before it is made.
  auto model = std::make_unique<parsed_model>(
      parsed_model{std::move(content), std::move(source), std::move(proto), {}});
  model->graph = build_graph(model->source, model->proto);
  return model;
}

// Where the operator is not supported, the opset imported for its domain stands for its version.
std::string describe_unsupported(const node& node) {
  const node_proto& proto = *node.proto;
  return fmt::format("{}{}{} of opset {}", printable(proto.domain), proto.domain.empty() ? "" : ".",
                     printable(proto.op_type), node.opset);
}

// The nodes that share an unsupported operator: how many, and the first of them by name.
struct unsupported_nodes {
  std::size_t count = 0;
  std::string list = {};
};

// "Relu of opset 18 (node 'a', node 'b'), Gemm of opset 18 (node 'c')".
void refuse_unsupported(const graph& graph, const std::string& label) {
  constexpr std::size_t most_nodes = 100;       // that are listed of each operator
  constexpr std::size_t most_operators = 1000;  // that are listed
  std::map<std::string, unsupported_nodes> by_operator;
  std::size_t count = 0;
  for (const node& node : graph.nodes) {
    if (find_operator(node.proto->domain, node.proto->op_type) != nullptr) continue;
    ++count;
    unsupported_nodes& nodes = by_operator[describe_unsupported(node)];
    if (++nodes.count > most_nodes) continue;
    nodes.list += fmt::format("{}{}", nodes.list.empty() ? "" : ", ", label_of(node));
  }
  if (count == 0) return;
  std::string text;
  std::size_t listed = 0;
  for (const auto& [op, nodes] : by_operator) {
    if (listed++ == most_operators) break;
    text += fmt::format("{}{} ({}", text.empty() ? "" : ", ", op, nodes.list);
    if (nodes.count > most_nodes) text += fmt::format(" and {} more", nodes.count - most_nodes);
    text += ')';
  }
  if (by_operator.size() > most_operators) {
    text += fmt::format(" and {} more operators", by_operator.size() - most_operators);
  }
  std::string supported;
  for (const supported_operator& row : operators()) {
    supported += fmt::format("{}{}", supported.empty() ? "" : ", ", row.name);
  }
  fail(errc::invalid_file,
       "{}: {} of {} nodes have operators that are not supported: {}; supported are {}", label,
       count, graph.nodes.size(), text, supported);
}

std::vector<std::unique_ptr<operation>> make_operations(const parsed_model& model,
                                                        external_data& external) {
  std::vector<std::unique_ptr<operation>> operations;
  operations.reserve(model.graph.nodes.size());
  for (const node& node : model.graph.nodes) {
    operations.push_back(name_node(node, model.source.label(), [&] {
      return make_operation(*find_operator(node.proto->domain, node.proto->op_type), node,
                            model.source, external, external_elements::read);
    }));
  }
  return operations;
}

std::vector<bool> find_read_values(const graph& graph) {
  std::vector<bool> is_read(graph.values.size());
  for (const node& node : graph.nodes) {
    for (const value_id id : node.inputs) {
      if (id != none) is_read[id] = true;
    }
  }
  for (const value_id id : graph.outputs) is_read[id] = true;
  return is_read;
}

// The external data of an initializer that nothing reads is checked, but not read.
void load_initializers(program& program, const std::vector<bool>& is_read, external_data& external,
                       axis_counter& axes) {
  const graph_proto& proto = program.model->proto.graph;
  const graph& graph = program.graph();
  std::vector<bool> is_wanted(proto.initializers.size());
  for (value_id id = 0; id < graph.values.size(); ++id) {
    if (graph.values[id].is_sparse) {
      fail(errc::invalid_file, "{}: initializer '{}' is sparse, which is not supported",
           program.label(), printable(graph.values[id].name));
    }
    if (graph.values[id].initializer != none) {
      is_wanted[graph.values[id].initializer] = is_read[id];
    }
  }
  for (std::size_t i = 0; i < proto.initializers.size(); ++i) {
    const std::string label =
        fmt::format("{}: initializer '{}'", program.label(), printable(proto.initializers[i].name));
    program.initializers.push_back(
        load_initializer(proto.initializers[i].message, label, external,
                         is_wanted[i] ? external_elements::read : external_elements::check));
    const initializer& loaded = program.initializers.back();
    axes.add(known_value(loaded.info.value.shape).size(), program.label());
    if (loaded.decoded) program.bytes += loaded.info.bytes;
  }
  program.bytes += program.model->source.content().size() + external.bytes_read();
}

[[noreturn]] void fail_type(const program& program, std::string_view what, const value& value,
                            std::string_view type) {
  fail(errc::unsupported_type, "{}: {} '{}' has {}{}; supported are {}", program.label(), what,
       printable(value.name), type.empty() ? "no type" : "type ", type,
       schema::list_types(schema::all_types));
}

// What the initializer of a value holds, as far as the value may have it.
const fact& known_initializer(const program& program, const value& value) {
  const initializer& loaded = program.initializers[value.initializer];
  if (!loaded.known) {
    fail_type(program, "the initializer", value, loaded.info.value.stored_type);
  }
  return *loaded.known;
}

// A graph's input, of which the model must state the type. One that has an initializer may still be
// fed another tensor, of other extents where they are symbols.
fact fact_of_input(const program& program, const value& value, symbol_table& symbols) {
  const value_info& declared = *value.declared.front();
  if (!declared.type) fail_type(program, "the input", value, declared.stored_type);
  if (value.initializer != none) {
    symbol_table of_the_default;
    merge(value, known_initializer(program, value), of_the_default, program.label());
  }
  return merge(value, {.type = *declared.type, .shape = {}, .elements = nullptr, .strides = {}},
               symbols, program.label());
}

// From the inputs and initializers over the nodes to the outputs.
void infer_all(program& program, const std::vector<bool>& is_read, axis_counter& axes) {
  const graph& graph = program.graph();
  const auto know = [&](value_id id, fact found) {
    axes.add(found, program.label());
    program.known[id] = std::move(found);
  };
  program.known.resize(graph.values.size());
  for (value_id id = 0; id < graph.values.size(); ++id) {
    const value& value = graph.values[id];
    if (value.is_input) {
      know(id, fact_of_input(program, value, program.symbols));
    } else if (value.initializer != none && is_read[id]) {
      know(id, merge(value, known_initializer(program, value), program.symbols, program.label()));
    }
  }
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const node& node = graph.nodes[i];
    know(node.outputs.front(), infer_node(graph, node, *program.operations[i], program.known,
                                          program.symbols, program.label()));
  }
}

}  // namespace

std::unique_ptr<const parsed_model> read_file(const std::string& path) {
  io::input_file in(path);
  io::input_file::content content = in.read_rest(io::largest_message, "a protobuf message");
  return parse(std::move(content.bytes), content.size, in.label());
}

std::unique_ptr<const parsed_model> read_bytes(std::span<const std::byte> bytes,
                                               std::string_view name) {
  buffer content = allocate_buffer(bytes.size());
  if (!bytes.empty()) std::memcpy(content.get(), bytes.data(), bytes.size());
  return parse(std::move(content), bytes.size(), printable(name, io::longest_path));
}

program compile(std::unique_ptr<const parsed_model> model, const std::string& path) {
  program program;
  program.model = std::move(model);
  refuse_unsupported(program.graph(), program.label());
  external_data external(path);
  program.operations = make_operations(*program.model, external);
  const std::vector<bool> is_read = find_read_values(program.graph());
  axis_counter axes;
  load_initializers(program, is_read, external, axes);
  infer_all(program, is_read, axes);
  const auto list = [&](const std::vector<value_id>& ids) {
    std::vector<value_info> infos;
    infos.reserve(ids.size());
    for (const value_id id : ids) {
      infos.push_back(info_of(program.graph().values[id], program.known[id]));
    }
    return infos;
  };
  program.inputs = list(program.graph().inputs);
  program.outputs = list(program.graph().outputs);
  return program;
}

value_info info_of(const value& value, const fact& fact) {
  return {.name = path_of(value),
          .type = fact.type,
          .stored_type = {},
          .shape = to_dimensions(fact.shape)};
}

}  // namespace halfulp::onnx
