// halfulp op: results, shapes and options, as printed.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>

#include "command.hpp"

namespace halfulp::test {
namespace {

class op_test : public command_test {
 protected:
  void SetUp() override {
    command_test::SetUp();
    write_file("x.npy", npy<float>("(2, 2)", {1, -2, 3, -4}));
    write_file("cube.npy", npy<std::int32_t>("(2, 2, 2)", {1, 2, 3, 4, 5, 6, 7, 8}));
  }
};

TEST_F(op_test, each_operator) {
  expect_output(halfulp({"op", "ReduceL1", "x.npy"}), "float32 (1,1)\n[[10.0]]\n");
  expect_output(halfulp({"op", "ReduceSumSquare", "x.npy"}), "float32 (1,1)\n[[30.0]]\n");
  expect_output(halfulp({"op", "ReduceL2", "x.npy", "--axes", "1"}),
                "float32 (2,1)\n[[2.236068]\n [5.0     ]]\n");
  expect_output(halfulp({"op", "LpNormalization", "x.npy"}),
                "float32 (2,2)\n[[ 0.4472136 -0.8944272]\n [ 0.6       -0.8      ]]\n");
}

TEST_F(op_test, axes) {
  const std::string rows = "float32 (2,1)\n[[3.0]\n [7.0]]\n";
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "--axes", "1"}), rows);
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "--axes", "-1"}), rows);
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "--axes=-1"}), rows);
  expect_output(halfulp({"op", "--axes", "-1", "ReduceL1", "x.npy"}), rows);
  expect_output(halfulp({"op", "ReduceL1", "--axes", "-1", "x.npy"}), rows);
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "--axes", "1", "--opset", "1"}), rows);
  expect_output(halfulp({"op", "ReduceL1", "cube.npy", "--axes", "0,-1"}),
                "int32 (1,2,1)\n[[[14]\n  [22]]]\n");
}

TEST_F(op_test, empty_axes) {
  const std::string all = "float32 (1,1)\n[[10.0]]\n";
  const std::string none = "float32 (2,2)\n[[1.0 2.0]\n [3.0 4.0]]\n";
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "--axes", ""}), all);
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "--axes="}), all);
  expect_output(halfulp({"op", "ReduceL1", "--axes=", "x.npy"}), all);
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "--noop-with-empty-axes", "1"}), none);
  expect_output(halfulp({"op", "ReduceL1", "--noop-with-empty-axes", "1", "--axes=", "x.npy"}),
                none);
}

TEST_F(op_test, keepdims) {
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "--keepdims", "0"}), "float32 ()\n10.0\n");
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "--keepdims", "0", "--axes", "0"}),
                "float32 (2,)\n[4.0 6.0]\n");
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "--keepdims", "1"}),
                "float32 (1,1)\n[[10.0]]\n");
}

TEST_F(op_test, axis_and_p) {
  expect_output(halfulp({"op", "LpNormalization", "x.npy", "--axis", "0", "--p", "1"}),
                "float32 (2,2)\n[[ 0.25       -0.33333334]\n [ 0.75       -0.6666667 ]]\n");
  expect_output(halfulp({"op", "LpNormalization", "x.npy", "--axis", "-2", "--p", "1"}),
                halfulp({"op", "LpNormalization", "x.npy", "--axis=0", "--p=1"}).out);
}

TEST_F(op_test, eps) {
  expect_output(halfulp({"op", "LpNormalization", "x.npy", "--eps", "8"}),
                "float32 (2,2)\n[[ 0.125 -0.25 ]\n [ 0.375 -0.5  ]]\n");
  expect_output(halfulp({"op", "LpNormalization", "x.npy", "--eps", "1e-12"}),
                halfulp({"op", "LpNormalization", "x.npy"}).out);
}

TEST_F(op_test, output_type) {
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "--output-type", "float64"}),
                "float64 (1,1)\n[[10.0]]\n");
  expect_output(halfulp({"op", "ReduceL2", "cube.npy", "--output-type", "float32"}),
                "float32 (1,1,1)\n[[[14.282857]]]\n");
  expect_output(halfulp({"op", "ReduceL2", "cube.npy"}), "int32 (1,1,1)\n[[[14]]]\n");
}

