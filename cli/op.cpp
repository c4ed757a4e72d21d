// halfulp op: one operator on one tensor file.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "arguments.hpp"
#include "base/error.hpp"
#include "base/shape.hpp"
#include "commands.hpp"
#include "explain.hpp"
#include "halfulp/halfulp.hpp"
#include "io/tensor_file.hpp"
#include "output.hpp"
#include "schema/table.hpp"
#include "tensor_text.hpp"

namespace halfulp::cli {
namespace {

// As they stand on the command line; empty where not given.
struct op_arguments {
  std::string op, file;
  std::optional<std::string> opset, axes, keepdims, noop_with_empty_axes, axis, p;
  std::optional<std::string> eps, output_type, type, output, threads;
  bool json = false;
  bool explain = false;
};

constexpr const char* footer =
    R"(Types: bfloat16, float16, float32, float64, int32, int64, uint32, uint64.
halfulp describe OPERATOR prints an operator's rules, halfulp --help says which
file formats there are.

Without -o the result is printed: a line with its type and shape, then its
elements with the fewest digits that read back exactly. Of more than 1000, only
the first and the last three along each axis are shown.

--json prints {"type", "shape", "values"} instead: every element, in C order, in
one flat list; infinities and NaN are the strings "inf", "-inf" and "nan".

--explain prints after that how it was computed: the layout of the plan, its slices
(the elements that are reduced or normalised together), the threads, the parts that
the work was cut into, the instruction set that was used, and how many slices each
tier settled. In JSON it is "explain": {"layout", "slices", "slice_length",
"threads", "parts", "target", "fast", "extracted", "exact"}.

Examples:
  halfulp op ReduceL2 embeddings.npy --axes -1 --keepdims 0
  halfulp op ReduceL1 half.npy --axes 0,1 --output-type float32
  halfulp op LpNormalization model.safetensors:weight -o unit.safetensors
  halfulp op LpNormalization bf16.npy --type bfloat16 --p 1 --axis 0 -o unit.npy
  halfulp op ReduceSumSquare - --json < x.npy)";

using given_attribute = std::pair<std::string_view, const std::optional<std::string>*>;

// The library can't tell an attribute at its default from one that was not given; here, an
// attribute that the operator doesn't have is a mistake whatever its value.
void require_attributes(const op_arguments& arguments, const schema::op_version& row) {
  for (const auto& [name, given] :
       {given_attribute{"keepdims", &arguments.keepdims},
        given_attribute{"noop_with_empty_axes", &arguments.noop_with_empty_axes},
        given_attribute{"axis", &arguments.axis}, given_attribute{"p", &arguments.p}}) {
    if (!*given || schema::find_attribute(row, name) != nullptr) continue;
    fail(errc::invalid_argument, "{}: there is no attribute {} in this version (given: {})",
         schema::name_of(row), name, **given);
  }
}

options parse_options(const op_arguments& arguments) {
  options out;
  if (arguments.opset) out.opset = parse_integer("--opset", *arguments.opset);
  if (arguments.axes) out.axes = parse_integers("--axes", *arguments.axes);
  if (arguments.keepdims) out.keepdims = parse_integer("--keepdims", *arguments.keepdims);
  if (arguments.noop_with_empty_axes) {
    out.noop_with_empty_axes =
        parse_integer("--noop-with-empty-axes", *arguments.noop_with_empty_axes);
  }
  if (arguments.axis) out.axis = parse_integer("--axis", *arguments.axis);
  if (arguments.p) out.p = parse_integer("--p", *arguments.p);
  if (arguments.eps) out.eps = parse_real("--eps", *arguments.eps);
  if (arguments.output_type) {
    out.output_type = parse_type("--output-type", *arguments.output_type);
  }
  return out;
}

bool may_run_in_place(op op, const plan& plan) {
  return op == op::lp_normalization && plan.output().type == plan.input().type &&
         plan.output().strides == plan.input().strides;
}

tensor allocate_result(const tensor_layout& layout) {
  try {
    return tensor(layout);
  } catch (const std::bad_alloc&) {
    fail(errc::out_of_memory, "out of memory: a result of type {} and shape {} is too large",
         name_of(layout.type), format_shape(layout.shape));
  }
}

void run(const op_arguments& arguments) {
  if (arguments.json && arguments.output) {
    throw usage_error("--json prints the result and -o writes it to a file, only one can be given");
  }
  if (arguments.explain && arguments.output == "-") {
    throw usage_error("--explain prints on standard output, where -o - writes the result");
  }
  const int threads = parse_threads(arguments.threads);
  const op op = parse_operator(arguments.op);
  const options options = parse_options(arguments);
  std::optional<dtype> declared;
  if (arguments.type) declared = parse_type("--type", *arguments.type);
  require_attributes(arguments, schema::find(op, options.opset));

  const io::loaded_tensor input = io::read_tensor(arguments.file, declared);
  const plan plan(op, input.layout, options);
  const tensor_layout& layout = plan.output();
  // Before computing, so that an output that can't be written costs no time.
  std::optional<io::tensor_writer> writer;
  if (arguments.output) writer.emplace(*arguments.output, layout.type, layout.shape, "output");

  // In place where that is possible: half the memory, and no time for fresh pages.
  std::optional<tensor> separate;
  std::byte* result = input.storage.get() + (input.data - input.storage.get());
  if (!may_run_in_place(op, plan)) {
    separate = allocate_result(layout);
    result = static_cast<std::byte*>(separate->data());
  }
  run_statistics statistics;
  plan.run(input.data, result, {.threads = threads, .statistics = &statistics});

  if (writer) {
    writer->commit(result);
  } else if (arguments.json) {
    write_output("{");
    write_json_members(layout, result);
    if (arguments.explain) write_output("," + explain_json(plan.describe(), statistics));
    write_output("}\n");
  } else {
    write_output(to_text(layout, result));
  }
  if (arguments.explain && !arguments.json) {
    write_output(explain_text(plan.describe(), statistics));
  }
}

}  // namespace

