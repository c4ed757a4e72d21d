// .npy files made by hand.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace halfulp::io::test {

inline std::string little_endian(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
  return text;
}

inline std::string npy_file(std::string_view dictionary, std::string_view data, int major = 1,
                            int minor = 0) {
  std::string file = "\x93NUMPY";
  file += static_cast<char>(major);
  file += static_cast<char>(minor);
  file += little_endian(dictionary.size(), major == 1 ? 2 : 4);
  file += dictionary;
  return file + std::string(data);
}

}  // namespace halfulp::io::test
