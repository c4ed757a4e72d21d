// SPDX-License-Identifier: Apache-2.0
#include "array_text.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace halfulp::cli {
namespace {

template <typename T>
std::string format(const std::vector<std::int64_t>& shape, const std::vector<T>& elements) {
  return format_array(dtype_of<T>, shape, reinterpret_cast<const std::byte*>(elements.data()));
}

std::vector<std::int32_t> iota(int n) {
  std::vector<std::int32_t> list(static_cast<std::size_t>(n));
  std::iota(list.begin(), list.end(), 0);
  return list;
}

TEST(format_array, small_ranks) {
  EXPECT_EQ(format<float>({}, {2.5f}), "2.5");
  EXPECT_EQ(format<float>({1}, {2.5f}), "[2.5]");
  EXPECT_EQ(format<std::int32_t>({3}, {1, -20, 3}), "[  1 -20   3]");
  EXPECT_EQ(format<std::int32_t>({2, 2}, {1, 2, 3, 40}), "[[ 1  2]\n [ 3 40]]");
  EXPECT_EQ(format<std::int32_t>({2, 2, 1}, {1, 2, 3, 4}), "[[[1]\n  [2]]\n\n [[3]\n  [4]]]");
  EXPECT_EQ(format<std::int32_t>({2, 1, 1, 1}, {1, 2}), "[[[[1]]]\n\n\n [[[2]]]]");
}

TEST(format_array, empty) {
  EXPECT_EQ(format<float>({0}, {}), "[]");
  EXPECT_EQ(format<float>({1000000, 0, 1000000}, {}), "[]");
}

TEST(format_array, aligns_at_the_decimal_point) {
  const double inf = std::numeric_limits<double>::infinity();
  EXPECT_EQ(format<double>({2, 3}, {1, -10.25, 0.5, 100, inf, -0.0}),
            "[[  1.0  -10.25   0.5 ]\n"
            " [100.0     inf  -0.0 ]]");
  EXPECT_EQ(format<double>({2}, {inf, 2.5}), "[inf 2.5]");
  EXPECT_EQ(format<double>({2}, {-inf, 2.5}), "[-inf  2.5]");
  EXPECT_EQ(format<double>({2}, {inf, inf}), "[inf inf]");
  EXPECT_EQ(format<double>({2}, {1e20, 2.5}), "[1e+20 2.5  ]");
}

TEST(format_array, wraps_long_rows) {
  const std::string text = format<std::int32_t>({2, 30}, std::vector<std::int32_t>(60, 12));
  const std::string row =
      "12 12 12 12 12 12 12 12 12 12 12 12 12 12 12 12 12 12 12 12 12 12 12 12\n"
      "  12 12 12 12 12 12]";
  EXPECT_EQ(text, "[[" + row + "\n [" + row + "]");
}

TEST(format_array, shortens_more_than_1000_elements) {
  EXPECT_EQ(format<std::int32_t>({1001}, iota(1001)), "[   0    1    2 ...  998  999 1000]");
  EXPECT_EQ(format<std::int32_t>({7, 200}, iota(1400)),
            "[[   0    1    2 ...  197  198  199]\n"
            " [ 200  201  202 ...  397  398  399]\n"
            " [ 400  401  402 ...  597  598  599]\n"
            " ...\n"
            " [ 800  801  802 ...  997  998  999]\n"
            " [1000 1001 1002 ... 1197 1198 1199]\n"
            " [1200 1201 1202 ... 1397 1398 1399]]");
  // An axis of six shows all of it.
  EXPECT_EQ(format<std::int32_t>({2, 600, 1}, iota(1200)),
            "[[[   0]\n  [   1]\n  [   2]\n  ...\n  [ 597]\n  [ 598]\n  [ 599]]\n\n"
            " [[ 600]\n  [ 601]\n  [ 602]\n  ...\n  [1197]\n  [1198]\n  [1199]]]");
}

TEST(format_array, shows_1000_elements_in_full) {
  const std::string text = format<std::int32_t>({1000}, iota(1000));
  EXPECT_EQ(text.find("..."), std::string::npos);
  EXPECT_NE(text.find(" 500 "), std::string::npos);
}

TEST(format_array, no_spaces_at_the_end_of_a_wrapped_line) {
  std::vector<float> elements(40, 1);
  elements[39] = 1.25f;
  const std::string text = format<float>({40}, elements);
  EXPECT_NE(text.find("1.0\n"), std::string::npos);
  EXPECT_EQ(text.find(" \n"), std::string::npos);
}

// Only what is shown is looked at: the number in the middle widens no column.
TEST(format_array, hidden_elements_do_not_count) {
  std::vector<std::int32_t> elements(2000, 7);
  elements[1000] = 123456789;
  EXPECT_EQ(format<std::int32_t>({2000}, elements), "[7 7 7 ... 7 7 7]");
}

}  // namespace
}  // namespace halfulp::cli
