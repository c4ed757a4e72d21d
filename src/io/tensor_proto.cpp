// SPDX-License-Identifier: Apache-2.0
#include "io/tensor_proto.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <limits>
#include <optional>
#include <protozero/pbf_writer.hpp>

#include "base/error.hpp"
#include "base/shape.hpp"
#include "io/byte_order.hpp"
#include "io/checks.hpp"
#include "io/tensor_proto_schema.hpp"
#include "io/wire.hpp"

namespace halfulp::io::tensor_proto {

namespace {

template <typename Visit>
void visit_elements(protozero::pbf_reader& message, wire element, Visit visit) {
  const bool packed = message.has_wire_type(wire::length_delimited);
  const auto visit_all = [&](const auto& range) {
    for (const auto bits : range) visit(std::uint64_t{bits});
  };
  switch (element) {
    case wire::fixed32:
      return packed ? visit_all(message.get_packed_fixed32()) : visit(message.get_fixed32());
    case wire::fixed64:
      return packed ? visit_all(message.get_packed_fixed64()) : visit(message.get_fixed64());
    default:
      return packed ? visit_all(message.get_packed_uint64()) : visit(message.get_uint64());
  }
}

std::string_view get_text(protozero::pbf_reader& message) {
  const protozero::data_view view = message.get_view();
  return {view.data(), view.size()};
}

// What a message says, as it stands there.
struct content {
  std::vector<std::int64_t> shape;
  std::int32_t data_type = 0;
  std::string_view name;
  std::optional<std::string_view> raw;
  bool is_external = false;
  std::optional<std::string_view> location, offset, length;     // of external data
  std::array<std::size_t, field::uint64_data + 1> counts = {};  // elements of each typed field
};

protozero::pbf_reader reader_of(std::span<const std::byte> message) {
  return {reinterpret_cast<const char*>(message.data()), message.size()};
}

// One StringStringEntryProto of external_data.
void read_external_entry(protozero::pbf_reader entry, content& result, std::string_view label) {
  std::string_view key, value;
  while (next_field(entry)) {
    const bool is_text = entry.has_wire_type(wire::length_delimited);
    if (is_text && entry.tag() == entry_field::key) {
      key = get_text(entry);
    } else if (is_text && entry.tag() == entry_field::value) {
      value = get_text(entry);
    } else {
      entry.skip();
    }
  }
  // A digest of the whole file, which would have to be read for it: no reader of models does.
  if (key == "checksum") return;
  std::optional<std::string_view>* const place = key == "location" ? &result.location
                                                 : key == "offset" ? &result.offset
                                                 : key == "length" ? &result.length
                                                                   : nullptr;
  if (place == nullptr) {
    fail(errc::invalid_file,
         "{}: external_data has the key '{}'; known are location, offset, length and checksum",
         label, printable(key));
  }
  if (*place) fail(errc::invalid_file, "{}: external_data has the key {} twice", label, key);
  *place = value;
}

// Reads the current field.
void read_field(protozero::pbf_reader& message, const field_rule& rule, content& result,
                std::string_view label) {
  const wire type = message.wire_type();
  const bool known = type == rule.type || (rule.packable && type == wire::length_delimited);
  if (!known) {
    fail(errc::invalid_file, "{}: is no ONNX TensorProto: its field {} ({}) has wire type {}",
         label, rule.number, rule.name, static_cast<std::uint32_t>(type));
  }
  switch (rule.number) {
    case field::dims:
      visit_elements(message, rule.type, [&](std::uint64_t extent) {
        if (result.shape.size() == max_rank) {
          fail(errc::invalid_file, "{}: has more than {} dims, the most that are allowed", label,
               max_rank);
        }
        result.shape.push_back(static_cast<std::int64_t>(extent));
      });
      break;
    case field::data_type:
      result.data_type = message.get_int32();
      break;
    case field::name:
      result.name = get_text(message);
      break;
    case field::raw_data:
      result.raw = get_text(message);
      break;
    case field::float_data:
    case field::int32_data:
    case field::int64_data:
    case field::double_data:
    case field::uint64_data:
      visit_elements(message, rule.type, [&](std::uint64_t) { ++result.counts[rule.number]; });
      break;
    case field::string_data:
      ++result.counts[field::string_data];
      message.skip();
      break;
    case field::segment:
      fail(errc::invalid_file, "{}: is one segment of a tensor; only whole tensors are supported",
           label);
    case field::external_data:
      read_external_entry(message.get_message(), result, label);
      break;
    case field::data_location: {
      const std::int32_t place = message.get_int32();
      if (place != data_location::standard && place != data_location::external) {
        fail(errc::invalid_file, "{}: has the unknown data_location {}", label, place);
      }
      result.is_external = place == data_location::external;
      break;
    }
  }
}

// Calls `step(message, rule)` at each field that TensorProto knows.
template <typename Step>
void walk(std::span<const std::byte> bytes, std::string_view label, Step step) {
  try {
    protozero::pbf_reader message = reader_of(bytes);
    while (next_field(message)) {
      if (const field_rule* rule = find_rule(message.tag())) {
        step(message, *rule);
      } else {
        message.skip();
      }
    }
  } catch (const protozero::exception&) {
    fail(errc::invalid_file, "{}: is no ONNX TensorProto, or one that is cut off or damaged",
         label);
  }
}

// Checks that the elements are where their type says, and as many as the shape has.
void check_elements(const content& content, const type_rule& rule, std::size_t item_size,
                    std::string_view label) {
  const std::size_t bytes = checked_bytes(label, content.shape, item_size);
  for (std::uint32_t number = 0; number < content.counts.size(); ++number) {
    if (content.counts[number] == 0) continue;
    const std::string_view place = find_rule(number)->name;
    if (content.raw) {
      fail(errc::invalid_file, "{}: has elements in raw_data and in {}", label, place);
    }
    if (number != rule.data_field) {
      fail(errc::invalid_file,
           "{}: has elements in {}; those of type {} belong into raw_data or {}", label, place,
           rule.name, find_rule(rule.data_field)->name);
    }
  }
  const std::size_t stored =
      content.raw ? content.raw->size() : content.counts[rule.data_field] * item_size;
  if (stored != bytes) {
    fail(errc::invalid_file, "{}: has {} bytes of elements; the shape {} of type {} needs {}",
         label, stored, format_shape(content.shape), rule.name, bytes);
  }
}

// Decimal digits, as ONNX writes offsets and lengths.
std::uint64_t parse_size(std::string_view key, std::string_view text, std::string_view label) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, status] = std::from_chars(text.data(), end, value);
  if (status != std::errc() || stop != end) {
    fail(errc::invalid_file, "{}: external_data has the {} '{}', which is no size in bytes", label,
         key, printable(text));
  }
  return value;
}

