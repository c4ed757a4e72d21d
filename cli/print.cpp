// SPDX-License-Identifier: Apache-2.0
#include "print.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string_view>
#include <system_error>
#include <vector>

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
    if (*p != '.') out.digits[static_cast<std::size_t>(out.count++)] = *p;
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
  for (; i >= 0 && number.digits[static_cast<std::size_t>(i)] == '9'; --i) {
    number.digits[static_cast<std::size_t>(i)] = '0';
  }
  if (i >= 0) {
    ++number.digits[static_cast<std::size_t>(i)];
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
    integer *= 10;
    if (i < number.count)
      integer += static_cast<std::uint64_t>(number.digits[static_cast<std::size_t>(i)] - '0');
  }
  return std::trunc(value) == value && static_cast<std::uint64_t>(value) == integer;
}

void append_fixed(std::string& out, const decimal& number) {
  const std::string_view digits(number.digits.data(), static_cast<std::size_t>(number.count));
  if (number.exponent < 0) {
    out += "0.";
    out.append(static_cast<std::size_t>(-number.exponent - 1), '0');
    out += digits;
    return;
  }
  const auto whole = static_cast<std::size_t>(number.exponent) + 1;
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
    out.append(number.digits.data() + 1, static_cast<std::size_t>(number.count - 1));
  }
  fmt::format_to(std::back_inserter(out), "e{}{:02}", number.exponent < 0 ? '-' : '+',
                 std::abs(number.exponent));
}

bool sign_bit(float16 value) { return (value.bits & 0x8000) != 0; }
bool sign_bit(bfloat16 value) { return (value.bits & 0x8000) != 0; }
template <typename T>
bool sign_bit(T value) {
  return std::signbit(value);
}

float16 magnitude_of(float16 value) { return float16::from_bits(value.bits & 0x7fff); }
bfloat16 magnitude_of(bfloat16 value) { return bfloat16::from_bits(value.bits & 0x7fff); }
template <typename T>
T magnitude_of(T value) {
  return std::abs(value);
}

template <typename T>
void append_float(std::string& out, T value) {
  const T magnitude = magnitude_of(value);
  const auto wide = static_cast<double>(magnitude);
  if (std::isnan(wide)) {
    out += "nan";
    return;
  }
  if (sign_bit(value)) out += '-';
  if (std::isinf(wide)) {
    out += "inf";
    return;
  }
  const decimal number = shortest(magnitude);
  const bool fixed = number.exponent >= -4 && number.exponent < 16 &&
                     (number.count > number.exponent || is_exact_integer(number, wide));
  fixed ? append_fixed(out, number) : append_scientific(out, number);
}

template <typename T>
T load(const std::byte* element) {
  T value;
  std::memcpy(&value, element, sizeof(T));
  return value;
}

bool is_finite_text(std::string_view text) { return text.find('n') == std::string_view::npos; }

// Where the decimal point is or would be.
std::size_t point_of(std::string_view text) {
  return std::min(text.find_first_of(".e"), text.size());
}

