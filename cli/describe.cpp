// halfulp describe: an operator's rules, and what changed between two of its versions.
// SPDX-License-Identifier: Apache-2.0
#include "schema/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arguments.hpp"
#include "commands.hpp"
#include "output.hpp"
#include "schema/table.hpp"

namespace halfulp::cli {
namespace {

using json = nlohmann::ordered_json;

struct describe_arguments {
  std::string op;
  std::optional<std::string> opset, diff;
  bool json = false;
};

constexpr const char* footer =
    R"(--opset and --diff take the opset of a model, which selects the newest version
that is not above it.

--json prints {"operator", "version", "last_opset", "summary", "formulas",
"inputs", "outputs", "attributes", "types", "guarantees", "beyond_onnx"}, and with
--diff {"operator", "old_version", "new_version", "breaking", "changes": [{"kind",
"name", "detail", "breaking"}]}.

Examples:
  halfulp describe ReduceL1
  halfulp describe LpNormalization --opset 21
  halfulp describe ReduceL1 --opset 13 --diff 18)";

constexpr std::size_t line_width = 80;

// "label  text", the text wrapped between words and hanging behind the label's column.
std::string paragraph(std::string_view label, std::size_t label_width, std::string_view text) {
  std::string out = fmt::format("  {:<{}}", label, label_width);
  const std::size_t indent = 2 + label_width;
  std::size_t column = indent;
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!first && column + 1 + word.size() > line_width) {
      out += '\n';
      out.append(indent, ' ');
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    first = false;
    out += word;
    column += word.size();
  }
  return out + '\n';
}

struct labelled {
  std::string label, text;
};

// A headline and its paragraphs, their labels in one column. Nothing for no paragraphs.
std::string section(std::string_view headline, const std::vector<labelled>& paragraphs) {
  if (paragraphs.empty()) return {};
  std::size_t width = 0;
  for (const auto& p : paragraphs) width = std::max(width, p.label.size());
  if (width != 0) width += 2;
  std::string out = fmt::format("\n{}\n", headline);
  for (const auto& p : paragraphs) out += paragraph(p.label, width, p.text);
  return out;
}

std::vector<labelled> unlabelled(const std::vector<std::string>& texts) {
  std::vector<labelled> out;
  out.reserve(texts.size());
  for (const auto& text : texts) out.push_back({"", text});
  return out;
}

std::vector<labelled> describe_parameters(
    const std::vector<schema::parameter_description>& parameters) {
  std::vector<labelled> out;
  for (const auto& p : parameters) {
    out.push_back({p.name, p.optional ? p.type + ", optional" : p.type});
    out.push_back({"", p.meaning});
  }
  return out;
}

std::vector<labelled> describe_attributes(
    const std::vector<schema::attribute_description>& attributes) {
  std::vector<labelled> out;
  for (const auto& a : attributes) {
    const std::string start =
        a.default_value ? fmt::format("default {}", *a.default_value) : "default absent";
    out.push_back({a.name, fmt::format("{}, {}, range {}", a.type, start, a.range)});
    out.push_back({"", a.meaning});
  }
  return out;
}

std::vector<std::string_view> names_of(const std::vector<dtype>& types) {
  std::vector<std::string_view> names;
  names.reserve(types.size());
  for (const dtype type : types) names.push_back(name_of(type));
  return names;
}

std::string opsets_of(const schema::version_description& d) {
  if (d.last_opset == newest_opset) {
    return fmt::format("since opset {}, the newest ({} is the last known opset)", d.version,
                       d.last_opset);
  }
  return fmt::format("opsets {} to {}", d.version, d.last_opset);
}

std::string to_text(const schema::version_description& d) {
  std::string out = fmt::format("{}-{}: {}\n\n", d.op, d.version, opsets_of(d));
  out += paragraph("", 0, d.summary);
  for (const auto& formula : d.formulas) out += paragraph("", 0, formula);
  out += section("Inputs", describe_parameters(d.inputs));
  out += section("Outputs", describe_parameters(d.outputs));
  out += section("Attributes", describe_attributes(d.attributes));
  out += section("Types", {{"T", fmt::format("{}", fmt::join(names_of(d.types), ", "))}});
  out += section("Guarantees", unlabelled(d.guarantees));
  out += section("Beyond ONNX, everywhere but in models", unlabelled(d.beyond_onnx));
  return out;
}

json to_json(const std::vector<schema::parameter_description>& parameters) {
  json out = json::array();
  for (const auto& p : parameters) {
    out.push_back(
        {{"name", p.name}, {"type", p.type}, {"optional", p.optional}, {"meaning", p.meaning}});
  }
  return out;
}

