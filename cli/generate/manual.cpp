// SPDX-License-Identifier: Apache-2.0
#include "generate/manual.hpp"

#include <fmt/format.h>

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

namespace halfulp::cli {
namespace {

// `text` as roff prints it unchanged. Every hyphen becomes a minus: most of them belong to options
// and numbers, which a reader copies and searches for.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\\':
        out += "\\(rs";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      case '"':
        out += "\\(dq";
        break;
      case '`':
        out += "\\(ga";
        break;
      case '^':
        out += "\\(ha";
        break;
      case '~':
        out += "\\(ti";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// A line of text, which must not look like a request. (A quote, which starts one too, is escaped.)
std::string text_line(std::string_view text) {
  const std::string line = escaped(text);
  return (line.starts_with('.') ? "\\&" : "") + line + "\n";
}

std::string bold(std::string_view text) { return "\\fB" + escaped(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + escaped(text) + "\\fR"; }

std::vector<std::string_view> split(std::string_view text, std::string_view separator) {
  std::vector<std::string_view> out;
  for (std::size_t end; (end = text.find(separator)) != std::string_view::npos;) {
    out.push_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  out.push_back(text);
  return out;
}

// Lines that are filled, but for those that start with two spaces, which are examples.
std::string filled(std::string_view text) {
  constexpr std::string_view indent = "  ";
  std::string out;
  bool example = false;
  for (std::string_view line : split(text, "\n")) {
    if (line.starts_with(indent) != example) {
      example = !example;
      out += example ? ".RS 4\n.nf\n" : ".fi\n.RE\n";
    }
    if (example) line.remove_prefix(indent.size());
    out += text_line(line);
  }
  if (example) out += ".fi\n.RE\n";
  return out;
}

std::string paragraphs(std::string_view text) {
  std::string out;
  if (text.empty()) return out;
  for (const std::string_view part : split(text, "\n\n")) out += ".PP\n" + filled(part);
  return out;
}

std::string in_capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// The same, where a paragraph that starts "Label: " or "Label:\n" is a section of that name.
std::string sections(std::string_view text) {
  constexpr std::size_t longest_label = 20;
  std::string out;
  if (text.empty()) return out;
  for (const std::string_view part : split(text, "\n\n")) {
    const std::size_t colon = part.find(':');
    if (colon <= longest_label && colon + 2 < part.size() &&
        (part[colon + 1] == ' ' || part[colon + 1] == '\n')) {
      std::string body(part.substr(colon + 2));
      body[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(body[0])));
      out += ".SH " + in_capitals(std::string(part.substr(0, colon))) + "\n" + filled(body);
    } else {
      out += ".PP\n" + filled(part);
    }
  }
  return out;
}

std::string option_entry(const option_help& option) {
  std::string out = ".TP\n";
  for (const auto& name : option.names) {
    if (&name != &option.names.front()) out += ", ";
    out += bold(name);
  }
  if (!option.value.empty()) out += " " + italic(option.value);
  if (option.repeatable) out += " ...";
  return out + "\n" + text_line(option.description);
}

std::string option_entries(const word_help& word) {
  std::string out;
  for (const auto& group : word.groups) {
    // The first group is CLI11's own, "Options".
    if (&group != &word.groups.front()) out += ".PP\n" + text_line(group.name + ":");
    for (const auto& option : group.options) out += option_entry(option);
  }
  return out;
}

std::string usage(const command_help& command, const word_help& word) {
  std::string out = bold(command.global.name) + " " + bold(word.name);
  for (const auto& positional : word.positionals) {
    out +=
        positional.required ? " " + italic(positional.name) : " [" + italic(positional.name) + "]";
  }
  return out + " [" + italic("OPTIONS") + "]\n";
}

std::string word_section(const command_help& command, const word_help& word) {
  std::string out = fmt::format(".SS {} {}\n", escaped(command.global.name), escaped(word.name));
  out += usage(command, word);
  out += ".PP\n" + text_line(word.description + ".");
  for (const auto& positional : word.positionals) {
    out += ".TP\n" + italic(positional.name) + "\n" + text_line(positional.description);
  }
  return out + option_entries(word) + paragraphs(word.footer);
}

// "Computes x." as whatis(1) shows it.
std::string summary(std::string text) {
  text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  if (text.ends_with('.')) text.pop_back();
  return text;
}

}  // namespace

std::string make_manual(const command_help& command, std::string_view version) {
  const word_help& global = command.global;
  std::string out = ".\\\" Made from the command's own help. SPDX-License-Identifier: Apache-2.0\n";
  out += fmt::format(".TH HALFULP 1 \"\" \"halfulp {}\" \"User Commands\"\n", escaped(version));
  out += ".nh\n.ad l\n";  // names and keys stay in one piece
  out += fmt::format(".SH NAME\n{} \\- {}\n", global.name, escaped(summary(global.description)));
  out += ".SH SYNOPSIS\n";
  for (const auto& word : command.words) {
    if (&word != &command.words.front()) out += ".br\n";
    out += usage(command, word);
  }
  for (const auto& option : options_of(global)) {
    out += ".br\n" + bold(global.name) + " " + bold(option.names.back()) + "\n";
  }
  out += ".SH DESCRIPTION\n" + text_line(global.description);
  out += ".SH OPTIONS\n" + option_entries(global);
  out += ".SH COMMANDS\n";
  for (const auto& word : command.words) out += word_section(command, word);
  return out + sections(global.footer);
}

}  // namespace halfulp::cli
