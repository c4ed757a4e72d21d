// Walking over the protobuf messages of a model, with errors that name the byte.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <protozero/pbf_reader.hpp>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/wire.hpp"

namespace halfulp::onnx {

using byte_span = std::span<const std::byte>;

// The content of a model file, which outlives all that is read from it, and its name.
class model_source {
 public:
  model_source(byte_span content, std::string label)
      : content_(content), label_(std::move(label)) {}

  byte_span content() const noexcept { return content_; }
  const std::string& label() const noexcept { return label_; }

  // Throws error(invalid_file) that names the byte: "m.onnx: byte 12: NodeProto ...".
  [[noreturn]] void fail_at(const void* at, std::string_view text) const;

 private:
  byte_span content_;
  std::string label_;
};

// The current field of a message. Each reader throws error(invalid_file) for a wire type that the
// field cannot have.
class field {
 public:
  field(const model_source& source, std::string_view message, protozero::pbf_reader& reader,
        const void* at) noexcept
      : source_(source), message_(message), reader_(reader), at_(at) {}

  std::uint32_t number() const { return reader_.tag(); }
  const void* at() const noexcept { return at_; }

  std::string_view text();
  byte_span message();
  std::int64_t integer();
  float real();

  // A repeated scalar, packed or not: how many values the field has, and the same appended.
  std::size_t count_integers();
  std::size_t count_reals();
  void integers(std::vector<std::int64_t>& to);
  void reals(std::vector<float>& to);

  bool was_read() const noexcept { return was_read_; }

 private:
  void expect(protozero::pbf_wire_type type);
  bool is_packed() const;

  const model_source& source_;
  std::string_view message_;
  protozero::pbf_reader& reader_;
  const void* at_;
  bool was_read_ = false;
};

// Calls visit(field&) for each field of a message of type `name`; one that it leaves unread is
// skipped. Throws error(invalid_file) where the message is malformed.
template <typename Visit>
void for_each_field(const model_source& source, byte_span message, std::string_view name,
                    Visit visit) {
  protozero::pbf_reader reader(reinterpret_cast<const char*>(message.data()), message.size());
  const void* at = message.data();
  try {
    for (;;) {
      at = reader.data().data();
      if (!io::next_field(reader)) return;
      field current(source, name, reader, at);
      visit(current);
      if (!current.was_read()) reader.skip();
    }
  } catch (const protozero::exception&) {
    source.fail_at(at, std::string(name) + " is cut off or damaged");
  }
}

}  // namespace halfulp::onnx
