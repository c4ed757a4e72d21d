// SPDX-License-Identifier: Apache-2.0
#include "output.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "base/error.hpp"

namespace halfulp::cli {
namespace {

[[noreturn]] void fail_output() {
  fail(errc::io, "cannot write standard output: {}", std::generic_category().message(errno));
}

}  // namespace

void write_output(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail_output();
}

void flush_output() {
  if (std::fflush(stdout) != 0) fail_output();
}

std::string one_line(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace halfulp::cli
