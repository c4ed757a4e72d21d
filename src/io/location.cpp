// SPDX-License-Identifier: Apache-2.0
#include "io/location.hpp"

#include <unistd.h>

#include <algorithm>

#include "base/error.hpp"

namespace halfulp::io {

namespace {

const format* format_of(std::string_view path) {
  if (path == "-") return &formats().front();
  const auto found = std::find_if(formats().begin(), formats().end(), [&](const format& format) {
    return path.ends_with(format.ending);
  });
  return found == formats().end() ? nullptr : &*found;
}

std::optional<location> split_name(const std::string& where) {
  for (const format& format : formats()) {
    if (!format.named_tensors) continue;
    const std::size_t at = where.find(std::string(format.ending) + ':');
    if (at == std::string::npos) continue;
    const std::size_t colon = at + format.ending.size();
    return location{&format, where.substr(0, colon), where.substr(colon + 1)};
  }
  return {};
}

[[noreturn]] void fail_ending(const std::string& where, std::string_view standard) {
  std::string endings;
  for (const format& format : formats()) {
    endings += fmt::format("{}{}", endings.empty() ? "" : ", ", format.ending);
  }
  fail(errc::invalid_argument, "{}: unknown ending; known are {}, and - for {} as npy",
       where.empty() ? "\"\"" : printable(where, longest_path), endings, standard);
}

}  // namespace

location locate_input(const std::string& where) {
  const format* whole = format_of(where);
  std::optional<location> split = split_name(where);
  if (split && (whole == nullptr || ::access(where.c_str(), F_OK) != 0)) return *std::move(split);
  if (whole == nullptr) fail_ending(where, "standard input");
  return {whole, where, {}};
}

location locate_output(const std::string& where) {
  const format* whole = format_of(where);
  if (whole == nullptr) {
    // Taking the name would look as if one tensor of the file were replaced, and the others kept.
    if (const auto split = split_name(where)) {
      fail(errc::invalid_argument,
           "{}: an output is a whole file, without :NAME; its tensor is named after the output",
           printable(where, longest_path));
    }
    fail_ending(where, "standard output");
  }
  return {whole, where, {}};
}

}  // namespace halfulp::io
