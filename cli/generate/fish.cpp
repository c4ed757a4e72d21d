// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "generate/completions.hpp"
#include "generate/values.hpp"

namespace halfulp::cli {
namespace {

constexpr const char* prologue =
    R"(# Completions of halfulp for fish, made from the command's own help.
# SPDX-License-Identifier: Apache-2.0

# Folders, and files with one of the endings, whose names start as $argv[1] does.
function __halfulp_files_from
    set -l endings (string join '|' (string escape --style=regex -- $argv[2..]))
    for file in $argv[1]*
        if test -d $file
            echo $file/
        else if string match -qr "(?:$endings)\$" -- $file
            echo $file
        end
    end
end

# The current word, or the value in it where it is --OPTION=VALUE.
function __halfulp_value
    string unescape -- (commandline -ct) | string replace -r '^--[^=]*=' ''
end

function __halfulp_files
    __halfulp_files_from (__halfulp_value) $argv
end

# NAME=FILE, where there is nothing to offer before the =.
function __halfulp_named_files
    set -l parts (string split -m 1 = -- (__halfulp_value))
    and printf '%s\n' $parts[1]=(__halfulp_files_from $parts[2] $argv)
end

complete -c halfulp -f
)";

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') out += '\\';
    out += c;
  }
  return out + "'";
}

// The arguments of `complete` for a value; empty where there is nothing to offer.
std::string value_part(const value_choices& choices) {
  if (!choices.words.empty()) {
    return fmt::format(" -a {}", in_quotes(fmt::format("{}", fmt::join(choices.words, " "))));
  }
  if (choices.endings.empty()) return {};
  return fmt::format(" -a '({} {})'",
                     choices.after_equals ? "__halfulp_named_files" : "__halfulp_files",
                     fmt::join(choices.endings, " "));
}

std::string option_lines(const std::string& condition, const std::vector<option_help>& options) {
  std::string out;
  for (const auto& option : options) {
    out += fmt::format("complete -c halfulp -n {}", in_quotes(condition));
    for (const auto& name : option.names) {
      out += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
    }
    if (!option.value.empty()) {
      out += " -x" + value_part(choices_of(option.value, option.description));
    }
    out += fmt::format(" -d {}\n", in_quotes(option.description));
  }
  return out;
}

// Fish does not count arguments. One that is chosen from a list has been given once a word of the
// list is there, and comes before those that follow it.
std::string positional_lines(std::string condition,
                             const std::vector<positional_help>& positionals) {
  std::string out;
  for (const auto& positional : positionals) {
    const value_choices choices = choices_of(positional.name, positional.description);
    std::string here = condition;
    if (!choices.words.empty()) {
      const std::string seen =
          fmt::format("__fish_seen_subcommand_from {}", fmt::join(choices.words, " "));
      here += "; and not " + seen;
      condition += "; and " + seen;
    }
    const std::string values = value_part(choices);
    if (!values.empty()) {
      out += fmt::format("complete -c halfulp -n {}{}\n", in_quotes(here), values);
    }
  }
  return out;
}

}  // namespace

std::string make_fish_completion(const command_help& command) {
  std::string out = prologue;
  const std::string before = "__fish_use_subcommand";
  out += option_lines(before, options_of(command.global));
  for (const auto& word : command.words) {
    const std::string condition = "__fish_seen_subcommand_from " + word.name;
    out += fmt::format("\ncomplete -c halfulp -n {} -a {} -d {}\n", before, word.name,
                       in_quotes(word.description));
    out += option_lines(condition, options_of(word));
    out += positional_lines(condition, word.positionals);
  }
  return out;
}

}  // namespace halfulp::cli
