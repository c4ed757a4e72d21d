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

}  // namespace halfulp::cli
