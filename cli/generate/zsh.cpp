// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "generate/completions.hpp"
#include "generate/values.hpp"

namespace halfulp::cli {
namespace {

constexpr const char* prologue = R"(#compdef halfulp
# Completions of halfulp for zsh, made from the command's own help.
# SPDX-License-Identifier: Apache-2.0

# NAME=FILE
_halfulp_named_file() {
  compset -P 1 '*=' && _files -g "$1"
}

_halfulp() {
  local context state state_descr line
  typeset -A opt_args
)";

// In single quotes, where only the quote itself needs care.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += R"('\'')";
    } else {
      out += c;
    }
  }
  return out + "'";
}

// Within a specification of _arguments or _describe, whose syntax is made of these.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == ':' || c == '[' || c == ']') out += '\\';
    out += c;
  }
  return out;
}

// ":NAME:ACTION"
std::string value_part(std::string_view name, const std::string& description) {
  const value_choices choices = choices_of(name, description);
  std::string action = " ";
  if (!choices.words.empty()) {
    action = fmt::format("({})", fmt::join(choices.words, " "));
  } else if (!choices.endings.empty()) {
    const std::string pattern = fmt::format("\"*({})(-.)\"", fmt::join(choices.endings, "|"));
    action = choices.after_equals ? "_halfulp_named_file " + pattern : "_files -g " + pattern;
  }
  return fmt::format(":{}:{}", plain(name), action);
}

std::string option_arguments(const option_help& option) {
  std::string rest = "[" + plain(option.description) + "]";
  if (!option.value.empty()) rest += value_part(option.value, option.description);
  // What asks for help or the version stands alone; other options only exclude their other names.
  const bool alone = option.names.back() == "--help" || option.names.back() == "--version";
  const std::string excluded = alone ? "(- *)"
                               : option.repeatable
                                   ? "*"
                                   : fmt::format("({})", fmt::join(option.names, " "));
  std::string out;
  for (const auto& name : option.names) {
    const std::string ending = option.value.empty() ? "" : name.starts_with("--") ? "=" : "+";
    out += fmt::format(" \\\n        {}",
                       in_quotes(fmt::format("{}{}{}{}", excluded, name, ending, rest)));
  }
  return out;
}

std::string word_arguments(const word_help& word) {
  std::string out = "_arguments -s";
  for (const auto& option : options_of(word)) out += option_arguments(option);
  int number = 0;
  for (const auto& positional : word.positionals) {
    out += fmt::format(" \\\n        {}",
                       in_quotes(fmt::format("{}{}", ++number,
                                             value_part(positional.name, positional.description))));
  }
  return out;
}

}  // namespace

std::string make_zsh_completion(const command_help& command) {
  std::string out = prologue;
  out += "  local -a commands=(\n";
  for (const auto& word : command.words) {
    out += fmt::format("    {}\n", in_quotes(word.name + ":" + plain(word.description)));
  }
  out += "  )\n  _arguments -C";
  for (const auto& option : options_of(command.global)) out += option_arguments(option);
  out += R"( \
        '1:command:->command' \
        '*::argument:->argument'
  case $state in
    command) _describe -t commands 'halfulp command' commands ;;
    argument)
      case $words[1] in
)";
  for (const auto& word : command.words) {
    out += fmt::format("      {})\n        {}\n        ;;\n", word.name, word_arguments(word));
  }
  return out + "      esac\n      ;;\n  esac\n}\n\n_halfulp \"$@\"\n";
}

}  // namespace halfulp::cli
