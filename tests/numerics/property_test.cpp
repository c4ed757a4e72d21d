// Laws that hold for the exact result and therefore for every bit of the rounded one.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "numerics/support/check.hpp"

namespace oracle {
namespace {

// RapidCheck reads this before its first property. A failure prints the seed and a value of
// RC_PARAMS that shows it again.
const bool configured = [] {
  const std::string parameters = "seed=1 max_success=" + std::to_string(scaled(3000));
  return setenv("RC_PARAMS", parameters.c_str(), 0) == 0;
}();

using words = std::vector<std::uint64_t>;

words any_words() { return *rc::gen::container<words>(rc::gen::arbitrary<std::uint64_t>()); }

dtype any_float_type() { return *rc::gen::elementOf(float_types); }

question any_question(dtype input) {
  question asked{
      *rc::gen::element(operation::l1, operation::l2, operation::sum_square, operation::normalize),
      input, *rc::gen::elementOf(outputs_of(input)), *rc::gen::element(1, 2)};
  if (!is_floating(input) && asked.op == operation::normalize) asked.op = operation::l2;
  return asked;
}

// Any bit pattern of the type.
std::vector<bits> patterns(dtype type, const words& from) {
  std::vector<bits> slice;
  for (const std::uint64_t word : from) slice.push_back(word & (~bits{0} >> (64 - width_of(type))));
  return slice;
}

// Normal values with exponents in [low, low + count).
std::vector<bits> values(dtype type, const words& from, int low, std::uint64_t count) {
  const float_format& format = format_of(type);
  std::vector<bits> slice;
  for (const std::uint64_t word : from) {
    const std::uint64_t hidden = std::uint64_t{1} << (format.precision - 1);
    const int exponent = low + static_cast<int>(word >> 56) % static_cast<int>(count);
    slice.push_back(encode(format, (word >> 55 & 1) != 0, hidden | (word & (hidden - 1)),
                           exponent - format.precision + 1));
  }
  return slice;
}

std::vector<bits> scaled_by(dtype type, std::vector<bits> slice, int exponent) {
  for (bits& x : slice) {
    const element parts = decode(type, x);
    x = encode(format_of(type), parts.negative, parts.mantissa, parts.exponent + exponent);
  }
  return slice;
}

template <typename T>
std::vector<T> taken(const std::vector<T>& from, const std::vector<std::size_t>& order) {
  std::vector<T> result;
  for (const std::size_t at : order) result.push_back(from.at(at));
  return result;
}

RC_GTEST_PROP(properties, permuting_a_slice_changes_nothing, ()) {
  const dtype input = *rc::gen::elementOf(all_types);
  const question asked = any_question(input);
  const auto slice = patterns(input, any_words());
  std::vector<std::size_t> order(slice.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::uint64_t turn = *rc::gen::arbitrary<std::uint64_t>();
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return (a + 1) * (turn | 1) < (b + 1) * (turn | 1);
  });
  const auto before = computed(asked, slice);
  const auto after = computed(asked, taken(slice, order));
  RC_ASSERT(after == (asked.op == operation::normalize ? taken(before, order) : before));
}

RC_GTEST_PROP(properties, signs_only_matter_to_quotients, ()) {
  const dtype input = any_float_type();
  const question asked = any_question(input);
  const words from = any_words();
  const auto slice = patterns(input, from);
  auto flipped = slice;
  for (bits& x : flipped) {
    if (*rc::gen::arbitrary<bool>()) x ^= format_of(input).sign_bit();
  }
  const auto before = computed(asked, slice);
  auto after = computed(asked, flipped);
  if (asked.op != operation::normalize) {
    RC_ASSERT(after == before);
    return;
  }
  const float_format& format = format_of(asked.output);
  const bool zero_norm = std::all_of(
      slice.begin(), slice.end(), [&](bits x) { return (x & ~format_of(input).sign_bit()) == 0; });
  for (std::size_t i = 0; i < slice.size(); ++i) {
    const bool changes = slice[i] != flipped[i] && !zero_norm && before[i] != format.quiet_nan();
    RC_ASSERT(after[i] == (before[i] ^ (changes ? format.sign_bit() : 0)));
  }
}

RC_GTEST_PROP(properties, zeros_add_nothing, ()) {
  const dtype input = *rc::gen::elementOf(all_types);
  const question asked = any_question(input);
  const auto slice = patterns(input, any_words());
  std::vector<bits> longer;
  std::vector<std::size_t> origins;
  for (std::size_t i = 0; i < slice.size(); ++i) {
    longer.resize(longer.size() + *rc::gen::inRange(0, 20), 0);
    origins.push_back(longer.size());
    longer.push_back(slice[i]);
  }
  longer.resize(longer.size() + *rc::gen::inRange(0, 20), 0);
  const auto before = computed(asked, slice);
  const auto after = computed(asked, longer);
  RC_ASSERT((asked.op == operation::normalize ? taken(after, origins) : after) == before);
}

RC_GTEST_PROP(properties, powers_of_two_factor_out, ()) {
  const dtype input = any_float_type();
  question asked = any_question(input);
  asked.output = input;
  // Far from the ends of every type's range: up to 100 elements in [2^-2, 2^2), times 2^-3 to 2^3.
  words from = any_words();
  from.resize(std::min<std::size_t>(from.size(), 100));
  const auto slice = values(input, from, -2, 4);
  const int exponent = *rc::gen::inRange(-3, 3);
  const auto before = computed(asked, slice);
  const auto after = computed(asked, scaled_by(input, slice, exponent));
  const int factor = asked.op == operation::normalize    ? 0
                     : asked.op == operation::sum_square ? 2 * exponent
                                                         : exponent;
  if (input == dtype::float16 && asked.op == operation::sum_square && exponent > 0) RC_DISCARD();
  RC_ASSERT(after == scaled_by(input, before, factor));
}

RC_GTEST_PROP(properties, large_powers_of_two_factor_out_too, ()) {
  const dtype input = *rc::gen::element(dtype::bfloat16, dtype::float32, dtype::float64);
  question asked = any_question(input);
  asked.output = input;
  const auto slice = values(input, any_words(), -8, 16);
  const int most = input == dtype::float64 ? 480 : 40;
  const int exponent = *rc::gen::inRange(-most, most);
  const auto before = computed(asked, slice);
  const auto after = computed(asked, scaled_by(input, slice, exponent));
  const int factor = asked.op == operation::normalize    ? 0
                     : asked.op == operation::sum_square ? 2 * exponent
                                                         : exponent;
  RC_ASSERT(after == scaled_by(input, before, factor));
}

RC_GTEST_PROP(properties, an_element_may_be_split_into_halves, ()) {
  const dtype input = any_float_type();
  const dtype output = *rc::gen::elementOf(float_types);
  const auto slice = values(input, any_words(), -6, 12);
  std::vector<bits> halves, quarters;
  for (const bits x : slice) {
    const auto half = scaled_by(input, {x}, -1).front();
    const bool split = *rc::gen::arbitrary<bool>();
    halves.insert(halves.end(), split ? 2 : 1, split ? half : x);
    quarters.insert(quarters.end(), split ? 4 : 1, split ? half : x);  // 4 (x/2)^2 = x^2
  }
  for (const operation op : reductions) {
    const question asked{op, input, output};
    RC_ASSERT(computed(asked, op == operation::l1 ? halves : quarters) == computed(asked, slice));
  }
}

RC_GTEST_PROP(properties, a_slice_may_have_any_shape, ()) {
  const dtype input = *rc::gen::elementOf(all_types);
  const question asked = any_question(input);
  const std::int64_t rows = *rc::gen::inRange(1, 12), columns = *rc::gen::inRange(1, 40);
  if (asked.op == operation::normalize) RC_DISCARD();
  words from = any_words();
  from.resize(static_cast<std::size_t>(rows * columns), from.empty() ? 0 : from.back());
  const auto slice = patterns(input, from);
  halfulp::options options;
  options.output_type = asked.output;
  const auto flat = computed(asked, slice);
  for (const auto& shape : std::vector<std::vector<std::int64_t>>{
           {rows, columns}, {columns, rows}, {rows, 1, columns}, {1, rows, columns, 1}}) {
    RC_ASSERT(computed(op_of(asked.op), {input, shape, slice}, options).elements == flat);
  }
}

// A transposed copy, reduced over the other axis.
RC_GTEST_PROP(properties, layout_changes_no_bit, ()) {
  const dtype input = *rc::gen::elementOf(all_types);
  const question asked = any_question(input);
  const std::int64_t rows = *rc::gen::inRange(1, 12), columns = *rc::gen::inRange(1, 40);
  words from = any_words();
  from.resize(static_cast<std::size_t>(rows * columns), from.empty() ? 0 : from.back());
  const auto matrix = patterns(input, from);
  std::vector<bits> transposed;
  for (std::int64_t column = 0; column < columns; ++column) {
    for (std::int64_t row = 0; row < rows; ++row) {
      transposed.push_back(matrix[static_cast<std::size_t>(row * columns + column)]);
    }
  }
  halfulp::options along_rows, along_columns;
  along_rows.output_type = along_columns.output_type = asked.output;
  if (asked.op == operation::normalize) {
    along_rows.axis = 1;
    along_columns.axis = 0;
    along_rows.p = along_columns.p = asked.p;
  } else {
    along_rows.axes = {{1}};
    along_columns.axes = {{0}};
  }
  const halfulp::op op = op_of(asked.op);
  const auto first = computed(op, {input, {rows, columns}, matrix}, along_rows).elements;
  const auto second = computed(op, {input, {columns, rows}, transposed}, along_columns).elements;
  if (asked.op != operation::normalize) {
    RC_ASSERT(first == second);
    return;
  }
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t column = 0; column < columns; ++column) {
      RC_ASSERT(first[static_cast<std::size_t>(row * columns + column)] ==
                second[static_cast<std::size_t>(column * rows + row)]);
    }
  }
}

}  // namespace
}  // namespace oracle
