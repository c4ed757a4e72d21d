// Element types and errors: the part of the public contract that every other header needs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>
#if defined(__has_include)
#if __has_include(<stdfloat>)
#include <stdfloat>
#endif
#endif

#if defined(HALFULP_STATIC)
#define HALFULP_API
#else
#define HALFULP_API __attribute__((visibility("default")))
#endif

namespace halfulp {

// The element types, named as ONNX names them but for float32 and float64 (ONNX: float, double).
enum class dtype : std::uint8_t {
  bfloat16,
  float16,
  float32,
  float64,
  int32,
  int64,
  uint32,
  uint64,
};

// "bfloat16", "float16", ... as above.
HALFULP_API std::string_view name_of(dtype type) noexcept;

// The inverse of name_of. Empty where no type has that name.
HALFULP_API std::optional<dtype> dtype_from_name(std::string_view name) noexcept;

// Bytes of one element: 2, 4 or 8.
HALFULP_API std::size_t size_of(dtype type) noexcept;

// True for the four floating-point types.
HALFULP_API bool is_float(dtype type) noexcept;

// IEEE 754 binary16, as its bits. Conversion in rounds to nearest, ties to even, once, whatever the
// processor's rounding mode; past 65504 it gives infinity, and any NaN gives the positive quiet NaN
// 0x7e00. Conversion out is exact.
struct HALFULP_API float16 {
  std::uint16_t bits;

  float16() = default;
  explicit float16(double value) noexcept;
  explicit operator double() const noexcept;
  explicit operator float() const noexcept;
  static constexpr float16 from_bits(std::uint16_t bits) noexcept { return float16(bits, 0); }
#ifdef __STDCPP_FLOAT16_T__
  explicit constexpr float16(std::float16_t value) noexcept
      : bits(__builtin_bit_cast(std::uint16_t, value)) {}
  explicit constexpr operator std::float16_t() const noexcept {
    return __builtin_bit_cast(std::float16_t, bits);
  }
#endif

 private:
  constexpr float16(std::uint16_t pattern, int) noexcept : bits(pattern) {}
};

// bfloat16: the upper half of a binary32. Conversions as for float16; the quiet NaN is 0x7fc0.
struct HALFULP_API bfloat16 {
  std::uint16_t bits;

  bfloat16() = default;
  explicit bfloat16(double value) noexcept;
  explicit operator double() const noexcept;
  explicit operator float() const noexcept;
  static constexpr bfloat16 from_bits(std::uint16_t bits) noexcept { return bfloat16(bits, 0); }
#ifdef __STDCPP_BFLOAT16_T__
  explicit constexpr bfloat16(std::bfloat16_t value) noexcept
      : bits(__builtin_bit_cast(std::uint16_t, value)) {}
  explicit constexpr operator std::bfloat16_t() const noexcept {
    return __builtin_bit_cast(std::bfloat16_t, bits);
  }
#endif

 private:
  constexpr bfloat16(std::uint16_t pattern, int) noexcept : bits(pattern) {}
};

// The dtype of a C++ element type: dtype_of<float> is dtype::float32. Defined for the eight only.
template <typename T>
struct dtype_trait;
template <>
struct dtype_trait<bfloat16> {
  static constexpr dtype value = dtype::bfloat16;
};
template <>
struct dtype_trait<float16> {
  static constexpr dtype value = dtype::float16;
};
template <>
struct dtype_trait<float> {
  static constexpr dtype value = dtype::float32;
};
template <>
struct dtype_trait<double> {
  static constexpr dtype value = dtype::float64;
};
template <>
struct dtype_trait<std::int32_t> {
  static constexpr dtype value = dtype::int32;
};
template <>
struct dtype_trait<std::int64_t> {
  static constexpr dtype value = dtype::int64;
};
template <>
struct dtype_trait<std::uint32_t> {
  static constexpr dtype value = dtype::uint32;
};
template <>
struct dtype_trait<std::uint64_t> {
  static constexpr dtype value = dtype::uint64;
};
template <typename T>
inline constexpr dtype dtype_of = dtype_trait<T>::value;

// Type, shape and byte strides of a tensor. `strides` may be negative, zero (an input that repeats)
// and no multiple of the element size; empty means C order without gaps.
struct tensor_layout {
  dtype type = dtype::float32;
  std::vector<std::int64_t> shape = {};
  std::vector<std::int64_t> strides = {};
};

// What kind of thing is wrong; the message says which thing.
enum class errc : std::uint8_t {
  invalid_argument = 1,  // an operator, version, attribute, axis or option
  unsupported_type = 2,  // a type that this version of the operator does not take
  invalid_shape = 3,     // an extent, a stride, a rank, or an output of another shape
  overlap = 4,           // output memory overlaps the input in a way that is not allowed
  invalid_file = 5,      // the content of a file
  io = 6,                // the system refused to read or write
  out_of_memory = 7,     // C++ throws std::bad_alloc instead where there is nothing to name
  internal = 8,          // the C interface only: a defect of the library
};

// Every error this library throws, other than std::bad_alloc. what() is one line that names the
// culprit, what was given and what is allowed.
class HALFULP_API error : public std::runtime_error {
 public:
  error(errc code, const std::string& message) : std::runtime_error(message), code_(code) {}
  errc code() const noexcept { return code_; }

 private:
  errc code_;
};

}  // namespace halfulp
