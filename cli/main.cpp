// The halfulp command: parsing, and every way to fail, as one line and an exit status.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "application.hpp"
#include "arguments.hpp"
#include "base/error.hpp"
#include "output.hpp"

namespace halfulp::cli {
namespace {

constexpr int status_done = 0;
constexpr int status_failed = 1;
constexpr int status_usage = 2;

// An empty value, `--axes=`, as two arguments: CLI11 would take the argument after it as the value.
std::vector<std::string> split_empty_values(int argc, char** argv) {
  std::vector<std::string> arguments;
  bool options = true;
  for (int i = 1; i < argc; ++i) {
    std::string argument = argv[i];
    if (argument == "--") options = false;
    if (options && argument.starts_with("--") && argument.find('=') == argument.size() - 1) {
      argument.pop_back();
      arguments.push_back(argument);
      arguments.emplace_back();
    } else {
      arguments.push_back(argument);
    }
  }
  return arguments;
}

void require_known_word(const CLI::App& app, const std::vector<std::string>& arguments) {
  std::vector<std::string> words;
  for (const CLI::App* word : app.get_subcommands(nullptr)) words.push_back(word->get_name());
  const std::string known = fmt::format("known: {}", fmt::join(words, ", "));
  if (arguments.empty()) throw usage_error(fmt::format("a command is missing ({})", known));
  const std::string& first = arguments.front();
  if (first == "-h" || first == "--help" || first == "--version") return;
  if (std::find(words.begin(), words.end(), first) != words.end()) return;
  if (first.starts_with('-')) {
    throw usage_error(fmt::format("option '{}' is not known before a command ({})", first, known));
  }
  throw usage_error(fmt::format("command '{}' is not known ({})", first, known));
}

// CLI11 starts its messages like sentences.
std::string uncapitalised(std::string text) {
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  }
  return text;
}

// CLI11 lists all that it could not place, an option and its value alike. The first one matters.
std::string describe_leftover(const CLI::App& app, const CLI::ExtrasError& error) {
  const std::vector<std::string> left = app.remaining(true);
  if (left.empty()) return uncapitalised(error.what());
  const auto option = std::find_if(left.begin(), left.end(), [](const std::string& argument) {
    return argument.starts_with('-') && argument.size() > 1;
  });
  return option == left.end() ? fmt::format("argument '{}' was not expected", left.front())
                              : fmt::format("option '{}' is not known", *option);
}

// Standard error may be closed or full: there is nobody left to tell.
void report(std::string_view message) {
  // Some list all that is wrong with a model.
  constexpr std::size_t longest_message = 1 << 16;
  std::fputs(fmt::format("halfulp: error: {}\n", printable(message, longest_message)).c_str(),
             stderr);
}

// `message` with the help that has the answer.
int report_usage(const CLI::App& app, std::string_view message) {
  const auto chosen = app.get_subcommands();
  report(fmt::format("{}; see halfulp {}--help", message,
                     chosen.empty() ? "" : chosen.front()->get_name() + " "));
  return status_usage;
}

int run(int argc, char** argv) {
  const std::unique_ptr<CLI::App> application = make_application();
  CLI::App& app = *application;

  try {
    auto arguments = split_empty_values(argc, argv);
    require_known_word(app, arguments);
    std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants it
    app.parse(std::move(reversed));
  } catch (const CLI::CallForHelp&) {
    write_output(help_of(app));
  } catch (const CLI::CallForVersion& version) {
    write_output(fmt::format("{}\n", version.what()));
  } catch (const CLI::ExtrasError& e) {
    return report_usage(app, describe_leftover(app, e));
  } catch (const CLI::ParseError& e) {
    return report_usage(app, uncapitalised(e.what()));
  } catch (const usage_error& e) {
    return report_usage(app, e.what());
  }
  flush_output();
  return status_done;
}

}  // namespace
}  // namespace halfulp::cli

int main(int argc, char** argv) {
  using namespace halfulp::cli;
  // A closed pipe, or a file past the limit of `ulimit -f`, is then a failing write, which is
  // reported like any other.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("halfulp: error: out of memory\n", stderr);
  } catch (const std::exception& e) {
    report(e.what());
  }
  return status_failed;
}
