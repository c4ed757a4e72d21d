// Walking over a protobuf message.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <protozero/pbf_reader.hpp>

namespace halfulp::io {

// protobuf's own limit: a message's size fits an int32.
inline constexpr std::size_t largest_message = 0x7fffffff;

// message.next(), but for numbers that protozero cuts to 32 bits: a tag or a length that does not
// fit is an error here, as it is in protobuf, not another field or a shorter one. Throws a
// protozero::exception, as every step over a malformed message does.
inline bool next_field(protozero::pbf_reader& message) {
  const auto peek_varint = [&message] {
    const protozero::data_view left = message.data();
    const char* at = left.data();
    return protozero::decode_varint(&at, left.data() + left.size());
  };
  if (!message) return false;
  if (peek_varint() > std::numeric_limits<std::uint32_t>::max()) {
    throw protozero::invalid_tag_exception{};
  }
  message.next();
  if (message.has_wire_type(protozero::pbf_wire_type::length_delimited) &&
      peek_varint() > largest_message) {
    throw protozero::end_of_buffer_exception{};
  }
  return true;
}

}  // namespace halfulp::io
