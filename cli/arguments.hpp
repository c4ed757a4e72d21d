// Arguments from their text, strictly: all of it must be used. CLI11's own conversions would take
// 010 for 8 and "true" for 1.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "halfulp/halfulp.hpp"

namespace halfulp::cli {

// The command line itself is wrong: exit status 2.
class usage_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Each throws usage_error; `option` is what the message calls the argument.

// A decimal integer that fits 64 bits.
std::int64_t parse_integer(std::string_view option, std::string_view text);

// Decimal integers with commas between them; the empty text is the empty list.
std::vector<std::int64_t> parse_integers(std::string_view option, std::string_view text);

// A decimal number in float64's range; also "inf" and "nan".
double parse_real(std::string_view option, std::string_view text);

// Of --threads: 1 to max_threads; 0, the library's default, where not given.
int parse_threads(const std::optional<std::string>& text);

dtype parse_type(std::string_view option, std::string_view text);

op parse_operator(std::string_view text);

}  // namespace halfulp::cli
