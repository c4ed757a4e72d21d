// SPDX-License-Identifier: Apache-2.0
#include "element_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <iterator>
#include <string_view>
#include <vector>

#include "base/element_dispatch.hpp"
#include "base/float_format.hpp"

namespace halfulp::cli {
namespace {

// A finite magnitude d.ddd * 10^exponent. float64 needs up to 17 digits.
struct decimal {
  std::array<char, 17> digits;
  int count;
  int exponent;
};

// From "d.ddde+XX", the output of to_chars.
decimal from_scientific(const char* begin, const char* end) {
  decimal out{};
  const char* p = begin;
  for (; *p != 'e'; ++p) {
    if (*p != '.') out.digits[out.count++] = *p;
  }
  ++p;
  if (*p == '+') ++p;
  std::from_chars(p, end, out.exponent);
  return out;
}

template <typename T>
decimal shortest(T magnitude) {
  std::array<char, 32> text;
  const auto end =
      std::to_chars(text.begin(), text.end(), magnitude, std::chars_format::scientific).ptr;
  return from_scientific(text.begin(), end);
}

double value_of(const decimal& number) {
  std::array<char, 32> text;
  char* p = std::copy_n(number.digits.begin(), number.count, text.begin());
  *p++ = 'e';
  p = std::to_chars(p, text.end(), number.exponent - number.count + 1).ptr;
  double value = 0;
  std::from_chars(text.begin(), p, value);
  return value;
}

// The next decimal of as many digits.
decimal successor(decimal number) {
  int i = number.count - 1;
  for (; i >= 0 && number.digits[i] == '9'; --i) {
    number.digits[i] = '0';
  }
  if (i >= 0) {
    ++number.digits[i];
  } else {
    number.digits[0] = '1';
    ++number.exponent;
  }
  return number;
}

// to_chars knows nothing of the 16-bit types, so the digits are tried from one on. The nearest
// decimal of n digits may fail where its successor reads back: at powers of two, the gap to the
// next value is twice that to the previous one.
template <typename T>
decimal shortest_16_bit(T magnitude) {
  const auto exact = static_cast<double>(magnitude);
  std::array<char, 32> text;
  for (int precision = 0;; ++precision) {
    const auto end =
        std::to_chars(text.begin(), text.end(), exact, std::chars_format::scientific, precision)
            .ptr;
    const decimal nearest = from_scientific(text.begin(), end);
    for (const decimal& candidate : {nearest, successor(nearest)}) {
      if (T(value_of(candidate)).bits == magnitude.bits) return candidate;
    }
  }
}

// The search takes two microseconds, which matters for millions of elements; there are only 32768
// magnitudes, so each is searched once. Printing is single-threaded.
template <typename T>
const decimal& remembered(T magnitude) {
  static std::vector<decimal> known(0x8000);
  decimal& number = known[magnitude.bits];
  if (number.count == 0) number = shortest_16_bit(magnitude);
  return number;
}
decimal shortest(float16 magnitude) { return remembered(magnitude); }
decimal shortest(bfloat16 magnitude) { return remembered(magnitude); }

// Whether the digits, filled up with zeros to the units place, are the value and not only nearest
// to it. The exponent is below 16.
bool is_exact_integer(const decimal& number, double value) {
  std::uint64_t integer = 0;
  for (int i = 0; i <= number.exponent; ++i) {
    integer = 10 * integer + (i < number.count ? number.digits[i] - '0' : 0);
  }
  return std::trunc(value) == value && static_cast<std::uint64_t>(value) == integer;
}

void append_fixed(std::string& out, const decimal& number) {
  const std::string_view digits(number.digits.data(), number.count);
  if (number.exponent < 0) {
    out += "0.";
    out.append(-number.exponent - 1, '0');
    out += digits;
    return;
  }
  const std::size_t whole = number.exponent + 1;
  out += digits.substr(0, whole);
  if (digits.size() > whole) {
    out += '.';
    out += digits.substr(whole);
  } else {
    out.append(whole - digits.size(), '0');
    out += ".0";
  }
}

void append_scientific(std::string& out, const decimal& number) {
  out += number.digits[0];
  if (number.count > 1) {
    out += '.';
    out.append(number.digits.data() + 1, number.count - 1);
  }
  fmt::format_to(std::back_inserter(out), "e{}{:02}", number.exponent < 0 ? '-' : '+',
                 std::abs(number.exponent));
}

template <float_element T>
void append(std::string& out, T value) {
  if (is_nan(value)) {
    out += "nan";
    return;
  }
  if (is_negative(value)) out += '-';
  if (is_infinite(value)) {
    out += "inf";
    return;
  }
  const T magnitude = from_bits<T>(to_bits(value) & float_format<T>::magnitude_mask);
  const decimal number = shortest(magnitude);
  const bool fixed =
      number.exponent >= -4 && number.exponent < 16 &&
      (number.count > number.exponent || is_exact_integer(number, static_cast<double>(magnitude)));
  fixed ? append_fixed(out, number) : append_scientific(out, number);
}

template <integer_element T>
void append(std::string& out, T value) {
  const fmt::format_int text(value);
  out.append(text.data(), text.size());
}

}  // namespace

void append_element(std::string& out, dtype type, const std::byte* element) {
  dispatch(type, element_types{}, [&]<typename T>(std::type_identity<T>) {
    T value;
    std::memcpy(&value, element, sizeof(T));
    append(out, value);
  });
}

bool is_number(std::string_view text) { return text.find('n') == std::string_view::npos; }

void append_json_element(std::string& out, dtype type, const std::byte* element) {
  const std::size_t begin = out.size();
  append_element(out, type, element);
  if (is_number(std::string_view(out).substr(begin))) return;
  out.insert(begin, 1, '"');
  out += '"';
}

}  // namespace halfulp::cli
