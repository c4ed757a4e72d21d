// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <fmt/format.h>

#include <charconv>
#include <system_error>

#include "schema/table.hpp"

namespace halfulp::cli {
namespace {

template <typename T>
T parse_number(std::string_view option, std::string_view text, std::string_view what) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  if (status == std::errc::result_out_of_range && stop == end) {
    throw usage_error(fmt::format("{}: {} is out of range", option, text));
  }
  if (status != std::errc() || stop != end) {
    throw usage_error(fmt::format("{}: '{}' is not {}", option, text, what));
  }
  return value;
}

}  // namespace

std::int64_t parse_integer(std::string_view option, std::string_view text) {
  return parse_number<std::int64_t>(option, text, "an integer");
}

std::vector<std::int64_t> parse_integers(std::string_view option, std::string_view text) {
  std::vector<std::int64_t> list;
  if (text.empty()) return list;
  std::size_t begin = 0;
  for (;;) {
    const std::size_t comma = text.find(',', begin);
    list.push_back(parse_integer(option, text.substr(begin, comma - begin)));
    if (comma == std::string_view::npos) return list;
    begin = comma + 1;
  }
}

double parse_real(std::string_view option, std::string_view text) {
  return parse_number<double>(option, text, "a number");
}

int parse_threads(const std::optional<std::string>& text) {
  if (!text) return 0;
  const std::int64_t threads = parse_integer("--threads", *text);
  if (threads < 1 || threads > max_threads) {
    throw usage_error(
        fmt::format("--threads: {} is out of range (allowed: 1 to {})", threads, max_threads));
  }
  return static_cast<int>(threads);
}

dtype parse_type(std::string_view option, std::string_view text) {
  if (const auto type = dtype_from_name(text)) return *type;
  throw usage_error(fmt::format("{}: '{}' is not a type (known: {})", option, text,
                                schema::list_types(schema::all_types)));
}

op parse_operator(std::string_view text) {
  try {
    return op_from_name(text);
  } catch (const error& e) {
    throw usage_error(e.what());
  }
}

}  // namespace halfulp::cli
