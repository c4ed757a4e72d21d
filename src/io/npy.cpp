// SPDX-License-Identifier: Apache-2.0
#include "io/npy.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.hpp"
#include "base/shape.hpp"
#include "io/byte_order.hpp"
#include "io/checks.hpp"
#include "io/npy_header.hpp"

namespace halfulp::io::npy {

namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr std::size_t alignment = 64;  // of the elements in the file

// Version 1.0 cannot have a longer header; only structured types, which are none of ours, need one.
constexpr std::size_t longest_header = 65535;

// The letter and size that follow the byte order. numpy has no bfloat16 and stores its elements as
// two bytes without meaning.
constexpr std::string_view opaque_word = "V2";
constexpr std::pair<std::string_view, dtype> type_words[] = {
    {opaque_word, dtype::bfloat16}, {"f2", dtype::float16}, {"f4", dtype::float32},
    {"f8", dtype::float64},         {"i4", dtype::int32},   {"i8", dtype::int64},
    {"u4", dtype::uint32},          {"u8", dtype::uint64},
};

struct element_type {
  std::optional<dtype> type;
  bool big_endian = false;
};

// ">f4" to its parts. '|' says that there is no order and '=' that it is the machine's, as does
// none.
element_type parse_descr(std::string_view descr) {
  const bool has_order = descr.find_first_of("<>=|") == 0;
  const bool big_endian = descr.starts_with('>');
  const std::string_view word = descr.substr(has_order ? 1 : 0);
  for (const auto& [known, type] : type_words) {
    if (word == known && !(big_endian && known == opaque_word)) return {type, big_endian};
  }
  return {{}, big_endian};
}

std::size_t read_little_endian(std::span<const std::byte> bytes) {
  std::size_t value = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    value = value << 8 | std::to_integer<std::size_t>(bytes[i]);
  }
  return value;
}

struct preamble {
  tensor_info info;
  bool opaque = false;  // holds V2, and nothing says that it is bfloat16
  int version = 0;
};

// Reads and checks all that comes before the elements.
preamble read_preamble(input_file& in, std::optional<dtype> declared) {
  std::array<std::byte, magic.size() + 2> start;
  in.read(start, "header");
  if (!std::equal(magic.begin(), magic.end(), start.begin(),
                  [](char a, std::byte b) { return std::byte(a) == b; })) {
    fail(errc::invalid_file, "{}: is no npy file: it does not start with \\x93NUMPY", in.label());
  }
  preamble result;
  const auto major = std::to_integer<int>(start[magic.size()]);
  const auto minor = std::to_integer<int>(start[magic.size() + 1]);
  if (major < 1 || major > 3 || minor != 0) {
    fail(errc::invalid_file, "{}: has npy version {}.{}; known are 1.0, 2.0 and 3.0", in.label(),
         major, minor);
  }
  result.version = major;

  std::array<std::byte, 4> length_bytes;
  const auto length_field = std::span(length_bytes).first(major == 1 ? 2 : 4);
  in.read(length_field, "header");
  const std::size_t length = read_little_endian(length_field);
  if (length > longest_header) {
    fail(errc::invalid_file, "{}: has a header of {} bytes; at most {} are allowed", in.label(),
         length, longest_header);
  }
  std::string text(length, ' ');
  in.read(std::as_writable_bytes(std::span(text)), "header");
  header header = parse_header(text, in.label());

  const element_type element = parse_descr(header.descr);
  tensor_info& info = result.info;
  info.stored_type = std::move(header.descr);
  info.type = element.type;
  info.shape = std::move(header.shape);
  info.fortran_order = header.fortran_order;
  info.big_endian = element.big_endian;
  info.data_offset = start.size() + length_field.size() + length;
  // What is none of ours has elements of unknown size, but its shape is checked too.
  info.data_bytes =
      checked_bytes(in.label(), info.shape, element.type ? size_of(*element.type) : 1);
  if (element.type == dtype::bfloat16 && declared != dtype::bfloat16) {
    result.opaque = true;
    info.type.reset();
  }
  check_declared(in.label(), info, declared);
  return result;
}

}  // namespace

loaded_tensor read(input_file& in, const request& request) {
  const preamble preamble = read_preamble(in, request.declared);
  const tensor_info& info = preamble.info;
  if (preamble.opaque) {
    fail(errc::invalid_file,
         "{}: holds elements of type {}, which npy files of bfloat16 have; if that is what they "
         "are, pass --type bfloat16",
         in.label(), printable(info.stored_type));
  }
  loaded_tensor tensor;
  tensor.layout.type = supported_type(in.label(), info);
  tensor.layout.shape = info.shape;
  const std::size_t item_size = size_of(tensor.layout.type);
  tensor.layout.strides = info.fortran_order ? fortran_strides(info.shape, item_size)
                                             : c_strides(info.shape, item_size);
  tensor.storage = in.read(info.data_bytes, "data");
  in.expect_end();
  if (info.big_endian) swap_bytes({tensor.storage.get(), info.data_bytes}, item_size);
  tensor.data = tensor.storage.get();
  return tensor;
}

file_info inspect(input_file& in, const request& request) {
  preamble preamble = read_preamble(in, request.declared);
  if (preamble.info.type || preamble.opaque) {
    in.skip(preamble.info.data_bytes, "data");
    in.expect_end();
  } else {
    preamble.info.data_bytes = in.skip_rest();
  }
  return {fmt::format("npy {}.0", preamble.version), {std::move(preamble.info)}};
}

element_writer prepare(const output_tensor& tensor, const std::string&) {
  const auto word = std::find_if(std::begin(type_words), std::end(type_words),
                                 [&](const auto& row) { return row.second == tensor.type; });
  std::string text = format_header(fmt::format("<{}", word->first), tensor.shape);
  // Magic, version, length and text, padded with spaces and ended by a newline. The rank is
  // limited, so the length fits.
  const std::size_t before = magic.size() + 4;
  const std::size_t total = (before + text.size() + 1 + alignment - 1) / alignment * alignment;
  text.resize(total - before - 1, ' ');
  text += '\n';
  std::string header(magic);
  header +=
      {'\x01', '\x00', static_cast<char>(text.size() & 0xff), static_cast<char>(text.size() >> 8)};
  return header_then_elements(header + text, tensor.bytes);
}

}  // namespace halfulp::io::npy
