// SPDX-License-Identifier: Apache-2.0
#include "onnx/message.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace halfulp::onnx {

using wire = protozero::pbf_wire_type;

void model_source::fail_at(const void* at, std::string_view text) const {
  fail(errc::invalid_file, "{}: byte {}: {}", label_,
       static_cast<const std::byte*>(at) - content_.data(), text);
}

void field::expect(wire type) {
  was_read_ = true;
  if (reader_.wire_type() == type) return;
  source_.fail_at(
      at_, fmt::format("field {} of {} has wire type {}, not {}", number(), message_,
                       static_cast<unsigned>(reader_.wire_type()), static_cast<unsigned>(type)));
}

bool field::is_packed() const { return reader_.has_wire_type(wire::length_delimited); }

std::string_view field::text() {
  expect(wire::length_delimited);
  const protozero::data_view view = reader_.get_view();
  return {view.data(), view.size()};
}

byte_span field::message() {
  const std::string_view view = text();
  return std::as_bytes(std::span(view.data(), view.size()));
}

std::int64_t field::integer() {
  expect(wire::varint);
  return reader_.get_int64();
}

float field::real() {
  expect(wire::fixed32);
  return reader_.get_float();
}

std::size_t field::count_integers() {
  if (!is_packed()) {
    integer();
    return 1;
  }
  // Each varint ends with the one byte below 0x80.
  const std::string_view packed = text();
  return static_cast<std::size_t>(std::count_if(
      packed.begin(), packed.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
}

std::size_t field::count_reals() {
  if (!is_packed()) {
    real();
    return 1;
  }
  return text().size() / sizeof(float);
}

void field::integers(std::vector<std::int64_t>& to) {
  if (!is_packed()) return to.push_back(integer());
  was_read_ = true;
  for (const std::int64_t value : reader_.get_packed_int64()) to.push_back(value);
}

void field::reals(std::vector<float>& to) {
  if (!is_packed()) return to.push_back(real());
  was_read_ = true;
  for (const float value : reader_.get_packed_float()) to.push_back(value);
}

}  // namespace halfulp::onnx