// Without axes and with noop, ReduceL1 shows |x| in the type of the file.
TEST_F(op_test, every_type_prints_its_extremes) {
  const auto absolute = [](const std::string& file) {
    return halfulp({"op", "ReduceL1", file, "--noop-with-empty-axes", "1", "--type=bfloat16"});
  };
  write_file("bf16.npy", npy<bfloat16>("(3,)", {bfloat16::from_bits(0x8001), bfloat16(0.1),
                                                bfloat16::from_bits(0xff7f)}));
  expect_output(absolute("bf16.npy"), "bfloat16 (3,)\n[9e-41    0.1      3.39e+38]\n");

  const auto values = [](const std::string& file) {
    return halfulp({"op", "ReduceL1", file, "--noop-with-empty-axes", "1"});
  };
  write_file("f16.npy", npy<float16>("(3,)", {float16::from_bits(0x8001), float16(0.1),
                                              float16::from_bits(0xfbff)}));
  expect_output(values("f16.npy"), "float16 (3,)\n[6e-08    0.1      6.55e+04]\n");

  using f32 = std::numeric_limits<float>;
  write_file("f32.npy", npy<float>("(4,)", {-f32::denorm_min(), 0.1f, f32::lowest(), -0.0f}));
  expect_output(values("f32.npy"),
                "float32 (4,)\n[1e-45         0.1           3.4028235e+38 0.0          ]\n");

  using f64 = std::numeric_limits<double>;
  write_file("f64.npy", npy<double>("(2,)", {-f64::denorm_min(), f64::lowest()}));
  expect_output(values("f64.npy"),
                "float64 (2,)\n[5e-324                  1.7976931348623157e+308]\n");

  using i32 = std::numeric_limits<std::int32_t>;
  write_file("i32.npy", npy<std::int32_t>("(2,)", {i32::min(), i32::max()}));
  expect_output(values("i32.npy"), "int32 (2,)\n[-2147483648  2147483647]\n");

  using i64 = std::numeric_limits<std::int64_t>;
  write_file("i64.npy", npy<std::int64_t>("(2,)", {i64::min(), i64::max()}));
  expect_output(values("i64.npy"), "int64 (2,)\n[-9223372036854775808  9223372036854775807]\n");

  using u32 = std::numeric_limits<std::uint32_t>;
  write_file("u32.npy", npy<std::uint32_t>("(2,)", {0, u32::max()}));
  expect_output(values("u32.npy"), "uint32 (2,)\n[         0 4294967295]\n");

  using u64 = std::numeric_limits<std::uint64_t>;
  write_file("u64.npy", npy<std::uint64_t>("(2,)", {1, u64::max()}));
  expect_output(values("u64.npy"), "uint64 (2,)\n[                   1 18446744073709551615]\n");
}

TEST_F(op_test, special_values) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  write_file("s.npy", npy<float>("(2, 2)", {-inf, -1, nan, 1}));
  expect_output(halfulp({"op", "ReduceL1", "s.npy", "--axes", "1", "--keepdims", "0"}),
                "float32 (2,)\n[inf nan]\n");
  expect_output(halfulp({"op", "LpNormalization", "s.npy"}),
                "float32 (2,2)\n[[ nan -0.0]\n [ nan  nan]]\n");
}

TEST_F(op_test, shapes_without_elements) {
  write_file("none.npy", npy<float>("(2, 0)", {}));
  expect_output(halfulp({"op", "ReduceL1", "none.npy", "--axes", "1"}),
                "float32 (2,1)\n[[0.0]\n [0.0]]\n");
  expect_output(halfulp({"op", "ReduceL1", "none.npy", "--axes", "0"}), "float32 (1,0)\n[]\n");
  expect_output(halfulp({"op", "LpNormalization", "none.npy"}), "float32 (2,0)\n[]\n");
}

TEST_F(op_test, rank_zero) {
  write_file("scalar.npy", npy<double>("()", {-2.5}));
  expect_output(halfulp({"op", "ReduceSumSquare", "scalar.npy"}), "float64 ()\n6.25\n");
}

// The same elements in every layout that npy has.
TEST_F(op_test, layouts_of_the_input) {
  const std::string rows = "float32 (2,1)\n[[3.0]\n [7.0]]\n";
  write_file("f.npy", npy_header("<f4", "(2, 2)", true) + bytes_of<float>({1, 3, -2, -4}));
  expect_output(halfulp({"op", "ReduceL1", "f.npy", "--axes", "1"}), rows);
  std::string big;
  for (const float element : {1.0f, -2.0f, 3.0f, -4.0f}) {
    std::string bytes = bytes_of<float>({element});
    std::reverse(bytes.begin(), bytes.end());
    big += bytes;
  }
  write_file("big.npy", npy_header(">f4", "(2, 2)") + big);
  expect_output(halfulp({"op", "ReduceL1", "big.npy", "--axes", "1"}), rows);
}

TEST_F(op_test, standard_input) {
  expect_output(halfulp({"op", "ReduceL1", "-"}, "x.npy"), "float32 (1,1)\n[[10.0]]\n");
}

TEST_F(op_test, file_named_like_a_command) {
  expect_failure(halfulp({"op", "ReduceL1", "inspect"}), 1, "inspect");
  write_file("-x.npy", npy<float>("(1,)", {-1}));
  expect_output(halfulp({"op", "ReduceL1", "--", "-x.npy"}), "float32 (1,)\n[1.0]\n");
}

TEST_F(op_test, long_results_are_shortened) {
  std::vector<std::int32_t> elements(1001);
  for (int i = 0; i < 1001; ++i) elements[i] = -i;
  write_file("long.npy", npy("(1001,)", elements));
  expect_output(halfulp({"op", "ReduceL1", "long.npy", "--noop-with-empty-axes", "1"}),
                "int32 (1001,)\n[   0    1    2 ...  998  999 1000]\n");
}

}  // namespace
}  // namespace halfulp::test