json to_json(const schema::version_description& d) {
  json attributes = json::array();
  for (const auto& a : d.attributes) {
    attributes.push_back({{"name", a.name},
                          {"type", a.type},
                          {"default", a.default_value ? json(*a.default_value) : json()},
                          {"range", a.range},
                          {"meaning", a.meaning}});
  }
  return {{"operator", d.op},
          {"version", d.version},
          {"last_opset", d.last_opset},
          {"summary", d.summary},
          {"formulas", d.formulas},
          {"inputs", to_json(d.inputs)},
          {"outputs", to_json(d.outputs)},
          {"attributes", std::move(attributes)},
          {"types", names_of(d.types)},
          {"guarantees", d.guarantees},
          {"beyond_onnx", d.beyond_onnx}};
}

std::string_view name_of_kind(schema::change_kind kind) {
  switch (kind) {
    case schema::change_kind::types_added:
      return "types_added";
    case schema::change_kind::types_removed:
      return "types_removed";
    case schema::change_kind::attribute_added:
      return "attribute_added";
    case schema::change_kind::attribute_removed:
      return "attribute_removed";
    case schema::change_kind::attribute_became_input:
      return "attribute_became_input";
    case schema::change_kind::default_changed:
      return "default_changed";
    case schema::change_kind::range_changed:
      return "range_changed";
    case schema::change_kind::range_stated:
      break;
  }
  return "range_stated";
}

bool is_breaking(const std::vector<schema::change>& changes) {
  return std::any_of(changes.begin(), changes.end(), [](const auto& c) { return c.breaking; });
}

std::string diff_to_text(const schema::op_version& older, const schema::op_version& newer) {
  const auto changes = schema::changes_between(older, newer);
  std::string out =
      fmt::format("{}\n  old version: {}\n  new version: {}\n  breaking: {}\n", name_of(older.op),
                  older.since, newer.since, is_breaking(changes) ? "yes" : "no");
  std::vector<labelled> paragraphs;
  paragraphs.reserve(changes.size());
  for (const auto& c : changes) {
    paragraphs.push_back({c.name, c.breaking ? c.detail + " (breaking)" : c.detail});
  }
  if (paragraphs.empty()) paragraphs.push_back({"", "none"});
  return out + section("Changes", paragraphs);
}

json diff_to_json(const schema::op_version& older, const schema::op_version& newer) {
  const auto changes = schema::changes_between(older, newer);
  json list = json::array();
  for (const auto& c : changes) {
    list.push_back({{"kind", name_of_kind(c.kind)},
                    {"name", c.name},
                    {"detail", c.detail},
                    {"breaking", c.breaking}});
  }
  return {{"operator", name_of(older.op)},
          {"old_version", older.since},
          {"new_version", newer.since},
          {"breaking", is_breaking(changes)},
          {"changes", std::move(list)}};
}

void run(const describe_arguments& arguments) {
  const op op = parse_operator(arguments.op);
  const std::int64_t opset =
      arguments.opset ? parse_integer("--opset", *arguments.opset) : newest_opset;
  const schema::op_version* row = &schema::find(op, opset);
  if (!arguments.diff) {
    const auto description = schema::describe(*row);
    write_output(arguments.json ? to_json(description).dump() + "\n" : to_text(description));
    return;
  }
  const schema::op_version* other = &schema::find(op, parse_integer("--diff", *arguments.diff));
  if (other->since < row->since) std::swap(row, other);
  write_output(arguments.json ? diff_to_json(*row, *other).dump() + "\n"
                              : diff_to_text(*row, *other));
}

}  // namespace

void add_describe(CLI::App& app) {
  auto arguments = std::make_shared<describe_arguments>();
  CLI::App* word =
      app.add_subcommand("describe", "Print an operator's rules, or what changed between versions")
          ->group("Commands");
  word->add_option("OPERATOR", arguments->op,
                   "ReduceL1, ReduceL2, ReduceSumSquare or LpNormalization")
      ->type_name("")
      ->required();
  word->add_option("--opset", arguments->opset, "Opset that selects the version (default: newest)")
      ->type_name("N");
  word->add_option("--diff", arguments->diff,
                   "Print what changed to or from the version of opset M")
      ->type_name("M");
  word->add_flag("--json", arguments->json, "Print JSON");
  word->footer(footer);
  word->callback([arguments] { run(*arguments); });
}

}  // namespace halfulp::cli