external_reference to_reference(const content& content, const tensor_info& info,
                                std::string_view label) {
  for (std::uint32_t number = 0; number < content.counts.size(); ++number) {
    if (content.counts[number] == 0) continue;
    fail(errc::invalid_file, "{}: has data_location EXTERNAL and elements in {}", label,
         find_rule(number)->name);
  }
  if (content.raw && !content.raw->empty()) {
    fail(errc::invalid_file, "{}: has data_location EXTERNAL and elements in raw_data", label);
  }
  if (!content.location) {
    fail(errc::invalid_file, "{}: external_data has no location", label);
  }
  external_reference reference{.location = *content.location, .offset = 0, .length = {}};
  if (content.offset) reference.offset = parse_size("offset", *content.offset, label);
  if (content.length) reference.length = parse_size("length", *content.length, label);
  if (info.type && reference.length && *reference.length != info.data_bytes) {
    fail(errc::invalid_file,
         "{}: external_data has the length {}; the shape {} of type {} needs {} bytes", label,
         *reference.length, format_shape(info.shape), info.stored_type, info.data_bytes);
  }
  return reference;
}

struct checked_content : content {
  const type_rule* rule = nullptr;
};

checked_content read_content(std::span<const std::byte> message, std::string_view label) {
  if (message.size() > largest_message) {
    fail(errc::invalid_file, "{}: has {} bytes, more than the {} of a protobuf message", label,
         message.size(), largest_message);
  }
  checked_content result;
  walk(message, label, [&](protozero::pbf_reader& at, const field_rule& rule) {
    read_field(at, rule, result, label);
  });
  if (result.data_type == 0) {
    fail(errc::invalid_file, "{}: is no ONNX TensorProto: it has no data_type", label);
  }
  const type_rule* rule = find_type(result.data_type);
  if (rule == nullptr) {
    fail(errc::invalid_file, "{}: has the unknown data_type {}", label, result.data_type);
  }
  result.rule = rule;
  if (result.location && !result.is_external) {
    fail(errc::invalid_file, "{}: has external_data, but data_location is not EXTERNAL", label);
  }
  if (rule->type && !result.is_external) {
    check_elements(result, *rule, size_of(*rule->type), label);
  } else {
    checked_bytes(label, result.shape, 1);
  }
  return result;
}

