// What changes_between finds in rows that the table does not have.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>

#include "schema/describe.hpp"

namespace halfulp::schema {
namespace {

constexpr std::array<attribute_rule, 1> keepdims{{{.name = "keepdims",
                                                   .value = &options::keepdims,
                                                   .default_value = 1,
                                                   .lowest = 0,
                                                   .highest = 1,
                                                   .ranged_by_rank = false,
                                                   .meaning = ""}}};

op_version row(std::span<const attribute_rule> attributes) {
  return {.op = op::reduce_l1,
          .since = 1,
          .until = 2,
          .types = type_set(dtype::float32, dtype::int32),
          .axes = axes_place::attribute,
          .attributes = attributes,
          .input_name = "data",
          .output_name = "reduced",
          .axes_range_stated = true};
}

void expect_one(const std::vector<change>& changes, change_kind kind, std::string_view name,
                std::string_view detail, bool breaking) {
  ASSERT_EQ(changes.size(), 1u);
  EXPECT_EQ(changes[0].kind, kind);
  EXPECT_EQ(changes[0].name, name);
  EXPECT_EQ(changes[0].detail, detail);
  EXPECT_EQ(changes[0].breaking, breaking);
}

TEST(changes_between, equal_rows) {
  EXPECT_TRUE(changes_between(row(keepdims), row(keepdims)).empty());
}

TEST(changes_between, types) {
  auto fewer = row(keepdims);
  fewer.types = type_set(dtype::float32);
  expect_one(changes_between(row(keepdims), fewer), change_kind::types_removed, "T",
             "removed types: int32", true);
  expect_one(changes_between(fewer, row(keepdims)), change_kind::types_added, "T",
             "added types: int32", false);
}

TEST(changes_between, attributes) {
  expect_one(changes_between(row(keepdims), row({})), change_kind::attribute_removed, "keepdims",
             "attribute removed", true);
  expect_one(changes_between(row({}), row(keepdims)), change_kind::attribute_added, "keepdims",
             "attribute added: default 1, range 0 or 1", false);
}

TEST(changes_between, default_of_an_attribute) {
  auto other = keepdims;
  other[0].default_value = 0;
  expect_one(changes_between(row(keepdims), row(other)), change_kind::default_changed, "keepdims",
             "default changed from 1 to 0", true);
}

TEST(changes_between, range_of_an_attribute) {
  auto wider = keepdims;
  wider[0].highest = 2;
  expect_one(changes_between(row(keepdims), row(wider)), change_kind::range_changed, "keepdims",
             "range changed from 0 or 1 to [0, 2]", false);
  expect_one(changes_between(row(wider), row(keepdims)), change_kind::range_changed, "keepdims",
             "range changed from [0, 2] to 0 or 1", true);
}

TEST(changes_between, place_and_range_of_axes) {
  auto silent = row(keepdims);
  silent.axes_range_stated = false;
  expect_one(changes_between(silent, row(keepdims)), change_kind::range_stated, "axes",
             "range stated: [-r, r-1] where r is the rank of data; negative axes count from the "
             "back",
             false);
  auto input = row(keepdims);
  input.axes = axes_place::input;
  expect_one(changes_between(row(keepdims), input), change_kind::attribute_became_input, "axes",
             "the attribute became an optional input of type int64", true);
}

}  // namespace
}  // namespace halfulp::schema
