// SPDX-License-Identifier: Apache-2.0
#include "generate/help.hpp"

namespace halfulp::cli {
namespace {

option_help option_as_data(const CLI::Option& option) {
  option_help out;
  for (const auto& name : option.get_snames()) out.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) out.names.push_back("--" + name);
  const bool is_flag = option.get_type_size() == 0 || option.get_items_expected_max() == 0;
  if (!is_flag) out.value = option.get_type_name();
  out.description = option.get_description();
  out.repeatable = option.get_items_expected_max() > 1 ||
                   option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
  return out;
}

word_help word_as_data(const CLI::App& app) {
  word_help out{app.get_name(), app.get_description(), {}, {}, app.get_footer()};
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) {
      out.positionals.push_back(
          {option->get_name(true), option->get_description(), option->get_required()});
    }
  }
  for (const std::string& group : app.get_groups()) {
    option_group options{group, {}};
    for (const CLI::Option* option : app.get_options()) {
      if (option->nonpositional() && option->get_group() == group) {
        options.options.push_back(option_as_data(*option));
      }
    }
    // An option without a group is hidden from the help.
    if (!group.empty() && !options.options.empty()) out.groups.push_back(std::move(options));
  }
  return out;
}

}  // namespace

command_help help_as_data(const CLI::App& app) {
  command_help out{word_as_data(app), {}};
  for (const CLI::App* word : app.get_subcommands(nullptr))
    out.words.push_back(word_as_data(*word));
  return out;
}

std::vector<option_help> options_of(const word_help& word) {
  std::vector<option_help> out;
  for (const auto& group : word.groups) {
    out.insert(out.end(), group.options.begin(), group.options.end());
  }
  return out;
}

}  // namespace halfulp::cli
