// Rows that are read from several places by turns: so many, or so long, that they do not fit in a
// cache. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "api/support/strided_memory.hpp"
#include "numerics/support/check.hpp"
#include "numerics/support/draw.hpp"
#include "numerics/support/type_parameter.hpp"

namespace oracle {
namespace {

class streams : public testing::TestWithParam<dtype> {};

void expect_right_rows(const halfulp::tensor_layout& layout, operation op, character kind,
                       random_source& random) {
  strided_memory input(layout, 0);
  input.write(draw(kind, layout.type, element_count(layout.shape), random));
  const auto last = static_cast<std::int64_t>(layout.shape.size()) - 1;
  const halfulp::options options{.axes = {{last}}, .keepdims = 0};
  const tensor right =
      expected(op_of(op), {layout.type, layout.shape, input.read()}, options, by_midpoints);
  const halfulp::plan plan(op_of(op), layout, options);
  for (const int threads : {1, 3}) {
    std::vector<std::byte> output(right.elements.size() * bytes_of(layout.type));
    plan.run(input.origin(), output.data(), {.threads = threads});
    ASSERT_EQ(output, pack(layout.type, right.elements))
        << fmt::format("{} of {} ({}) strides ({}), {} threads, {}", halfulp::name_of(op_of(op)),
                       text_of(layout.type), fmt::join(layout.shape, ","),
                       fmt::join(layout.strides, ","), threads, text_of(kind));
  }
}

// The last kind needs the later tiers again and again.
const std::vector<character> kinds{character::normal, character::wide, character::small_integers};

TEST_P(streams, many_rows) {
  const dtype type = GetParam();
  const auto item = static_cast<std::int64_t>(bytes_of(type));
  const std::int64_t shortest = 1024 / item;
  random_source random(810 + static_cast<std::uint64_t>(type));
  for (const std::int64_t length : {shortest, shortest + 1, 2 * shortest + 37}) {
    for (const std::int64_t gap : {0, 5}) {
      for (const std::int64_t left_over : {0, 3}) {
        if (!sampled(random)) continue;
        const std::int64_t rows = (1200 << 10) / (length * item) / 4 * 4 + left_over;
        const std::int64_t step = (length + gap) * item;
        expect_right_rows({type, {rows, length}, {step, item}}, random.any_of(reductions),
                          random.any_of(kinds), random);
      }
    }
  }
}

// Streams of rows that are not one loop with the rows around them.
TEST_P(streams, rows_of_several_tensors) {
  const dtype type = GetParam();
  const auto item = static_cast<std::int64_t>(bytes_of(type));
  const std::int64_t length = 1200 / item, rows = 430;
  random_source random(820 + static_cast<std::uint64_t>(type));
  for (const character kind : kinds) {
    if (!sampled(random)) continue;
    const std::int64_t step = length * item;
    expect_right_rows({type, {3, rows, length}, {(rows + 2) * step, step, item}},
                      random.any_of(reductions), kind, random);
  }
}

TEST_P(streams, long_rows) {
  const dtype type = GetParam();
  const auto item = static_cast<std::int64_t>(bytes_of(type));
  random_source random(830 + static_cast<std::uint64_t>(type));
  for (const std::int64_t length : {65536, 65536 + 7, 150001}) {
    for (const character kind : kinds) {
      if (!sampled(random)) continue;
      expect_right_rows({type, {2, length}, {length * item, item}}, random.any_of(reductions), kind,
                        random);
    }
  }
}

// Each element counts once, wherever the streams begin and end.
TEST_P(streams, every_element_of_a_long_row_counts_once) {
  const dtype type = GetParam();
  const bits one = is_floating(type) ? truncated(type, 1.0) : 1;
  const std::size_t length = 4 * 16384 * 2 + 3, quarter = length / 4;
  std::vector<bits> slice(length, 0);
  for (const std::size_t begin : {std::size_t{0}, quarter, 2 * quarter, 3 * quarter, 4 * quarter}) {
    for (const std::size_t at : {begin - 1, begin, begin + 1, begin + 16383, begin + 16384}) {
      if (at >= length) continue;
      slice[at] = one;
      expect_outputs({operation::l1, type, type}, slice, {one}, fmt::format("a one at {}", at));
      slice[at] = 0;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(of_type, streams, testing::ValuesIn(all_types), name_of_parameter);

}  // namespace
}  // namespace oracle
