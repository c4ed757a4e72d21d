// SPDX-License-Identifier: Apache-2.0
#include "onnx/convert.hpp"

#include <concepts>
#include <cstdint>
#include <limits>
#include <optional>
#include <type_traits>
#include <vector>

#include "base/element_dispatch.hpp"
#include "base/error.hpp"
#include "base/float_format.hpp"
#include "base/memory_access.hpp"
#include "base/round.hpp"
#include "base/shape.hpp"

namespace halfulp::onnx {

namespace {

template <float_element To, float_element From>
To to_float(From value) {
  if (is_nan(value)) return quiet_nan<To>();
  if (is_infinite(value)) return with_sign(infinity<To>(), is_negative(value));
  const decomposed magnitude = decompose(value);
  return with_sign(round_to<To>(magnitude.significand, magnitude.exponent), is_negative(value));
}

template <float_element To, integer_element From>
To to_float(From value) {
  const bool negative = value < 0;
  const auto bits = static_cast<std::uint64_t>(value);
  return with_sign(round_to<To>(negative ? 0 - bits : bits, 0), negative);
}

// The integer part. Empty where the type does not have it.
template <integer_element To, float_element From>
std::optional<To> to_integer(From value) {
  if (is_nan(value) || is_infinite(value)) return {};
  const bool negative = is_negative(value);
  auto [significand, exponent] = decompose(value);
  if (exponent < 0) {
    significand = exponent > -64 ? significand >> -exponent : 0;
  } else if (significand != 0) {
    if (exponent > __builtin_clzll(significand)) return {};
    significand <<= exponent;
  }
  // The magnitude of the lowest value is one above that of the highest.
  constexpr auto highest = static_cast<std::uint64_t>(std::numeric_limits<To>::max());
  const std::uint64_t limit = !negative ? highest : std::signed_integral<To> ? highest + 1 : 0;
  if (significand > limit) return {};
  return static_cast<To>(negative ? 0 - significand : significand);
}

template <element To, element From>
std::optional<To> convert_element(From value) {
  if constexpr (std::same_as<To, From>) {
    return value;
  } else if constexpr (float_element<To>) {
    return to_float<To>(value);
  } else if constexpr (float_element<From>) {
    return to_integer<To>(value);
  } else {
    return static_cast<To>(value);
  }
}

template <integer_element To, float_element From>
[[noreturn]] void fail_element(From value, const std::vector<std::int64_t>& index,
                               std::string_view name) {
  // In the fewest digits that tell it from its neighbours, which a wider type would not have.
  using shown = std::conditional_t<std::same_as<From, double>, double, float>;
  fail(errc::invalid_argument, "{}: element {} is {}; {} holds {} to {}", name, format_shape(index),
       static_cast<shown>(value), halfulp::name_of(dtype_of<To>), std::numeric_limits<To>::min(),
       std::numeric_limits<To>::max());
}

// The runs of the last axis, one after the other. `index` is that of the run's first element.
template <typename Visit>
void for_each_run(const tensor_layout& layout, const std::byte* from, Visit visit) {
  const std::size_t outer = layout.shape.empty() ? 0 : layout.shape.size() - 1;
  std::vector<std::int64_t> index(layout.shape.size(), 0);
  for (;;) {
    std::int64_t offset = 0;
    for (std::size_t i = 0; i < outer; ++i) offset += index[i] * layout.strides[i];
    visit(index, from + offset);
    std::size_t axis = outer;
    for (;; --axis) {
      if (axis == 0) return;
      if (++index[axis - 1] < layout.shape[axis - 1]) break;
      index[axis - 1] = 0;
    }
  }
}

template <element From, element To>
void convert_all(const tensor_layout& layout, const std::byte* from, std::byte* output,
                 std::string_view name) {
  const std::int64_t count = layout.shape.empty() ? 1 : layout.shape.back();
  const std::int64_t stride = layout.shape.empty() ? 0 : layout.strides.back();
  for_each_run(layout, from, [&](std::vector<std::int64_t>& index, const std::byte* run) {
    for (std::int64_t i = 0; i < count; ++i, output += sizeof(To)) {
      const auto value = load<From>(run + i * stride);
      const std::optional<To> converted = convert_element<To>(value);
      if constexpr (float_element<From> && integer_element<To>) {
        if (!converted) {
          if (!index.empty()) index.back() = i;
          fail_element<To>(value, index, name);
        }
      }
      store(output, *converted);
    }
  });
}

}  // namespace

void convert(const tensor_layout& layout, const std::byte* from, dtype to, std::byte* output,
             std::string_view name) {
  if (element_count(layout.shape, size_of(layout.type)).value_or(0) == 0) return;
  dispatch(layout.type, element_types{}, [&]<typename From>(std::type_identity<From>) {
    dispatch(to, element_types{}, [&]<typename To>(std::type_identity<To>) {
      convert_all<From, To>(layout, from, output, name);
    });
  });
}

}  // namespace halfulp::onnx
