// SPDX-License-Identifier: Apache-2.0
#include "array_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "element_text.hpp"

namespace halfulp::cli {
namespace {

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
    shortened_ = count > most_in_full;
    measure(0, 0);
    if (left_ + right_ < other_) left_ = other_ - right_;
  }

  std::string print() {
    append(0, 0);
    return std::move(out_);
  }

 private:
  static constexpr std::int64_t most_in_full = 1000;
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
    if (!is_number(text)) {
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
    if (!is_number(text)) return fmt::format("{:>{}}", text, width);
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

std::string format_array(dtype type, std::span<const std::int64_t> shape,
                         const std::byte* elements) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return "[]";
  return array_printer(type, shape, elements).print();
}

}  // namespace halfulp::cli
