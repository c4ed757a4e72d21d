// halfulp inspect: what a tensor file or a model holds.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "arguments.hpp"
#include "base/error.hpp"
#include "base/shape.hpp"
#include "commands.hpp"
#include "inspect_model.hpp"
#include "io/tensor_file.hpp"
#include "output.hpp"
#include "text_table.hpp"

namespace halfulp::cli {
namespace {

struct inspect_arguments {
  std::string file;
  std::optional<std::string> type;
  bool json = false;
};

constexpr const char* footer =
    R"(Of a tensor file, one line for each tensor: its name, type and shape, the type as the file's
format calls it, the order and byte order of the elements, where they start and
how many bytes they take. A dash stands for what there is not: a type where it
is none that halfulp computes, or npy's V2 without --type; an offset where a
TensorProto holds the elements in a typed field.

Of a model (.onnx), its inputs, initializers, nodes and outputs, with versions,
and types and shapes as far as they are known before inputs are fed; ? stands for
what is not known. Nodes whose operator halfulp does not have are marked.

--json prints {"format", "tensors": [{"name", "type", "stored_type", "shape",
"order", "byte_order", "offset", "bytes"}]}, with null for a dash; of a model
{"format", "ir_version", "producer", "graph", "opset_imports", "inputs",
"initializers", "nodes", "outputs"}.

Examples:
  halfulp inspect embeddings.npy
  halfulp inspect model.safetensors
  halfulp inspect model.onnx
  halfulp inspect weights.npy --type bfloat16)";

const char* order_of(const io::tensor_info& tensor) {
  return tensor.fortran_order ? "Fortran" : "C";
}

const char* byte_order_of(const io::tensor_info& tensor) {
  return tensor.big_endian ? "big" : "little";
}

table_row describe_tensor(const io::tensor_info& tensor) {
  return {tensor.name.empty() ? "-" : printable(tensor.name),
          std::string(tensor.type ? name_of(*tensor.type) : "-"),
          format_shape(tensor.shape),
          printable(tensor.stored_type),
          order_of(tensor),
          byte_order_of(tensor),
          tensor.data_offset == 0 ? "-" : fmt::to_string(tensor.data_offset),
          fmt::to_string(tensor.data_bytes)};
}

void print_text(const io::file_info& info) {
  std::vector<table_row> rows{
      {"name", "type", "shape", "stored", "order", "byte order", "offset", "bytes"}};
  for (const auto& tensor : info.tensors) rows.push_back(describe_tensor(tensor));
  write_output(fmt::format("{}, {} tensor{}\n", info.format, info.tensors.size(),
                           info.tensors.size() == 1 ? "" : "s"));
  write_output(format_table(rows));
}

void print_json(const io::file_info& info) {
  using json = nlohmann::ordered_json;
  json tensors = json::array();
  for (const auto& tensor : info.tensors) {
    tensors.push_back({{"name", tensor.name},
                       {"type", tensor.type ? json(name_of(*tensor.type)) : json()},
                       {"stored_type", tensor.stored_type},
                       {"shape", tensor.shape},
                       {"order", order_of(tensor)},
                       {"byte_order", byte_order_of(tensor)},
                       {"offset", tensor.data_offset == 0 ? json() : json(tensor.data_offset)},
                       {"bytes", tensor.data_bytes}});
  }
  const json out = {{"format", info.format}, {"tensors", std::move(tensors)}};
  // A name that is not UTF-8 is shown with replacement characters.
  write_output(out.dump(-1, ' ', false, json::error_handler_t::replace) + "\n");
}

void run(const inspect_arguments& arguments) {
  std::optional<dtype> declared;
  if (arguments.type) declared = parse_type("--type", *arguments.type);
  if (is_model(arguments.file)) {
    if (declared) throw usage_error("--type is for tensor files; a model says its types");
    return print_model(arguments.file, arguments.json);
  }
  const io::file_info info = io::inspect_tensors(arguments.file, declared);
  arguments.json ? print_json(info) : print_text(info);
}

}  // namespace

void add_inspect(CLI::App& app) {
  auto arguments = std::make_shared<inspect_arguments>();
  CLI::App* word = app.add_subcommand("inspect", "Show what a tensor file or an ONNX model holds")
                       ->group("Commands");
  word->add_option("FILE", arguments->file,
                   "A tensor file or a model, or - for npy on standard input")
      ->type_name("")
      ->required();
  word->add_option("--type", arguments->type, "The type of elements whose file cannot say it")
      ->type_name("TYPE");
  word->add_flag("--json", arguments->json, "Print JSON");
  word->footer(footer);
  word->callback([arguments] { run(*arguments); });
}

}  // namespace halfulp::cli