class array_printer {
 public:
  array_printer(dtype type, std::span<const std::int64_t> shape, const std::byte* elements)
      : type_(type), shape_(shape), elements_(elements), steps_(shape.size()) {
    std::int64_t count = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      steps_[axis] = count;
      count *= shape[axis];
    }
    shortened_ = count > 1000;
    measure(0, 0);
    if (left_ + right_ < other_) left_ = other_ - right_;
  }

  std::string print() {
    append(0, 0);
    return std::move(out_);
  }

 private:
  static constexpr std::int64_t edge = 3;
  static constexpr std::int64_t gap = -1;
  static constexpr std::size_t line_width = 75;

  // The indices of an axis that are shown; `gap` stands for those left out.
  std::vector<std::int64_t> shown(std::size_t axis) const {
    const std::int64_t extent = shape_[axis];
    std::vector<std::int64_t> list;
    for (std::int64_t i = 0; i < extent; ++i) {
      if (shortened_ && extent > 2 * edge && i == edge) {
        list.push_back(gap);
        i = extent - edge;
      }
      list.push_back(i);
    }
    return list;
  }

  std::string text_at(std::int64_t index) const {
    std::string text;
    append_element(text, type_, elements_ + index * static_cast<std::int64_t>(size_of(type_)));
    return text;
  }

  // Finds the widths before and from the decimal point that all shown numbers fit, and the width of
  // what is no number.
  void measure(std::size_t axis, std::int64_t index) {
    if (axis < shape_.size()) {
      for (const std::int64_t i : shown(axis)) {
        if (i != gap) measure(axis + 1, index + i * steps_[axis]);
      }
      return;
    }
    const std::string text = text_at(index);
    if (!is_finite_text(text)) {
      other_ = std::max(other_, text.size());
      return;
    }
    const std::size_t point = point_of(text);
    left_ = std::max(left_, point);
    right_ = std::max(right_, text.size() - point);
  }

  std::string aligned(std::int64_t index) const {
    const std::string text = text_at(index);
    const std::size_t width = left_ + right_;
    if (!is_finite_text(text)) return fmt::format("{:>{}}", text, width);
    return fmt::format("{:<{}}", std::string(left_ - point_of(text), ' ') + text, width);
  }

  void append(std::size_t axis, std::int64_t index) {
    if (axis == shape_.size()) {
      out_ += text_at(index);
      return;
    }
    out_ += '[';
    axis + 1 == shape_.size() ? append_row(axis, index) : append_rows(axis, index);
    out_ += ']';
  }

  void append_rows(std::size_t axis, std::int64_t index) {
    // One blank line between matrices, two between their stacks, and so on.
    const std::string separator =
        std::string(shape_.size() - 1 - axis, '\n') + std::string(axis + 1, ' ');
    bool first = true;
    for (const std::int64_t i : shown(axis)) {
      if (!first) out_ += separator;
      first = false;
      if (i == gap) {
        out_ += "...";
      } else {
        append(axis + 1, index + i * steps_[axis]);
      }
    }
  }

  void append_row(std::size_t axis, std::int64_t index) {
    std::size_t column = axis + 1;
    bool first = true;
    for (const std::int64_t i : shown(axis)) {
      const std::string text = i == gap ? "..." : aligned(index + i);
      if (!first && column + 1 + text.size() > line_width) {
        out_.erase(out_.find_last_not_of(' ') + 1);
        out_ += '\n';
        out_.append(axis + 1, ' ');
        column = axis + 1;
      } else if (!first) {
        out_ += ' ';
        ++column;
      }
      first = false;
      out_ += text;
      column += text.size();
    }
  }

  dtype type_;
  std::span<const std::int64_t> shape_;
  const std::byte* elements_;
  std::vector<std::int64_t> steps_;  // in elements
  bool shortened_ = false;
  std::size_t left_ = 0, right_ = 0, other_ = 0;
  std::string out_;
};

}  // namespace

void append_element(std::string& out, dtype type, const std::byte* element) {
  switch (type) {
    case dtype::bfloat16:
      return append_float(out, load<bfloat16>(element));
    case dtype::float16:
      return append_float(out, load<float16>(element));
    case dtype::float32:
      return append_float(out, load<float>(element));
    case dtype::float64:
      return append_float(out, load<double>(element));
    case dtype::int32:
      out += fmt::format_int(load<std::int32_t>(element)).c_str();
      return;
    case dtype::int64:
      out += fmt::format_int(load<std::int64_t>(element)).c_str();
      return;
    case dtype::uint32:
      out += fmt::format_int(load<std::uint32_t>(element)).c_str();
      return;
    case dtype::uint64:
      out += fmt::format_int(load<std::uint64_t>(element)).c_str();
      return;
  }
}

void append_json_element(std::string& out, dtype type, const std::byte* element) {
  const std::size_t begin = out.size();
  append_element(out, type, element);
  if (is_finite_text(std::string_view(out).substr(begin))) return;
  out.insert(begin, 1, '"');
  out += '"';
}

std::string format_array(dtype type, std::span<const std::int64_t> shape,
                         const std::byte* elements) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return "[]";
  return array_printer(type, shape, elements).print();
}

}  // namespace halfulp::cli
