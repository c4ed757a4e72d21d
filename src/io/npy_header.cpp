// SPDX-License-Identifier: Apache-2.0
#include "io/npy_header.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>

#include "base/error.hpp"
#include "io/checks.hpp"

namespace halfulp::io::npy {

namespace {

class parser {
 public:
  parser(std::string_view text, std::string_view label) : text_(text), label_(label) {}

  header parse() {
    header result;
    bool has_descr = false;
    bool has_order = false;
    bool has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr") {
        first_time(key, has_descr);
        result.descr = descr();
      } else if (key == "fortran_order") {
        first_time(key, has_order);
        result.fortran_order = boolean();
      } else if (key == "shape") {
        first_time(key, has_shape);
        result.shape = shape();
      } else {
        fail(errc::invalid_file, "{}: the header has the unknown key '{}'", label_, printable(key));
      }
      if (accept('}')) break;
      expect(',');
    }
    pass_space();
    if (at_ != text_.size()) fail_at("nothing more");
    if (!has_descr) fail_missing("descr");
    if (!has_order) fail_missing("fortran_order");
    if (!has_shape) fail_missing("shape");
    return result;
  }

 private:
  void pass_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n\f", at_), text_.size()); }

  // The next character that is not white space; at the end NUL, which nothing accepts.
  char peek() {
    pass_space();
    return at_ == text_.size() ? '\0' : text_[at_];
  }

  bool accept(char wanted) {
    if (peek() != wanted) return false;
    ++at_;
    return true;
  }

  void expect(char wanted) {
    if (!accept(wanted)) fail_at(fmt::format("'{}'", wanted));
  }

  // Escapes have no place in what numpy writes here.
  std::string_view string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') fail_at("a string");
    const std::size_t close = text_.find(quote, at_ + 1);
    if (close == std::string_view::npos) fail_at("a string that ends");
    const std::string_view content = text_.substr(at_ + 1, close - at_ - 1);
    if (content.find('\\') != std::string_view::npos) fail_at("a string without escapes");
    at_ = close + 1;
    return content;
  }

  std::string descr() {
    const char first = peek();
    return std::string(first == '[' || first == '(' ? bracketed() : string());
  }

  // The text of a list or tuple, which describes a structured type, up to its last bracket.
  std::string_view bracketed() {
    const std::size_t begin = at_;
    std::size_t depth = 0;
    do {
      switch (peek()) {
        case '[':
        case '(':
          ++depth, ++at_;
          break;
        case ']':
        case ')':
          --depth, ++at_;
          break;
        case '\'':
        case '"':
          string();
          break;
        default:
          if (at_ == text_.size()) fail_at("a closing bracket");
          ++at_;
      }
    } while (depth > 0);
    return text_.substr(begin, at_ - begin);
  }

  bool boolean() {
    pass_space();
    for (const bool value : {false, true}) {
      const std::string_view word = value ? "True" : "False";
      if (text_.substr(at_).starts_with(word)) {
        at_ += word.size();
        return value;
      }
    }
    fail_at("True or False");
  }

  std::vector<std::int64_t> shape() {
    std::vector<std::int64_t> extents;
    expect('(');
    while (!accept(')')) {
      extents.push_back(extent());
      if (extents.size() > max_rank) {
        fail(errc::invalid_file, "{}: the shape has more than {} axes, numpy's limit", label_,
             max_rank);
      }
      // Without its comma, (3) would be a number to Python.
      if (extents.size() > 1 && accept(')')) break;
      expect(',');
    }
    return extents;
  }

  std::int64_t extent() {
    const bool negative = peek() == '-';
    std::int64_t value = 0;
    const auto [stop, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error == std::errc::invalid_argument) fail_at("an extent");
    if (error != std::errc() || negative) {
      fail(errc::invalid_file, "{}: the shape has an extent that is {}", label_,
           negative ? "negative" : "too large");
    }
    at_ = static_cast<std::size_t>(stop - text_.data());
    if (at_ < text_.size() && text_[at_] == 'L') ++at_;  // Python 2 wrote long integers so
    return value;
  }

  void first_time(std::string_view key, bool& seen) const {
    if (seen) fail(errc::invalid_file, "{}: the header has the key '{}' twice", label_, key);
    seen = true;
  }

  [[noreturn]] void fail_missing(std::string_view key) const {
    fail(errc::invalid_file, "{}: the header has no key '{}'", label_, key);
  }

  [[noreturn]] void fail_at(std::string_view wanted) const {
    if (at_ == text_.size()) {
      fail(errc::invalid_file, "{}: the header ends where {} should be", label_, wanted);
    }
    fail(errc::invalid_file, "{}: the header has '{}' at character {} where {} should be", label_,
         printable(text_.substr(at_), 20), at_, wanted);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string_view label_;
};

}  // namespace

header parse_header(std::string_view text, std::string_view label) {
  return parser(text, label).parse();
}

std::string format_header(std::string_view descr, const std::vector<std::int64_t>& shape) {
  return fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
                     fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

}  // namespace halfulp::io::npy
