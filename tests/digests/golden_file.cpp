// SPDX-License-Identifier: Apache-2.0
#include "digests/golden_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <stdexcept>

namespace digests {

std::string digest_text(std::uint64_t digest) { return fmt::format("{:016x}", digest); }

digest_table read_golden_file(const std::string& path) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path + ": cannot be read");
  digest_table table;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.starts_with('#')) continue;
    const std::size_t space = line.rfind(' ');
    std::uint64_t digest = 0;
    const char* const end = line.data() + line.size();
    const char* const begin = space == std::string::npos ? end : line.data() + space + 1;
    const auto [stop, problem] = std::from_chars(begin, end, digest, 16);
    if (end - begin != 16 || stop != end || problem != std::errc() ||
        !table.emplace(line.substr(0, space), digest).second) {
      throw std::runtime_error(
          fmt::format("{}:{}: \"{}\" is no new name with its digest", path, number, line));
    }
  }
  return table;
}

}  // namespace digests
