// SPDX-License-Identifier: Apache-2.0
#include "onnx/attribute.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <new>
#include <span>

#include "base/error.hpp"
#include "base/machine_memory.hpp"

namespace halfulp::onnx {

namespace {

// AttributeProto.AttributeType, in the order of its numbers, and the field that holds the value.
struct kind {
  std::string_view name;
  std::uint32_t field;
};
constexpr std::array kinds{
    kind{"UNDEFINED", 0},       kind{"FLOAT", 2},       kind{"INT", 3},
    kind{"STRING", 4},          kind{"TENSOR", 5},      kind{"GRAPH", 6},
    kind{"FLOATS", 7},          kind{"INTS", 8},        kind{"STRINGS", 9},
    kind{"TENSORS", 10},        kind{"GRAPHS", 11},     kind{"SPARSE_TENSOR", 22},
    kind{"SPARSE_TENSORS", 23}, kind{"TYPE_PROTO", 14}, kind{"TYPE_PROTOS", 15},
};

constexpr std::uint32_t type_field = 20;

// The name of the attribute's type: as it says, or, since files of old versions of ONNX don't, as
// the field that is there says. The two must not differ.
std::string_view type_of(const model_source& source, const attribute& attribute) {
  std::int64_t stated = 0;
  const kind* found = nullptr;
  bool is_clear = true;
  for_each_field(source, attribute.message, "AttributeProto", [&](field& f) {
    if (f.number() == type_field) {
      stated = f.integer();
      return;
    }
    const auto* const with_field = std::find_if(
        kinds.begin(), kinds.end(), [&](const kind& kind) { return kind.field == f.number(); });
    if (with_field == kinds.end()) return;
    is_clear &= found == nullptr || found == with_field;
    found = with_field;
  });
  if (stated < 0 || stated >= static_cast<std::int64_t>(kinds.size())) {
    fail(errc::invalid_file, "attribute {} has the unknown type {}", printable(attribute.name),
         stated);
  }
  const kind& type =
      stated == 0 && found != nullptr ? *found : kinds[static_cast<std::size_t>(stated)];
  if (!is_clear || (found != nullptr && found != &type)) {
    fail(errc::invalid_file, "attribute {} of type {} has a value of another type",
         printable(attribute.name), type.name);
  }
  return type.name;
}

// Calls read(field) at each field that holds a value of the type `name`.
template <typename Read>
void read_values(const model_source& source, const attribute& attribute, std::string_view name,
                 Read read) {
  const std::string_view type = type_of(source, attribute);
  if (type != name) {
    fail(errc::invalid_file, "attribute {} has type {}, not {}", printable(attribute.name), type,
         name);
  }
  const kind& wanted = *std::find_if(kinds.begin(), kinds.end(),
                                     [&](const kind& kind) { return kind.name == name; });
  for_each_field(source, attribute.message, "AttributeProto", [&](field& f) {
    if (f.number() == wanted.field) read(f);
  });
}

// Of a scalar that appears twice the last counts; one that does not appear is 0 or empty, which
// some writers leave out.
template <typename T, typename Read>
T read_one(const model_source& source, const attribute& attribute, std::string_view name,
           Read read) {
  T value{};
  read_values(source, attribute, name, [&](field& f) { value = read(f); });
  return value;
}

// Counted before memory is taken, since a list takes many times its bytes in the file.
template <typename T, typename Count, typename Read>
std::vector<T> read_list(const model_source& source, const attribute& attribute,
                         std::string_view name, Count count, Read read) {
  std::size_t size = 0;
  read_values(source, attribute, name, [&](field& f) { size += count(f); });
  if (size > machine_memory() / sizeof(T)) throw std::bad_alloc();
  std::vector<T> values;
  values.reserve(size);
  read_values(source, attribute, name, [&](field& f) { read(f, values); });
  return values;
}

// "[1,2,...]": the first few.
template <typename T>
std::string format_list(const std::vector<T>& values) {
  constexpr std::size_t most = 8;
  const auto shown = std::span(values).first(std::min(values.size(), most));
  return fmt::format("[{}{}]", fmt::join(shown, ","), values.size() > most ? ",..." : "");
}

std::string describe_value(const model_source& source, const attribute& attribute) {
  const std::string_view type = type_of(source, attribute);
  if (type == "INT") return fmt::to_string(read_integer(source, attribute));
  if (type == "INTS") return format_list(read_integers(source, attribute));
  if (type == "FLOAT") return fmt::to_string(read_real(source, attribute));
  if (type == "FLOATS") return format_list(read_reals(source, attribute));
  if (type == "STRING") return fmt::format("\"{}\"", read_text(source, attribute));
  return std::string(type);
}

}  // namespace

std::int64_t read_integer(const model_source& source, const attribute& attribute) {
  return read_one<std::int64_t>(source, attribute, "INT", [](field& f) { return f.integer(); });
}

std::vector<std::int64_t> read_integers(const model_source& source, const attribute& attribute) {
  return read_list<std::int64_t>(
      source, attribute, "INTS", [](field& f) { return f.count_integers(); },
      [](field& f, std::vector<std::int64_t>& values) { f.integers(values); });
}

float read_real(const model_source& source, const attribute& attribute) {
  return read_one<float>(source, attribute, "FLOAT", [](field& f) { return f.real(); });
}

std::vector<float> read_reals(const model_source& source, const attribute& attribute) {
  return read_list<float>(
      source, attribute, "FLOATS", [](field& f) { return f.count_reals(); },
      [](field& f, std::vector<float>& values) { f.reals(values); });
}

std::string_view read_text(const model_source& source, const attribute& attribute) {
  return read_one<std::string_view>(source, attribute, "STRING", [](field& f) { return f.text(); });
}

byte_span read_tensor(const model_source& source, const attribute& attribute) {
  return read_one<byte_span>(source, attribute, "TENSOR", [](field& f) { return f.message(); });
}

std::string describe(const model_source& source, const attribute& attribute) {
  return fmt::format("{}={}", attribute.name, describe_value(source, attribute));
}

}  // namespace halfulp::onnx
