// halfulp run: an ONNX model on tensor files.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <list>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "arguments.hpp"
#include "base/error.hpp"
#include "commands.hpp"
#include "halfulp/onnx.hpp"
#include "io/tensor_file.hpp"
#include "output.hpp"
#include "tensor_text.hpp"

namespace halfulp::cli {
namespace {

struct run_arguments {
  std::string model;
  std::vector<std::string> inputs, outputs;
  std::optional<std::string> threads;
  bool json = false;
};

constexpr const char* footer =
    R"(halfulp inspect MODEL.onnx shows what inputs and outputs there are, halfulp --help
which file formats. An input that has an initializer may be left out. NAME=FILE is
split at the first =, unless NAME itself has one.

Without --output all outputs are printed: for each a line with its name, type and
shape, then its elements as halfulp op prints them. With --output, only those that
are named are computed and written.

--json prints {"outputs": [{"name", "type", "shape", "values"}]} instead: every
element, in C order, in one flat list; infinities and NaN are the strings "inf",
"-inf" and "nan".

Examples:
  halfulp run normalize.onnx --input x=embeddings.npy --output y=unit.npy
  halfulp run norms.onnx --input x=model.safetensors:weight --input axes=axes.npy
  halfulp run norms.onnx --input x=- --json < x.npy)";

struct named_file {
  std::string name, file;
};

// NAME=FILE. A name may have a = in it: then the split is after the shortest one that is known.
named_file split_argument(std::string_view option, const std::string& text,
                          const std::vector<onnx::value_info>& known) {
  std::size_t split = std::string::npos;
  for (std::size_t at = text.find('='); at != std::string::npos; at = text.find('=', at + 1)) {
    if (split == std::string::npos) split = at;
    const std::string_view name = std::string_view(text).substr(0, at);
    if (std::any_of(known.begin(), known.end(),
                    [&](const onnx::value_info& value) { return value.name == name; })) {
      split = at;
      break;
    }
  }
  if (split == std::string::npos || split == 0 || split + 1 == text.size()) {
    throw usage_error(fmt::format("{}: '{}' is not NAME=FILE", option, text));
  }
  return {text.substr(0, split), text.substr(split + 1)};
}

// The same for all names of a file.
std::string canonical(const std::string& file) {
  std::error_code error;
  const std::filesystem::path path =
      std::filesystem::weakly_canonical(std::filesystem::absolute(file, error), error);
  return error ? file : path.string();
}

void expect_different_files(const std::vector<named_file>& outputs) {
  std::map<std::string, std::string_view> names;
  for (const named_file& output : outputs) {
    const auto [place, is_new] =
        names.try_emplace(output.file == "-" ? output.file : canonical(output.file), output.name);
    if (is_new) continue;
    throw usage_error(fmt::format("--output: {} is to hold '{}' and '{}'", printable(output.file),
                                  printable(place->second), printable(output.name)));
  }
}

std::vector<named_file> split_arguments(std::string_view option,
                                        const std::vector<std::string>& texts,
                                        const std::vector<onnx::value_info>& known) {
  std::vector<named_file> files;
  files.reserve(texts.size());
  for (const std::string& text : texts) files.push_back(split_argument(option, text, known));
  return files;
}

// The model's type decides where the file cannot say it. A name that the model doesn't have is the
// model's to refuse.
io::loaded_tensor read_input(const onnx::model& model, const named_file& input) {
  const auto found =
      std::find_if(model.inputs().begin(), model.inputs().end(),
                   [&](const onnx::value_info& value) { return value.name == input.name; });
  if (found == model.inputs().end()) return {};
  try {
    return io::read_tensor(input.file, found->type);
  } catch (const error& problem) {
    fail(problem.code(), "input '{}': {}", printable(input.name), problem.what());
  }
}

std::vector<tensor> compute(const onnx::model& model, const std::vector<named_file>& inputs,
                            const std::vector<named_file>& outputs, int threads) {
  std::list<io::loaded_tensor> tensors;
  std::vector<onnx::named_view> views;
  for (const named_file& input : inputs) {
    const io::loaded_tensor& read = tensors.emplace_back(read_input(model, input));
    views.push_back({input.name, {read.data, read.layout}});
  }
  std::vector<std::string_view> names;
  names.reserve(outputs.size());
  for (const named_file& output : outputs) names.push_back(output.name);
  return model.run(views, names, {.threads = threads});
}

void print_text(const onnx::model& model, const std::vector<tensor>& results) {
  for (std::size_t i = 0; i < results.size(); ++i) {
    write_output(fmt::format(
        "{}: {}", printable(model.outputs()[i].name),
        to_text(results[i].layout(), static_cast<const std::byte*>(results[i].data()))));
  }
}

void print_json(const onnx::model& model, const std::vector<tensor>& results) {
  using nlohmann::json;
  for (std::size_t i = 0; i < results.size(); ++i) {
    write_output(fmt::format(
        R"({}{{"name":{},)", i == 0 ? R"({"outputs":[)" : ",",
        json(model.outputs()[i].name).dump(-1, ' ', false, json::error_handler_t::replace)));
    write_json_members(results[i].layout(), static_cast<const std::byte*>(results[i].data()));
    write_output("}");
  }
  write_output("]}\n");
}

void run(const run_arguments& arguments) {
  if (arguments.json && !arguments.outputs.empty()) {
    throw usage_error(
        "--json prints the results and --output writes them to files, only one can be given");
  }
  const int threads = parse_threads(arguments.threads);
  const onnx::model model(arguments.model);
  const auto inputs = split_arguments("--input", arguments.inputs, model.inputs());
  const auto outputs = split_arguments("--output", arguments.outputs, model.outputs());
  const auto reads = std::count_if(inputs.begin(), inputs.end(),
                                   [](const named_file& input) { return input.file == "-"; });
  if (reads + (arguments.model == "-" ? 1 : 0) > 1) {
    throw usage_error("--input: standard input (-) can be read once");
  }
  expect_different_files(outputs);

  // Opened before anything is computed, so that a folder that is missing costs no time, and all
  // written before the first one appears.
  std::vector<io::tensor_writer> writers;
  writers.reserve(outputs.size());
  for (const named_file& output : outputs) writers.emplace_back(output.file);
  const std::vector<tensor> results = compute(model, inputs, outputs, threads);
  if (outputs.empty()) {
    return arguments.json ? print_json(model, results) : print_text(model, results);
  }
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const tensor_layout& layout = results[i].layout();
    writers[i].prepare(layout.type, layout.shape, outputs[i].name);
    writers[i].write(static_cast<const std::byte*>(results[i].data()));
  }
  for (io::tensor_writer& writer : writers) writer.commit();
}

}  // namespace

void add_run(CLI::App& app) {
  auto arguments = std::make_shared<run_arguments>();
  CLI::App* word =
      app.add_subcommand("run", "Compute an ONNX model on tensor files")->group("Commands");
  word->add_option("MODEL", arguments->model, "A model made of the operators that halfulp has")
      ->type_name("")
      ->required();
  const auto add = [&](const char* name, auto& value, const char* text) {
    // One value each: FILE names after it are not taken along.
    word->add_option(name, value, text)->type_name("NAME=FILE")->expected(1)->take_all();
  };
  add("--input", arguments->inputs, "Feed the input NAME with the tensor in FILE");
  add("--output", arguments->outputs, "Write the output NAME to FILE");
  word->add_option("--threads", arguments->threads, threads_text)->type_name("N");
  word->add_flag("--json", arguments->json, "Print the results as JSON");
  word->footer(footer);
  word->callback([arguments] { run(*arguments); });
}

}  // namespace halfulp::cli
