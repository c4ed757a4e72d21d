// SPDX-License-Identifier: Apache-2.0
#include "base/error.hpp"

#include <cstdint>

namespace halfulp {

namespace {

// The length of the UTF-8 sequence that `text` starts with; 0 if there is none. Overlong forms,
// surrogates and what lies beyond U+10FFFF are none.
std::size_t decode(std::string_view text, std::uint32_t* code) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const std::size_t length = first < 0x80                    ? 1
                             : first >= 0xc2 && first < 0xe0 ? 2
                             : first >= 0xe0 && first < 0xf0 ? 3
                             : first >= 0xf0 && first < 0xf5 ? 4
                                                             : 0;
  if (length == 0 || text.size() < length) return 0;
  *code = length == 1 ? first : first & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    *code = *code << 6 | (byte(i) & 0x3f);
  }
  const bool overlong = (length == 3 && *code < 0x800) || (length == 4 && *code < 0x10000);
  const bool surrogate = *code >= 0xd800 && *code < 0xe000;
  return overlong || surrogate || *code > 0x10ffff ? 0 : length;
}

// What changes how the rest of a line looks: controls, line and paragraph separators, marks and
// overrides of the direction of writing.
bool is_control(std::uint32_t code) {
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x61c || code == 0x200b ||
         code == 0x200e || code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
         (code >= 0x2060 && code <= 0x2069) || code == 0xfeff;
}

}  // namespace

std::string printable(std::string_view text, std::size_t limit) {
  std::string out;
  std::size_t shown = 0;
  while (!text.empty()) {
    if (shown++ == limit) return out + "...";
    std::uint32_t code = 0;
    const std::size_t length = decode(text, &code);
    const std::string_view head = text.substr(0, length == 0 ? 1 : length);
    if (length != 0 && !is_control(code)) {
      out += head;
    } else {
      for (const char c : head) out += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    text.remove_prefix(head.size());
  }
  return out;
}

}  // namespace halfulp
