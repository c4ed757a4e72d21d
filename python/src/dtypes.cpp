// SPDX-License-Identifier: Apache-2.0
#include "dtypes.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "failure.hpp"
#include "lazy_object.hpp"
#include "libraries.hpp"
#include "text.hpp"

namespace nb = nanobind;

namespace halfulp::python {

namespace {

using nb::dlpack::dtype_code;

struct known_type {
  dtype type;
  dtype_code code;
  std::uint8_t bits;
};

constexpr std::array known_types = {
    known_type{dtype::bfloat16, dtype_code::Bfloat, 16},
    known_type{dtype::float16, dtype_code::Float, 16},
    known_type{dtype::float32, dtype_code::Float, 32},
    known_type{dtype::float64, dtype_code::Float, 64},
    known_type{dtype::int32, dtype_code::Int, 32},
    known_type{dtype::int64, dtype_code::Int, 64},
    known_type{dtype::uint32, dtype_code::UInt, 32},
    known_type{dtype::uint64, dtype_code::UInt, 64},
};

std::optional<dtype> find(dtype_code code, std::size_t bits) noexcept {
  const auto* const found = std::ranges::find_if(
      known_types, [&](const known_type& t) { return t.code == code && t.bits == bits; });
  if (found == known_types.end()) return {};
  return found->type;
}

nb::object make_numpy_dtype(dtype type) {
  const std::string name(name_of(type));
  const nb::object module =
      type == dtype::bfloat16 ? nb::module_::import_("ml_dtypes") : nb::borrow(numpy());
  return numpy().attr("dtype")(module.attr(name.c_str()));
}

}  // namespace

nb::handle numpy_dtype(dtype type) {
  static std::array<lazy_object, known_types.size()> dtypes;
  return dtypes[static_cast<std::size_t>(type)].get([type] { return make_numpy_dtype(type); });
}

nb::handle numpy_bits_dtype(dtype type) {
  static lazy_object uint16;
  if (type != dtype::bfloat16) return numpy_dtype(type);
  return uint16.get([] { return numpy().attr("dtype")("uint16"); });
}

dtype dtype_from_python(nb::handle given) {
  std::string name;
  try {
    // Dtypes of other libraries are none of numpy's, but have the same names: torch.float32.
    name = text_of(given);
    name.erase(0, name.rfind('.') + 1);
    if (const auto type = dtype_from_name(name)) return *type;
    // None would be numpy's float64.
    if (!given.is_none()) name = text_of(numpy().attr("dtype")(given).attr("name"));
  } catch (const nb::python_error& e) {
    if (!e.matches(PyExc_TypeError) && !e.matches(PyExc_ValueError)) throw;
  }
  if (const auto type = dtype_from_name(name)) return *type;
  fail(errc::unsupported_type, "dtype is {} (allowed: {})", shown(given), dtype_names());
}

std::optional<dtype> dtype_from_format(const char* format, std::size_t item_size) noexcept {
  if (format == nullptr) return {};
  std::string_view text(format);
  // '<' is this machine's order: halfulp is built for little-endian machines only.
  if (text.starts_with('@') || text.starts_with('=') || text.starts_with('<')) {
    text.remove_prefix(1);
  }
  if (text.size() != 1) return {};
  switch (text[0]) {
    case 'e':
    case 'f':
    case 'd':
      return find(dtype_code::Float, 8 * item_size);
    case 'i':
    case 'l':
    case 'q':
    case 'n':
      return find(dtype_code::Int, 8 * item_size);
    case 'I':
    case 'L':
    case 'Q':
    case 'N':
      return find(dtype_code::UInt, 8 * item_size);
    default:
      return {};
  }
}

nb::dlpack::dtype dlpack_dtype(dtype type) noexcept {
  const known_type& known = *std::ranges::find(known_types, type, &known_type::type);
  return {.code = static_cast<std::uint8_t>(known.code), .bits = known.bits, .lanes = 1};
}

std::optional<dtype> dtype_from_dlpack(nb::dlpack::dtype type) noexcept {
  if (type.lanes != 1) return {};
  return find(static_cast<dtype_code>(type.code), type.bits);
}

std::string dtype_names() {
  std::string names;
  for (const known_type& known : known_types) {
    if (!names.empty()) names += ", ";
    names += name_of(known.type);
  }
  return names;
}

}  // namespace halfulp::python
