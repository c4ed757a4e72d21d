// SPDX-License-Identifier: Apache-2.0
#include "arguments.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace halfulp::cli {
namespace {

template <typename F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const usage_error& e) {
    return e.what();
  }
  return "no usage_error";
}

TEST(parse_integer, takes_all_of_int64) {
  EXPECT_EQ(parse_integer("--axis", "0"), 0);
  EXPECT_EQ(parse_integer("--axis", "-1"), -1);
  EXPECT_EQ(parse_integer("--axis", "010"), 10);
  EXPECT_EQ(parse_integer("--axis", "9223372036854775807"),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(parse_integer("--axis", "-9223372036854775808"),
            std::numeric_limits<std::int64_t>::min());
}

TEST(parse_integer, refuses_what_is_no_integer) {
  for (const char* text :
       {"", " 1", "1 ", "+1", "--1", "1.0", "1e3", "0x10", "true", "1,2", "one"}) {
    EXPECT_EQ(message_of([&] { parse_integer("--axis", text); }),
              std::string("--axis: '") + text + "' is not an integer");
  }
}

TEST(parse_integer, refuses_overflow) {
  for (const char* text :
       {"9223372036854775808", "-9223372036854775809", "99999999999999999999999"}) {
    EXPECT_EQ(message_of([&] { parse_integer("--p", text); }),
              std::string("--p: ") + text + " is out of range");
  }
  EXPECT_EQ(message_of([] { parse_integer("--p", "9223372036854775808x"); }),
            "--p: '9223372036854775808x' is not an integer");
}

TEST(parse_integers, splits_at_commas) {
  using list = std::vector<std::int64_t>;
  EXPECT_EQ(parse_integers("--axes", ""), list{});
  EXPECT_EQ(parse_integers("--axes", "2"), list{2});
  EXPECT_EQ(parse_integers("--axes", "0,-1,3"), (list{0, -1, 3}));
}

TEST(parse_integers, refuses_gaps_and_junk) {
  for (const char* text : {",", "1,", ",1", "1,,2"}) {
    EXPECT_EQ(message_of([&] { parse_integers("--axes", text); }), "--axes: '' is not an integer");
  }
  EXPECT_EQ(message_of([] { parse_integers("--axes", "0, 1"); }), "--axes: ' 1' is not an integer");
  EXPECT_EQ(message_of([] { parse_integers("--axes", "0;1"); }), "--axes: '0;1' is not an integer");
}

TEST(parse_real, takes_decimal_numbers) {
  EXPECT_EQ(parse_real("--eps", "0"), 0.0);
  EXPECT_EQ(parse_real("--eps", "1e-12"), 1e-12);
  EXPECT_EQ(parse_real("--eps", "-0.5"), -0.5);
  EXPECT_EQ(parse_real("--eps", "4.9406564584124654e-324"), 0x1p-1074);
  EXPECT_TRUE(std::isinf(parse_real("--eps", "inf")));
  EXPECT_TRUE(std::isnan(parse_real("--eps", "nan")));
}

TEST(parse_real, refuses_junk_and_overflow) {
  for (const char* text : {"", "1e", "1,5", "0x1p3", " 1", "1 ", "+1", "eps"}) {
    EXPECT_EQ(message_of([&] { parse_real("--eps", text); }),
              std::string("--eps: '") + text + "' is not a number");
  }
  EXPECT_EQ(message_of([] { parse_real("--eps", "1e999"); }), "--eps: 1e999 is out of range");
}

TEST(parse_type, knows_the_eight) {
  EXPECT_EQ(parse_type("--type", "bfloat16"), dtype::bfloat16);
  EXPECT_EQ(parse_type("--type", "uint64"), dtype::uint64);
  EXPECT_EQ(message_of([] { parse_type("--type", "Float32"); }),
            "--type: 'Float32' is not a type (known: bfloat16, float16, float32, float64, int32, "
            "int64, uint32, uint64)");
}

TEST(parse_operator, knows_the_four) {
  EXPECT_EQ(parse_operator("ReduceL1"), op::reduce_l1);
  EXPECT_EQ(parse_operator("LpNormalization"), op::lp_normalization);
  EXPECT_NE(message_of([] { parse_operator("reducel1"); }).find("ReduceSumSquare"),
            std::string::npos);
}

}  // namespace
}  // namespace halfulp::cli
