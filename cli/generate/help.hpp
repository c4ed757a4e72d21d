// The command's help as data: what its manual page and its completions are made of.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace halfulp::cli {

struct option_help {
  std::vector<std::string> names;  // with their dashes, the short one first
  std::string value;               // what the help calls its value; empty for a flag
  std::string description;
  bool repeatable = false;
};

struct positional_help {
  std::string name;
  std::string description;
  bool required = false;
};

struct option_group {
  std::string name;
  std::vector<option_help> options;
};

struct word_help {
  std::string name;
  std::string description;
  std::vector<positional_help> positionals;
  std::vector<option_group> groups;
  std::string footer;
};

struct command_help {
  word_help global;  // the command itself
  std::vector<word_help> words;
};

command_help help_as_data(const CLI::App& app);

// All options of the word, whatever their group.
std::vector<option_help> options_of(const word_help& word);

}  // namespace halfulp::cli
