// SPDX-License-Identifier: Apache-2.0
#include "io/safetensors.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <tuple>
#include <utility>

#include "base/error.hpp"
#include "base/list_text.hpp"
#include "base/shape.hpp"
#include "io/byte_order.hpp"
#include "io/checks.hpp"
#include "io/safetensors_header.hpp"

namespace halfulp::io::safetensors {

namespace {

constexpr std::uint64_t longest_header = 100'000'000;  // as in the reference implementation
constexpr std::size_t alignment = 8;                   // of the data section

struct type_rule {
  std::string_view name;
  unsigned bits;
  std::optional<dtype> type = {};
};

constexpr type_rule type_rules[] = {
    {"BF16", 16, dtype::bfloat16},
    {"F16", 16, dtype::float16},
    {"F32", 32, dtype::float32},
    {"F64", 64, dtype::float64},
    {"I32", 32, dtype::int32},
    {"I64", 64, dtype::int64},
    {"U32", 32, dtype::uint32},
    {"U64", 64, dtype::uint64},
    {"BOOL", 8},
    {"U8", 8},
    {"I8", 8},
    {"U16", 16},
    {"I16", 16},
    {"C64", 64},
    {"F8_E4M3", 8},
    {"F8_E5M2", 8},
    {"F8_E8M0", 8},
    {"F8_E4M3FNUZ", 8},
    {"F8_E5M2FNUZ", 8},
    {"F6_E2M3", 6},
    {"F6_E3M2", 6},
    {"F4", 4},
};

const type_rule* find_rule(std::string_view name) {
  const auto found = std::find_if(std::begin(type_rules), std::end(type_rules),
                                  [&](const type_rule& rule) { return rule.name == name; });
  return found == std::end(type_rules) ? nullptr : found;
}

std::string label_of(const input_file& in, std::string_view tensor) {
  return fmt::format("{}: tensor '{}'", in.label(), printable(tensor));
}

// Whether `size` bytes are what `count` elements take.
bool fits(std::uint64_t count, unsigned bits, std::uint64_t size) {
  std::uint64_t total = 0;
  return !__builtin_mul_overflow(count, bits, &total) && total % 8 == 0 && total / 8 == size;
}

// The tensors of the file, in the order of their elements, after every check of the header and of
// the offsets against each other and the file's size. The input is left at the data section.
std::vector<tensor_info> read_header(input_file& in) {
  if (!in.remaining()) {
    fail(errc::io, "{}: is no regular file, as a .safetensors file must be", in.label());
  }
  std::array<std::byte, 8> length_bytes;
  in.read(length_bytes, "header's length");
  std::uint64_t length = 0;
  std::memcpy(&length, length_bytes.data(), length_bytes.size());
  if (length > longest_header) {
    fail(errc::invalid_file, "{}: has a header of {} bytes; at most {} are allowed", in.label(),
         length, longest_header);
  }
  const buffer text = in.read(length, "header");
  std::vector<entry> entries =
      parse_header({reinterpret_cast<const char*>(text.get()), length}, in.label());
  // Empty tensors may share their offsets.
  std::sort(entries.begin(), entries.end(), [](const entry& a, const entry& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });

  const std::uint64_t data_section = length_bytes.size() + length;
  const std::uint64_t data_bytes = in.remaining().value_or(0);
  std::vector<tensor_info> tensors;
  tensors.reserve(entries.size());
  std::uint64_t next = 0;
  for (entry& entry : entries) {
    const std::string label = label_of(in, entry.name);
    if (entry.begin != next || entry.end < entry.begin) {
      fail(errc::invalid_file,
           "{} has data_offsets [{},{}], which leave a hole or overlap: byte {} comes next", label,
           entry.begin, entry.end, next);
    }
    if (entry.end > data_bytes) {
      fail(errc::invalid_file, "{} ends at byte {} of the data, which has {}", label, entry.end,
           data_bytes);
    }
    const type_rule* rule = find_rule(entry.dtype);
    const std::size_t count = checked_bytes(label, entry.shape, 1);
    // The format gains types now and then; nothing is known of the size of a new one.
    if (rule != nullptr && !fits(count, rule->bits, entry.end - entry.begin)) {
      fail(errc::invalid_file, "{} has {} bytes, which are not what the shape {} of type {} needs",
           label, entry.end - entry.begin, format_shape(entry.shape), rule->name);
    }
    next = entry.end;
    tensor_info& info = tensors.emplace_back();
    info.name = std::move(entry.name);
    info.stored_type = std::move(entry.dtype);
    if (rule != nullptr) info.type = rule->type;
    info.shape = std::move(entry.shape);
    info.data_offset = data_section + entry.begin;
    info.data_bytes = entry.end - entry.begin;
  }
  if (data_bytes != next) {
    fail(errc::invalid_file, "{}: has {} bytes after the data", in.label(), data_bytes - next);
  }
  return tensors;
}

std::string list_names(const std::vector<tensor_info>& tensors) {
  return list_first(tensors, 5, [](const tensor_info& tensor) { return printable(tensor.name); });
}

const tensor_info& find_tensor(const std::vector<tensor_info>& tensors, const std::string& name,
                               const input_file& in) {
  const auto found = std::find_if(tensors.begin(), tensors.end(),
                                  [&](const tensor_info& info) { return info.name == name; });
  if (found == tensors.end()) {
    fail(errc::invalid_file, "{}: has no tensor '{}'; it has {}", in.label(), printable(name),
         tensors.empty() ? "none" : list_names(tensors));
  }
  return *found;
}

const tensor_info& pick(const std::vector<tensor_info>& tensors, const request& request,
                        const input_file& in) {
  if (request.tensor_name) return find_tensor(tensors, *request.tensor_name, in);
  if (tensors.empty()) fail(errc::invalid_file, "{}: has no tensor", in.label());
  if (tensors.size() > 1) {
    fail(errc::invalid_file, "{}: has {} tensors; pick one as {}:NAME: {}", in.label(),
         tensors.size(), in.label(), list_names(tensors));
  }
  return tensors.front();
}

}  // namespace

loaded_tensor read(input_file& in, const request& request) {
  const std::vector<tensor_info> tensors = read_header(in);
  const tensor_info& info = pick(tensors, request, in);
  const std::string label = label_of(in, info.name);
  check_declared(label, info, request.declared);
  loaded_tensor tensor;
  tensor.name = info.name;
  tensor.layout.type = supported_type(label, info);
  tensor.layout.shape = info.shape;
  tensor.layout.strides = c_strides(info.shape, size_of(tensor.layout.type));
  in.skip(info.data_offset - tensors.front().data_offset, "data");
  tensor.storage = in.read(info.data_bytes, "data");
  tensor.data = tensor.storage.get();
  return tensor;
}

file_info inspect(input_file& in, const request& request) {
  std::vector<tensor_info> tensors = read_header(in);
  if (request.tensor_name) tensors = {find_tensor(tensors, *request.tensor_name, in)};
  for (const tensor_info& info : tensors) {
    check_declared(label_of(in, info.name), info, request.declared);
  }
  return {"safetensors", std::move(tensors)};
}

element_writer prepare(const output_tensor& tensor, const std::string& label) {
  const auto rule = std::find_if(std::begin(type_rules), std::end(type_rules),
                                 [&](const type_rule& row) { return row.type == tensor.type; });
  std::string text =
      format_header({tensor.name, std::string(rule->name), tensor.shape, 0, tensor.bytes}, label);
  text.resize((text.size() + alignment - 1) / alignment * alignment, ' ');
  if (text.size() > longest_header) {
    fail(errc::invalid_file, "{}: the tensor's name is too long", label);
  }
  const std::uint64_t length = text.size();
  std::string header(sizeof(length), '\0');
  std::memcpy(header.data(), &length, sizeof(length));
  return header_then_elements(header + text, tensor.bytes);
}

}  // namespace halfulp::io::safetensors
