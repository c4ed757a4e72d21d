// SPDX-License-Identifier: Apache-2.0
#include "application.hpp"

#include <fmt/format.h>

#include "commands.hpp"
#include "halfulp/halfulp.hpp"

namespace halfulp::cli {
namespace {

constexpr const char* footer =
    R"(Files: the format follows the ending, .npy, .pb (ONNX TensorProto) or
.safetensors, where FILE.safetensors:NAME picks one of several tensors. - is
standard input or output, as npy.

Exit status: 0 done, 2 the command line is wrong, 1 anything else. An error is
one line on standard error that starts "halfulp: error:".

Examples:
  halfulp run normalize.onnx --input x=embeddings.npy --output y=unit.npy
  halfulp op ReduceL2 embeddings.npy --axes -1 --keepdims 0
  halfulp op LpNormalization embeddings.npy -o unit.npy
  halfulp describe ReduceL1 --opset 11 --diff 13
  halfulp inspect model.safetensors)";

}  // namespace

std::unique_ptr<CLI::App> make_application() {
  auto app = std::make_unique<CLI::App>(
      "Computes ONNX's norm operators so that every result is correctly rounded.", "halfulp");
  app->set_version_flag("--version", fmt::format("halfulp {}", version()), "Print the version");
  app->get_formatter()->column_width(30);
  app->get_formatter()->label("REQUIRED", "");
  app->get_formatter()->label("SUBCOMMAND", "COMMAND");
  app->footer(footer);
  app->require_subcommand(1);
  add_run(*app);
  add_op(*app);
  add_describe(*app);
  add_inspect(*app);
  return app;
}

// CLI11 leaves two blank lines before some groups.
std::string help_of(const CLI::App& app) {
  std::string text = app.help();
  for (std::size_t at; (at = text.find("\n\n\n")) != std::string::npos;) text.erase(at, 1);
  return text;
}

}  // namespace halfulp::cli