tensor_info to_info(const checked_content& content, std::span<const std::byte> message,
                    std::string_view label) {
  tensor_info info;
  info.name = content.name;
  info.stored_type = content.rule->name;
  info.type = content.rule->type;
  info.shape = content.shape;
  if (content.is_external) {
    if (info.type) info.data_bytes = checked_bytes(label, info.shape, size_of(*info.type));
  } else if (content.raw) {
    info.data_offset = static_cast<std::uint64_t>(content.raw->data() -
                                                  reinterpret_cast<const char*>(message.data()));
    info.data_bytes = content.raw->size();
  } else if (info.type) {
    info.data_bytes = content.counts[content.rule->data_field] * size_of(*info.type);
  }
  return info;
}

// The largest varint that is an element. The bits of 16-bit floats are in int32_data and uint32 in
// uint64_data, which hold more. An int32 is the low half of its varint, as for protobuf.
std::uint64_t highest_bits(dtype type) {
  switch (type) {
    case dtype::float16:
    case dtype::bfloat16:
      return 0xffff;
    case dtype::uint32:
      return 0xffffffff;
    default:
      return std::numeric_limits<std::uint64_t>::max();
  }
}

// Decodes the typed field into `to`, which has room for the elements that were counted.
void decode_elements(std::span<const std::byte> message, dtype type, const type_rule& type_rule,
                     std::byte* to, std::string_view label) {
  const std::size_t item_size = size_of(type);
  const std::uint64_t highest = highest_bits(type);
  walk(message, label, [&](protozero::pbf_reader& at, const field_rule& rule) {
    if (rule.number != type_rule.data_field) return at.skip();
    visit_elements(at, rule.type, [&](std::uint64_t bits) {
      if (bits > highest) {
        fail(errc::invalid_file, "{}: has {:#x} in {}; an element of type {} is at most {:#x}",
             label, bits, rule.name, type_rule.name, highest);
      }
      std::memcpy(to, &bits, item_size);
      to += item_size;
    });
  });
}

}  // namespace

description describe(std::span<const std::byte> message, std::string_view label) {
  const checked_content content = read_content(message, label);
  description result{to_info(content, message, label), {}};
  if (content.is_external) result.external = to_reference(content, result.info, label);
  return result;
}

void fail_external(std::string_view label) {
  fail(errc::invalid_file,
       "{}: has external_data (data_location EXTERNAL); only data inside of the file is supported",
       label);
}

loaded_tensor decode(std::span<const std::byte> message, std::string_view label) {
  const checked_content content = read_content(message, label);
  const tensor_info info = to_info(content, message, label);
  if (content.is_external) fail_external(label);
  loaded_tensor tensor;
  tensor.name = info.name;
  tensor.layout.type = supported_type(label, info);
  tensor.layout.shape = info.shape;
  tensor.layout.strides = c_strides(info.shape, size_of(tensor.layout.type));
  if (content.raw) {
    tensor.data = message.data() + info.data_offset;
  } else {
    tensor.storage = allocate_buffer(info.data_bytes);
    decode_elements(message, tensor.layout.type, *content.rule, tensor.storage.get(), label);
    tensor.data = tensor.storage.get();
  }
  return tensor;
}

std::string encode_header(dtype type, std::span<const std::int64_t> shape, std::string_view name,
                          std::size_t bytes, std::string_view label) {
  const auto rule = std::find_if(std::begin(type_rules), std::end(type_rules),
                                 [&](const type_rule& row) { return row.type == type; });
  std::string header;
  protozero::pbf_writer writer(header);
  // Not packed, as onnx.proto declares it.
  for (const std::int64_t extent : shape) writer.add_int64(field::dims, extent);
  writer.add_int32(field::data_type, rule->number);
  if (!name.empty()) writer.add_string(field::name, name.data(), name.size());
  protozero::add_varint_to_buffer(
      &header, field::raw_data << 3 | static_cast<std::uint32_t>(wire::length_delimited));
  protozero::add_varint_to_buffer(&header, bytes);
  if (bytes > largest_message || header.size() > largest_message - bytes) {
    fail(errc::invalid_file, "{}: would have {} bytes, more than the {} of a protobuf message",
         label, header.size() + bytes, largest_message);
  }
  return header;
}

}  // namespace halfulp::io::tensor_proto
