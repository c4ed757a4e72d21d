// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "base/float_format.hpp"
#include "base/round.hpp"
#include "halfulp/types.hpp"

namespace halfulp {

namespace {

struct dtype_row {
  std::string_view name;
  std::size_t size;
  bool is_float;
};

// Indexed by dtype.
constexpr std::array<dtype_row, 8> dtype_rows = {{
    {"bfloat16", 2, true},
    {"float16", 2, true},
    {"float32", 4, true},
    {"float64", 8, true},
    {"int32", 4, false},
    {"int64", 8, false},
    {"uint32", 4, false},
    {"uint64", 8, false},
}};

const dtype_row& row_of(dtype type) noexcept { return dtype_rows[static_cast<std::size_t>(type)]; }

template <float_element To, float_element From>
constexpr To convert(From value) noexcept {
  if (is_nan(value)) return quiet_nan<To>();
  if (is_infinite(value)) return with_sign(infinity<To>(), is_negative(value));
  const decomposed d = decompose(value);
  return with_sign(round_to<To>(d.significand, d.exponent), is_negative(value));
}

}  // namespace

std::string_view name_of(dtype type) noexcept { return row_of(type).name; }

std::optional<dtype> dtype_from_name(std::string_view name) noexcept {
  for (std::size_t i = 0; i < dtype_rows.size(); ++i) {
    if (dtype_rows[i].name == name) return static_cast<dtype>(i);
  }
  return {};
}

std::size_t size_of(dtype type) noexcept { return row_of(type).size; }

bool is_float(dtype type) noexcept { return row_of(type).is_float; }

float16::float16(double value) noexcept : float16(convert<float16>(value)) {}
float16::operator double() const noexcept { return convert<double>(*this); }
float16::operator float() const noexcept { return convert<float>(*this); }

bfloat16::bfloat16(double value) noexcept : bfloat16(convert<bfloat16>(value)) {}
bfloat16::operator double() const noexcept { return convert<double>(*this); }
bfloat16::operator float() const noexcept { return convert<float>(*this); }

}  // namespace halfulp