void add_op(CLI::App& app) {
  auto arguments = std::make_shared<op_arguments>();
  CLI::App* word =
      app.add_subcommand("op", "Compute one operator on one tensor file")->group("Commands");
  const auto add = [&](const char* name, auto& value, const char* type, const char* text) {
    return word->add_option(name, value, text)->type_name(type);
  };
  add("OPERATOR", arguments->op, "", "ReduceL1, ReduceL2, ReduceSumSquare or LpNormalization")
      ->required();
  add("FILE", arguments->file, "", "A tensor file, or - for npy on standard input")->required();

  const std::string reductions = "Reductions";
  add("--axes", arguments->axes, "LIST", "Axes to reduce, as 0,-1 (default: all)")
      ->group(reductions);
  add("--keepdims", arguments->keepdims, "0|1", "Keep reduced axes with extent 1 (default: 1)")
      ->group(reductions);
  add("--noop-with-empty-axes", arguments->noop_with_empty_axes, "0|1",
      "Without axes reduce none instead of all (default: 0; from opset 18)")
      ->group(reductions);

  const std::string normalization = "LpNormalization";
  add("--axis", arguments->axis, "N", "Axis along which to normalise (default: -1)")
      ->group(normalization);
  add("--p", arguments->p, "1|2", "Order of the norm (default: 2)")->group(normalization);
  add("--eps", arguments->eps, "E", "Divide by no less than this (default: 0; beyond ONNX)")
      ->group(normalization);

  add("--opset", arguments->opset, "N", "ONNX opset that selects the version (default: newest)");
  add("--output-type", arguments->output_type, "TYPE",
      "Type of the result (default: the input's; beyond ONNX)");
  add("--type", arguments->type, "TYPE", "Type of elements whose file cannot say it, as npy's V2");
  add("-o,--output", arguments->output, "FILE", "Write the result to FILE");
  add("--threads", arguments->threads, "N", threads_text);
  word->add_flag("--json", arguments->json, "Print the result as JSON");
  word->add_flag("--explain", arguments->explain, "Print how the result was computed");
  word->footer(footer);
  word->callback([arguments] { run(*arguments); });
}

}  // namespace halfulp::cli
