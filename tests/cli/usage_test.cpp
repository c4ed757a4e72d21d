// Command lines that are wrong in themselves, and the help for those that want it.
// SPDX-License-Identifier: Apache-2.0
#include "command.hpp"

namespace halfulp::test {
namespace {

using usage_test = command_test;

struct wrong_line {
  std::vector<std::string> arguments;
  std::string message;
};

TEST_F(usage_test, wrong_lines) {
  write_file("x.npy", npy<float>("(2,)", {3, 4}));
  const std::vector<wrong_line> lines = {
      {{}, "a command is missing (known: run, op, describe, inspect); see halfulp --help"},
      {{""}, "command '' is not known (known: run, op, describe, inspect); see halfulp --help"},
      {{"reduce"},
       "command 'reduce' is not known (known: run, op, describe, inspect); see halfulp --help"},
      {{"x\n\x1b[2Jy"},
       "command 'x\\x0a\\x1b[2Jy' is not known (known: run, op, describe, inspect); see halfulp "
       "--help"},
      {{"--verbose"},
       "option '--verbose' is not known before a command (known: run, op, describe, inspect); see "
       "halfulp --help"},
      {{"op"}, "OPERATOR is required; see halfulp op --help"},
      {{"op", "ReduceL1"}, "FILE is required; see halfulp op --help"},
      {{"op", "ReduceL1", "x.npy", "y.npy"},
       "argument 'y.npy' was not expected; see halfulp op --help"},
      {{"op", "ReduceL1", "x.npy", "--threads-of-mine", "2"},
       "option '--threads-of-mine' is not known; see halfulp op --help"},
      {{"op", "ReduceL3", "x.npy"},
       "operator 'ReduceL3' is not known (known: ReduceL1, ReduceL2, ReduceSumSquare, "
       "LpNormalization); see halfulp op --help"},
      {{"op", "reducel1", "x.npy"}, "operator 'reducel1' is not known"},
      {{"op", "ReduceL1", "x.npy", "--axes"}, "--axes: 1 required LIST missing"},
      {{"op", "ReduceL1", "x.npy", "--axes", "0,one"},
       "--axes: 'one' is not an integer; see halfulp op --help"},
      {{"op", "ReduceL1", "x.npy", "--axes", "0 1"}, "--axes: '0 1' is not an integer"},
      {{"op", "ReduceL1", "x.npy", "--axes", "0,"}, "--axes: '' is not an integer"},
      {{"op", "ReduceL1", "x.npy", "--axes", "0", "--axes", "1"}, "--axes"},
      {{"op", "ReduceL1", "x.npy", "--axes", "18446744073709551616"},
       "--axes: 18446744073709551616 is out of range"},
      {{"op", "ReduceL1", "x.npy", "--keepdims", "0x0"}, "--keepdims: '0x0' is not an integer"},
      {{"op", "ReduceL1", "x.npy", "--keepdims="}, "--keepdims: '' is not an integer"},
      {{"op", "ReduceL1", "x.npy", "--noop-with-empty-axes", "true"},
       "--noop-with-empty-axes: 'true' is not an integer"},
      {{"op", "ReduceL1", "x.npy", "--opset", "13.0"}, "--opset: '13.0' is not an integer"},
      {{"op", "LpNormalization", "x.npy", "--axis", "-1x"}, "--axis: '-1x' is not an integer"},
      {{"op", "LpNormalization", "x.npy", "--p", "9223372036854775808"},
       "--p: 9223372036854775808 is out of range"},
      {{"op", "LpNormalization", "x.npy", "--eps", "tiny"}, "--eps: 'tiny' is not a number"},
      {{"op", "LpNormalization", "x.npy", "--eps", "1e400"}, "--eps: 1e400 is out of range"},
      {{"op", "ReduceL1", "x.npy", "--output-type", "float"},
       "--output-type: 'float' is not a type"},
      {{"op", "ReduceL1", "x.npy", "--type", ""}, "--type: '' is not a type"},
      {{"op", "ReduceL1", "x.npy", "--json=yes please"}, "--json"},
      {{"op", "ReduceL1", "x.npy", "--json", "-o", "y.npy"},
       "--json prints the result and -o writes it to a file, only one can be given; see halfulp op "
       "--help"},
      {{"describe"}, "OPERATOR is required; see halfulp describe --help"},
      {{"describe", "Norm"}, "operator 'Norm' is not known"},
      {{"describe", "ReduceL1", "--opset", "new"},
       "--opset: 'new' is not an integer; see halfulp describe --help"},
      {{"describe", "ReduceL1", "--diff", "1,2"}, "--diff: '1,2' is not an integer"},
      {{"describe", "ReduceL1", "x.npy"}, "argument 'x.npy' was not expected"},
      {{"inspect"}, "FILE is required; see halfulp inspect --help"},
      {{"inspect", "x.npy", "--type", "float33"},
       "--type: 'float33' is not a type (known: bfloat16, float16, float32, float64, int32, int64, "
       "uint32, uint64); see halfulp inspect --help"},
      {{"inspect", "x.npy", "--axes", "0"}, "see halfulp inspect --help"},
  };
  for (const auto& line : lines) {
    SCOPED_TRACE(testing::PrintToString(line.arguments));
    expect_failure(halfulp(line.arguments), 2, line.message);
  }
  EXPECT_FALSE(std::filesystem::exists("y.npy"));
}

TEST_F(usage_test, version) { expect_output(halfulp({"--version"}), "halfulp 0.1.0\n"); }

struct help_text {
  std::vector<std::string> arguments;
  std::vector<std::string> mentions;
};

TEST_F(usage_test, help_after_every_word) {
  const std::vector<help_text> texts = {
      {{"--help"},
       {"Usage: halfulp", "op ", "describe ", "inspect ", "--version", ".npy", ".pb",
        ".safetensors", "Exit status: 0 done", "Examples:"}},
      {{"op", "--help"},
       {"Usage: halfulp op", "--opset", "--axes", "--keepdims", "--noop-with-empty-axes", "--axis",
        "--p", "--eps", "--output-type", "--type", "--json", "-o", "Examples:"}},
      {{"op", "ReduceL1", "--help"}, {"Usage: halfulp op"}},
      {{"describe", "--help"},
       {"Usage: halfulp describe", "--opset", "--diff", "--json", "Examples:"}},
      {{"inspect", "--help"}, {"Usage: halfulp inspect", "--type", "--json", "Examples:"}},
  };
  for (const auto& text : texts) {
    SCOPED_TRACE(testing::PrintToString(text.arguments));
    const outcome got = halfulp(text.arguments);
    EXPECT_EQ(got.status, 0);
    EXPECT_EQ(got.err, "");
    EXPECT_EQ(got.out.find("\n\n\n"), std::string::npos);
    for (const auto& mention : text.mentions) {
      EXPECT_NE(got.out.find(mention), std::string::npos) << mention;
    }
    auto with_h = text.arguments;
    with_h.back() = "-h";
    EXPECT_EQ(halfulp(with_h).out, got.out);
  }
}

}  // namespace
}  // namespace halfulp::test
