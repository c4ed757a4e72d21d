// SPDX-License-Identifier: Apache-2.0
#include "base/machine_memory.hpp"

#include <sys/sysinfo.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <limits>

namespace halfulp {

namespace {

// The limit of a control group, of version 2 or 1, as a container sees its own.
constexpr const char* limit_files[] = {"/sys/fs/cgroup/memory.max",
                                       "/sys/fs/cgroup/memory/memory.limit_in_bytes"};

std::size_t read_limit(const char* path) noexcept {
  std::size_t limit = std::numeric_limits<std::size_t>::max();
  std::FILE* const file = std::fopen(path, "re");
  if (file == nullptr) return limit;
  char text[32];
  const std::size_t size = std::fread(text, 1, sizeof(text), file);
  std::fclose(file);
  // Without a limit the file says "max", which is no number and leaves it as it is.
  std::from_chars(text, text + size, limit);
  return limit;
}

std::size_t find_memory() noexcept {
  std::size_t memory = std::numeric_limits<std::size_t>::max();
  struct sysinfo info {};
  if (::sysinfo(&info) == 0) memory = (info.totalram + info.totalswap) * info.mem_unit;
  for (const char* path : limit_files) memory = std::min(memory, read_limit(path));
  return memory;
}

}  // namespace

std::size_t machine_memory() noexcept {
  static const std::size_t memory = find_memory();
  return memory;
}

}  // namespace halfulp
