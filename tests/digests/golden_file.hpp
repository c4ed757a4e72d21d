// The committed digests: a line for each group, "NAME DIGEST", after comments that start with #.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>

namespace digests {

using digest_table = std::map<std::string, std::uint64_t, std::less<>>;

// Sixteen hexadecimal digits.
std::string digest_text(std::uint64_t digest);

// Throws std::runtime_error that names the line where the file is not as above.
digest_table read_golden_file(const std::string& path);

}  // namespace digests
