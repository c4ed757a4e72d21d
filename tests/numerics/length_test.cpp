// Slices of every short length and around powers of two, where vectors and blocks end.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "numerics/support/check.hpp"
#include "numerics/support/draw.hpp"
#include "numerics/support/type_parameter.hpp"

namespace oracle {
namespace {

class lengths : public testing::TestWithParam<dtype> {};

character some_character(dtype type, random_source& random) {
  static const std::vector<character> of_floats{
      character::uniform, character::normal,         character::wide,
      character::window,  character::small_integers, character::dust,
  };
  return random.any_of(is_floating(type) ? of_floats : characters(type));
}

TEST_P(lengths, every_one_up_to_70) {
  const dtype input = GetParam();
  random_source random(21);
  for (const question& asked : questions_of(input)) {
    for (std::size_t length = 0; length <= 70; ++length) {
      for (int i = 0; i < scaled(4); ++i) {
        const character kind = some_character(input, random);
        expect_correct(asked, draw(kind, input, length, random), text_of(kind));
      }
    }
  }
}

TEST_P(lengths, around_powers_of_two) {
  const dtype input = GetParam();
  random_source random(22);
  for (const question& asked : questions_of(input)) {
    if (asked.output != input) continue;
    // A quotient for each element is the oracle's dearest answer.
    const int most = asked.op == operation::normalize ? 15 : 17;
    for (int exponent = 7; exponent <= most; ++exponent) {
      for (const int beside : {-1, 0, 1}) {
        if (!sampled(random)) continue;
        const auto length = static_cast<std::size_t>((1 << exponent) + beside);
        const character kind = some_character(input, random);
        expect_correct(asked, draw(kind, input, length, random), text_of(kind));
      }
    }
  }
}

// The last element of a slice decides, so that none may be left out or counted twice.
TEST_P(lengths, every_element_counts_once) {
  const dtype input = GetParam();
  const bits one = is_floating(input) ? truncated(input, 1.0) : 1;
  for (const std::size_t length : {1, 2, 3, 7, 8, 9, 15, 16, 17, 31, 33, 63, 64, 65, 127, 129}) {
    for (std::size_t at = 0; at < length; ++at) {
      std::vector<bits> slice(length, 0);
      slice[at] = one;
      for (const operation op : reductions) {
        expect_outputs({op, input, input}, slice, {one}, fmt::format("a one at {}", at));
      }
      if (!is_floating(input)) continue;
      for (const int p : {1, 2}) {
        expect_outputs({operation::normalize, input, input, p}, slice, slice,
                       fmt::format("a one at {}", at));
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(of_type, lengths, testing::ValuesIn(all_types), name_of_parameter);

}  // namespace
}  // namespace oracle
