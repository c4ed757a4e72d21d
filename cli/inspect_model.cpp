// SPDX-License-Identifier: Apache-2.0
#include "inspect_model.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "halfulp/onnx.hpp"
#include "output.hpp"
#include "text_table.hpp"

namespace halfulp::cli {
namespace {

std::string type_text(const onnx::value_info& value) {
  if (value.type) return std::string(name_of(*value.type));
  return value.stored_type.empty() ? "?" : printable(value.stored_type);
}

std::string dimension_text(const onnx::dimension& dimension) {
  if (dimension.extent) return fmt::to_string(*dimension.extent);
  return dimension.symbol.empty() ? "?" : printable(dimension.symbol);
}

void append_item(std::string& list, std::string_view item) {
  if (!list.empty()) list += ", ";
  list += item;
}

std::string shape_text(const std::optional<std::vector<onnx::dimension>>& shape) {
  if (!shape) return "?";
  std::vector<std::string> axes;
  for (const auto& dimension : *shape) axes.push_back(dimension_text(dimension));
  return fmt::format("({}{})", fmt::join(axes, ","), axes.size() == 1 ? "," : "");
}

std::string name_text(std::string_view name) { return name.empty() ? "-" : printable(name); }

table_row describe_value(const onnx::value_info& value) {
  return {name_text(value.name), type_text(value), shape_text(value.shape)};
}

table_row describe_initializer(const onnx::initializer_info& initializer) {
  table_row row = describe_value(initializer.value);
  row.push_back(fmt::to_string(initializer.bytes));
  row.push_back(initializer.location.empty() ? "-" : printable(initializer.location));
  return row;
}

std::string operator_text(const onnx::node_info& node) {
  std::string domain = printable(node.domain);
  if (!domain.empty()) domain += '.';
  if (node.supported) return fmt::format("{}{}-{}", domain, node.op_type, node.version);
  return fmt::format("{}{} (opset {}, not supported)", domain, printable(node.op_type),
                     node.version);
}

table_row describe_node(const onnx::node_info& node) {
  std::string inputs, outputs, attributes;
  for (const auto& name : node.inputs) append_item(inputs, name_text(name));
  for (const auto& output : node.outputs) {
    append_item(outputs, fmt::format("{}: {} {}", name_text(output.name), type_text(output),
                                     shape_text(output.shape)));
  }
  for (const auto& attribute : node.attributes) append_item(attributes, printable(attribute));
  return {name_text(node.name), operator_text(node), std::move(inputs), std::move(outputs),
          std::move(attributes)};
}

template <typename T>
std::string section(std::string_view headline, table_row head, const std::vector<T>& items,
                    table_row (*describe)(const T&)) {
  if (items.empty()) return {};
  std::vector<table_row> rows{std::move(head)};
  for (const T& item : items) rows.push_back(describe(item));
  return fmt::format("\n{}\n{}", headline, format_table(rows));
}

std::string to_text(const onnx::model_info& model) {
  std::string opsets;
  for (const auto& import : model.opset_imports) {
    opsets += fmt::format(", {}{}opset {}", printable(import.domain),
                          import.domain.empty() ? "" : " ", import.version);
  }
  const auto unsupported = std::count_if(model.nodes.begin(), model.nodes.end(),
                                         [](const auto& node) { return !node.supported; });
  std::string text = fmt::format("ONNX model, IR version {}{}", model.ir_version, opsets);
  if (!model.producer.empty()) text += fmt::format(", by {}", printable(model.producer));
  text += fmt::format("\ngraph {}, {} node{}", name_text(model.graph), model.nodes.size(),
                      model.nodes.size() == 1 ? "" : "s");
  text += unsupported == 0 ? "\n" : fmt::format(", {} not supported\n", unsupported);
  text += section("Inputs", {"name", "type", "shape"}, model.inputs, describe_value);
  text += section("Initializers", {"name", "type", "shape", "bytes", "external"},
                  model.initializers, describe_initializer);
  text += section("Nodes", {"name", "operator", "inputs", "outputs", "attributes"}, model.nodes,
                  describe_node);
  text += section("Outputs", {"name", "type", "shape"}, model.outputs, describe_value);
  return text;
}

using json = nlohmann::ordered_json;

json to_json(const onnx::dimension& dimension) {
  if (dimension.extent) return *dimension.extent;
  return dimension.symbol.empty() ? json() : json(dimension.symbol);
}

json to_json(const onnx::value_info& value) {
  json shape;
  if (value.shape) {
    shape = json::array();
    for (const auto& dimension : *value.shape) shape.push_back(to_json(dimension));
  }
  json type;
  if (value.type) {
    type = name_of(*value.type);
  } else if (!value.stored_type.empty()) {
    type = value.stored_type;
  }
  return {{"name", value.name}, {"type", std::move(type)}, {"shape", std::move(shape)}};
}

json to_json(const onnx::initializer_info& initializer) {
  json out = to_json(initializer.value);
  out["bytes"] = initializer.bytes;
  out["location"] = initializer.location.empty() ? json() : json(initializer.location);
  return out;
}

json to_json(const onnx::opset_import& import) {
  return {{"domain", import.domain}, {"version", import.version}};
}

json to_json(const onnx::node_info& node);

template <typename T>
json list_of(const std::vector<T>& items) {
  json out = json::array();
  for (const T& item : items) out.push_back(to_json(item));
  return out;
}

json to_json(const onnx::node_info& node) {
  return {{"name", node.name},
          {"domain", node.domain},
          {"op_type", node.op_type},
          {"version", node.version},
          {"supported", node.supported},
          {"inputs", node.inputs},
          {"outputs", list_of(node.outputs)},
          {"attributes", node.attributes}};
}

json to_json(const onnx::model_info& model) {
  return {{"format", "ONNX"},
          {"ir_version", model.ir_version},
          {"producer", model.producer},
          {"graph", model.graph},
          {"opset_imports", list_of(model.opset_imports)},
          {"inputs", list_of(model.inputs)},
          {"initializers", list_of(model.initializers)},
          {"nodes", list_of(model.nodes)},
          {"outputs", list_of(model.outputs)}};
}

}  // namespace

bool is_model(const std::string& file) { return file.ends_with(".onnx"); }

void print_model(const std::string& file, bool as_json) {
  const onnx::model_info model = onnx::inspect(file);
  // A name that is not UTF-8 is shown with replacement characters.
  write_output(as_json ? to_json(model).dump(-1, ' ', false, json::error_handler_t::replace) + "\n"
                       : to_text(model));
}

}  // namespace halfulp::cli
