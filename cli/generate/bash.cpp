// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "generate/completions.hpp"
#include "generate/values.hpp"

namespace halfulp::cli {
namespace {

constexpr const char* prologue =
    R"(# Completions of halfulp for bash, made from the command's own help.
# SPDX-License-Identifier: Apache-2.0

# Folders, and files with one of the endings, whose names start as $1 does.
_halfulp_files() {
  local file ending
  compopt -o filenames
  while IFS= read -r file; do
    if [[ -d $file ]]; then
      COMPREPLY+=("$file")
    fi
    for ending in $2; do
      if [[ -f $file && $file == *"$ending" ]]; then
        COMPREPLY+=("$file")
      fi
    done
  done < <(compgen -f -- "$1")
}

_halfulp() {
  COMPREPLY=()
  # Bash cuts words at = and :, which belong to values here.
  local -a words=()
  local part joins=
  for part in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ${#words[@]} -gt 0 && ($part =~ ^[=:]+$ || ($joins && $part)) ]]; then
      words[-1]+=$part
    else
      words+=("$part")
    fi
    [[ $part =~ ^[=:]+$ ]] && joins=1 || joins=
  done
  local current=${words[-1]} command=${words[0]}
)";

constexpr const char* finding_the_slot = R"(
  # What the current word is: the value of an option, or the argument of a number.
  local slot= value=$current positional=0 pending= word
  for word in "${words[@]:1:${#words[@]}-2}"; do
    if [[ $pending ]]; then
      pending=
    elif [[ $with_value == *" $word "* ]]; then
      pending=$word
    elif [[ $word != -?* ]]; then
      ((positional += 1))
    fi
  done
  if [[ $pending ]]; then
    slot=$pending
  elif [[ $current == --*=* ]]; then
    slot=${current%%=*} value=${current#*=}
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$current"))
    return
  else
    slot=$((positional + 1))
  fi

  local choices= endings= named=
)";

constexpr const char* epilogue = R"(
  if [[ $named ]]; then
    [[ $value == *=* ]] || return
    value=${value#*=}
  fi
  if [[ $endings ]]; then
    _halfulp_files "$value" "$endings"
  else
    COMPREPLY=($(compgen -W "$choices" -- "$value"))
  fi
} && complete -F _halfulp halfulp
)";

std::string joined_names(const std::vector<option_help>& options, bool only_with_value) {
  std::vector<std::string> names;
  for (const auto& option : options) {
    if (only_with_value && option.value.empty()) continue;
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return fmt::format("{}", fmt::join(names, " "));
}

// Sets the variables that say what may stand in a slot, or nothing where all is free.
std::string slot_case(const std::string& pattern, const value_choices& choices) {
  std::string variables;
  if (!choices.words.empty())
    variables += fmt::format(" choices='{}'", fmt::join(choices.words, " "));
  if (!choices.endings.empty()) {
    variables += fmt::format(" endings='{}'", fmt::join(choices.endings, " "));
  }
  if (variables.empty()) return {};
  if (choices.after_equals) variables += " named=1";
  return fmt::format("    {}){} ;;\n", pattern, variables);
}

std::string slot_cases(const word_help& word) {
  std::string out;
  int number = 0;
  for (const auto& positional : word.positionals) {
    ++number;
    out += slot_case(fmt::format("{}:{}", word.name, number),
                     choices_of(positional.name, positional.description));
  }
  for (const auto& option : options_of(word)) {
    // "op:-o|op:--output"
    const std::string separator = fmt::format("|{}:", word.name);
    out += slot_case(fmt::format("{}:{}", word.name, fmt::join(option.names, separator)),
                     choices_of(option.value, option.description));
  }
  return out;
}

}  // namespace

std::string make_bash_completion(const command_help& command) {
  std::string first;
  for (const auto& word : command.words) first += word.name + " ";
  first += joined_names(options_of(command.global), false);
  std::string out = prologue;
  out += fmt::format(R"(
  if [[ ${{#words[@]}} -eq 1 ]]; then
    COMPREPLY=($(compgen -W '{}' -- "$current"))
    return
  fi

  local options with_value
  case $command in
)",
                     first);
  for (const auto& word : command.words) {
    const auto options = options_of(word);
    out += fmt::format("    {})\n      options='{}'\n      with_value=' {} '\n      ;;\n",
                       word.name, joined_names(options, false), joined_names(options, true));
  }
  out += "    *) return ;;\n  esac\n";
  out += finding_the_slot;
  out += "  case $command:$slot in\n";
  for (const auto& word : command.words) out += slot_cases(word);
  return out + "  esac\n" + epilogue;
}

}  // namespace halfulp::cli
