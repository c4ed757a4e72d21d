// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#include "base/processor_count.hpp"
#include "halfulp/halfulp.hpp"

namespace halfulp {

namespace {

constexpr const char* variable = "HALFULP_NUM_THREADS";

int find_default() {
  // Safe unless the program changes its environment meanwhile, which POSIX leaves to the program.
  const char* const value = std::getenv(variable);  // NOLINT(concurrency-mt-unsafe)
  if (value == nullptr) return std::min(processor_count(), max_threads);
  const std::string_view text(value);
  int threads = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), threads);
  if (error != std::errc() || end != text.data() + text.size() || threads < 1 ||
      threads > max_threads) {
    fail(errc::invalid_argument, "{} is '{}' (allowed: 1 to {})", variable, printable(text),
         max_threads);
  }
  return threads;
}

}  // namespace

int default_threads() {
  // A refusal is thrown again at the next call.
  static const int threads = find_default();
  return threads;
}

}  // namespace halfulp
