// Random slices of every character, type, operator and output type.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "numerics/support/check.hpp"
#include "numerics/support/construct.hpp"
#include "numerics/support/draw.hpp"
#include "numerics/support/type_parameter.hpp"

namespace oracle {
namespace {

class random_slices : public testing::TestWithParam<dtype> {};

std::size_t random_length(random_source& random) {
  switch (random.below(4)) {
    case 0:
      return random.below(9);
    case 1:
      return random.below(80);
    case 2:
      return random.below(400);
    default:
      return 1 + random.below(3);
  }
}

TEST_P(random_slices, reductions) {
  const dtype input = GetParam();
  for (const question& asked : questions_of(input)) {
    if (asked.op == operation::normalize) continue;
    for (const character kind : characters(input)) {
      for (int i = 0; i < scaled(150); ++i) {
        const auto seed = static_cast<std::uint64_t>(i);
        random_source random(seed);
        const auto slice = draw(kind, input, random_length(random), random);
        expect_correct(asked, slice, fmt::format("{}, seed {}", text_of(kind), seed));
      }
    }
  }
}

TEST_P(random_slices, normalizations) {
  const dtype input = GetParam();
  for (const question& asked : questions_of(input)) {
    if (asked.op != operation::normalize) continue;
    for (const character kind : characters(input)) {
      for (int i = 0; i < scaled(150); ++i) {
        const auto seed = static_cast<std::uint64_t>(i);
        random_source random(seed);
        const auto slice = draw(kind, input, random_length(random), random);
        expect_correct(asked, slice, fmt::format("{}, seed {}", text_of(kind), seed));
      }
    }
  }
}

TEST_P(random_slices, normalizations_with_eps) {
  const dtype input = GetParam();
  for (question asked : questions_of(input)) {
    if (asked.op != operation::normalize) continue;
    for (const character kind : characters(input)) {
      if (kind == character::any_pattern) continue;
      for (int i = 0; i < scaled(200); ++i) {
        const auto seed = static_cast<std::uint64_t>(i);
        random_source random(seed);
        const auto slice = draw(kind, input, random_length(random) % 80, random);
        asked.eps = eps_for(asked, slice, random);
        expect_correct(asked, slice, fmt::format("{}, seed {}", text_of(kind), seed));
      }
    }
  }
}

// Rows of a matrix, as embeddings have them: many slices in one call.
TEST_P(random_slices, rows_of_embedding_length) {
  const dtype input = GetParam();
  random_source random(11);
  for (const question& asked : questions_of(input)) {
    if (asked.output != input) continue;
    for (const std::int64_t length : {96, 384, 768}) {
      const auto rows = static_cast<std::int64_t>(scaled(20));
      const tensor matrix{
          input,
          {rows, length},
          draw(character::normal, input, static_cast<std::size_t>(rows * length), random)};
      halfulp::options options;
      if (asked.op == operation::normalize) {
        options.p = asked.p;
      } else {
        options.axes = {{1}};
      }
      EXPECT_EQ(computed(op_of(asked.op), matrix, options).elements,
                expected(op_of(asked.op), matrix, options).elements)
          << text_of(asked) << ", rows of " << length;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(floats, random_slices, testing::ValuesIn(float_types), name_of_parameter);

class random_integers : public testing::TestWithParam<dtype> {};

TEST_P(random_integers, reductions) {
  const dtype input = GetParam();
  for (const question& asked : questions_of(input)) {
    for (const character kind : characters(input)) {
      for (int i = 0; i < scaled(150); ++i) {
        const auto seed = static_cast<std::uint64_t>(i);
        random_source random(seed);
        const auto slice = draw(kind, input, random_length(random), random);
        expect_correct(asked, slice, fmt::format("{}, seed {}", text_of(kind), seed));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(integers, random_integers, testing::ValuesIn(integer_types),
                         name_of_parameter);

}  // namespace
}  // namespace oracle
