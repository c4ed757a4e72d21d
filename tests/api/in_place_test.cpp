// LpNormalization whose output is its input.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "api/support/strided_memory.hpp"
#include "numerics/support/check.hpp"
#include "numerics/support/construct.hpp"
#include "numerics/support/draw.hpp"
#include "numerics/support/type_parameter.hpp"

namespace oracle {
namespace {

class in_place : public testing::TestWithParam<dtype> {
 protected:
  const dtype type = GetParam();

  void check(const std::vector<std::int64_t>& shape, const std::vector<std::int64_t>& strides,
             const halfulp::options& options, const std::vector<bits>& elements,
             const std::string& origin) {
    const halfulp::tensor_layout layout{type, shape, strides};
    strided_memory memory(layout, 3);
    memory.write(elements);
    const tensor right =
        expected(halfulp::op::lp_normalization, {type, shape, memory.read()}, options);
    const halfulp::plan plan(halfulp::op::lp_normalization, layout, options, strides);
    plan.run(memory.origin(), memory.origin());
    ASSERT_EQ(memory.read(), right.elements) << fmt::format(
        "{} ({}) strides ({}), axis {}, p {}: {}", text_of(type), fmt::join(shape, ","),
        fmt::join(strides, ","), options.axis, options.p, origin);
  }
};

TEST_P(in_place, random_tensors_in_any_layout) {
  for (int i = 0; i < scaled(600); ++i) {
    random_source random(static_cast<std::uint64_t>(i));
    std::vector<std::int64_t> shape(1 + random.below(4));
    for (std::int64_t& extent : shape) extent = random.between(1, random.once_in(4) ? 70 : 6);
    if (element_count(shape) > 5000) continue;
    const auto strides = any_strides(type, shape, false, random);
    halfulp::options options;
    options.axis = random.between(0, static_cast<std::int64_t>(shape.size()) - 1);
    options.p = random.between(1, 2);
    const auto elements = draw(random.any_of(characters(type)), type, element_count(shape), random);
    check(shape, strides, options, elements, fmt::format("seed {}", i));
  }
}

// Slices with a quotient beside a midpoint, as rows and as columns: what a fast test leaves open is
// settled after neighbours have been written.
TEST_P(in_place, hard_quotients_in_rows_and_columns) {
  for (int i = 0; i < scaled(300); ++i) {
    random_source random(static_cast<std::uint64_t>(i));
    halfulp::options options;
    options.p = random.between(1, 2);
    const question asked{operation::normalize, type, type, static_cast<int>(options.p)};
    std::vector<std::vector<bits>> slices;
    std::size_t longest = 1;
    for (std::uint64_t count = 1 + random.below(20); count > 0; --count) {
      const auto slice =
          random.once_in(4) ? exact_quotient(asked, random) : quotient_at_boundary(asked, random);
      if (!slice) continue;
      longest = std::max(longest, slice->size());
      slices.push_back(*slice);
    }
    const std::size_t count = slices.size();
    std::vector<bits> rows(count * longest, 0), columns(count * longest, 0);
    for (std::size_t s = 0; s < count; ++s) {
      for (std::size_t at = 0; at < slices[s].size(); ++at) {
        rows[s * longest + at] = columns[at * count + s] = slices[s][at];
      }
    }
    const auto item = static_cast<std::int64_t>(bytes_of(type));
    const auto m = static_cast<std::int64_t>(count), n = static_cast<std::int64_t>(longest);
    options.axis = 1;
    check({m, n}, {n * item, item}, options, rows, fmt::format("rows, seed {}", i));
    options.axis = 0;
    check({n, m}, {m * item, item}, options, columns, fmt::format("columns, seed {}", i));
  }
}

TEST_P(in_place, large_rows_and_columns) {
  random_source random(81);
  const auto item = static_cast<std::int64_t>(bytes_of(type));
  const auto elements = draw(character::normal, type, 6 * 2048, random);
  for (const std::int64_t p : {1, 2}) {
    halfulp::options options;
    options.p = p;
    options.axis = 1;
    check({6, 2048}, {2048 * item, item}, options, elements, "rows");
    options.axis = 0;
    check({2048, 6}, {6 * item, item}, options, elements, "columns");
    check({6, 2048}, {2048 * item, item}, options, elements, "wide columns");
  }
}

// By the time the elements at the end of a long row turn out to need the exact sum, those at its
// start have been overwritten.
TEST_P(in_place, hard_quotients_at_the_end_of_a_row) {
  const auto item = static_cast<std::int64_t>(bytes_of(type));
  for (int i = 0; i < scaled(100); ++i) {
    random_source random(static_cast<std::uint64_t>(900 + i));
    halfulp::options options;
    options.p = random.between(1, 2);
    const question question{.op = operation::normalize,
                            .input = type,
                            .output = type,
                            .p = static_cast<int>(options.p)};
    const auto hard = quotient_at_boundary(question, random);
    if (!hard || hard->size() < 2) continue;
    for (const std::size_t front : {hard->size() / 2, hard->size() - 1}) {
      // Zeros add nothing to the norm.
      std::vector<bits> row(*hard);
      row.insert(row.begin() + static_cast<std::ptrdiff_t>(front), 5000, bits{0});
      const auto n = static_cast<std::int64_t>(row.size());
      check({n}, {item}, options, row, fmt::format("seed {}", 900 + i));
    }
  }
}

TEST_P(in_place, strides_of_single_steps_do_not_matter) {
  const auto item = static_cast<std::int64_t>(bytes_of(type));
  const halfulp::plan plan(halfulp::op::lp_normalization, {type, {1, 2}, {1000, item}});
  std::vector<std::byte> memory(2 * bytes_of(type));
  EXPECT_NO_THROW(plan.run(memory.data(), memory.data()));
}

INSTANTIATE_TEST_SUITE_P(of_type, in_place, testing::ValuesIn(float_types), name_of_parameter);

}  // namespace
}  // namespace oracle
