// halfulp op: what the library, the files and the system refuse, with status 1.
// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include "command.hpp"

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define HALFULP_SANITIZED
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define HALFULP_SANITIZED
#endif

namespace halfulp::test {
namespace {

#ifdef HALFULP_SANITIZED
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

class op_failure_test : public command_test {
 protected:
  void SetUp() override {
    command_test::SetUp();
    write_file("x.npy", npy<float>("(2, 2)", {1, -2, 3, -4}));
    write_file("i.npy", npy<std::int32_t>("(2,)", {1, 2}));
    write_file("bf16.npy", npy<bfloat16>("(2,)", {bfloat16(1.0), bfloat16(2.0)}));
  }
};

struct refusal {
  std::vector<std::string> arguments;  // after "op"
  std::string culprit;
};

TEST_F(op_failure_test, values_and_types) {
  const std::vector<refusal> refusals = {
      {{"ReduceL1", "x.npy", "--opset", "0"}, "opset 0"},
      {{"ReduceL1", "x.npy", "--opset", "29"}, "opset 29"},
      {{"ReduceL1", "x.npy", "--opset", "-9223372036854775808"}, "opset -9223372036854775808"},
      {{"ReduceL1", "x.npy", "--axes", "2"}, "ReduceL1-18: axes: axis 2 is out of range"},
      {{"ReduceL1", "x.npy", "--axes", "-3"}, "axis -3"},
      {{"ReduceL1", "x.npy", "--axes", "0,0"}, "twice"},
      {{"ReduceL1", "x.npy", "--axes", "1,-1"}, "twice"},
      {{"ReduceL1", "x.npy", "--keepdims", "2"}, "keepdims is 2"},
      {{"ReduceL1", "x.npy", "--noop-with-empty-axes", "-1"}, "noop_with_empty_axes is -1"},
      {{"ReduceL1", "x.npy", "--noop-with-empty-axes", "1", "--opset", "13"},
       "ReduceL1-13: there is no attribute noop_with_empty_axes"},
      {{"ReduceL1", "x.npy", "--p", "1"}, "ReduceL1-18: there is no attribute p"},
      {{"ReduceL1", "x.npy", "--eps", "0.5"}, "eps"},
      {{"ReduceL1", "x.npy", "--output-type", "int32"}, "output type int32"},
      {{"ReduceL2", "bf16.npy", "--type", "bfloat16", "--opset", "11"}, "bfloat16"},
      {{"LpNormalization", "x.npy", "--axis", "2"}, "axis 2"},
      {{"LpNormalization", "x.npy", "--p", "3"}, "p is 3"},
      {{"LpNormalization", "x.npy", "--eps", "-1"}, "eps is -1"},
      {{"LpNormalization", "x.npy", "--eps", "inf"}, "eps is inf"},
      {{"LpNormalization", "x.npy", "--eps", "nan"}, "eps is nan"},
      {{"LpNormalization", "x.npy", "--axes", "0"}, "axes"},
      {{"LpNormalization", "i.npy"}, "int32"},
  };
  for (const auto& r : refusals) {
    SCOPED_TRACE(testing::PrintToString(r.arguments));
    std::vector<std::string> line{"op"};
    line.insert(line.end(), r.arguments.begin(), r.arguments.end());
    expect_failure(halfulp(line), 1, r.culprit);
  }
}

// The library sees no difference between these and nothing given; one who wrote `--p 2` meant it.
TEST_F(op_failure_test, attributes_of_other_operators_at_their_defaults) {
  const std::vector<refusal> refusals = {
      {{"ReduceL1", "x.npy", "--p", "2"},
       "ReduceL1-18: there is no attribute p in this version (given: 2)"},
      {{"ReduceL1", "x.npy", "--axis", "-1"}, "ReduceL1-18: there is no attribute axis"},
      {{"ReduceL1", "x.npy", "--noop-with-empty-axes", "0", "--opset", "13"},
       "ReduceL1-13: there is no attribute noop_with_empty_axes"},
      {{"LpNormalization", "x.npy", "--keepdims", "1"},
       "LpNormalization-22: there is no attribute keepdims"},
  };
  for (const auto& r : refusals) {
    SCOPED_TRACE(testing::PrintToString(r.arguments));
    std::vector<std::string> line{"op"};
    line.insert(line.end(), r.arguments.begin(), r.arguments.end());
    expect_failure(halfulp(line), 1, r.culprit);
  }
}

TEST_F(op_failure_test, input_files) {
  write_file("short.npy", npy<float>("(2, 2)", {1, 2, 3}));
  write_file("noise.npy", "no tensor");
  write_file("list.npy", npy_header("|O", "(1,)") + "12345678");
  write_file("x.txt", "1 2 3");
  std::filesystem::create_directory("folder.npy");
  for (const std::string file :
       {"missing.npy", "short.npy", "noise.npy", "list.npy", "x.txt", "folder.npy", "bf16.npy"}) {
    SCOPED_TRACE(file);
    expect_failure(halfulp({"op", "ReduceL1", file}), 1, file);
  }
  expect_failure(halfulp({"op", "ReduceL1", ""}), 1, "");
  expect_failure(halfulp({"op", "ReduceL1", "-"}), 1, "standard input");
  expect_failure(halfulp({"op", "ReduceL1", "x.npy", "--type", "float64"}), 1, "float64");
}

TEST_F(op_failure_test, output_files) {
  for (const std::string file : {"missing/y.npy", "y.txt", "y", "y.safetensors:name"}) {
    SCOPED_TRACE(file);
    expect_failure(halfulp({"op", "ReduceL1", "x.npy", "-o", file}), 1, file);
  }
  // Nothing but the inputs and what this test's harness writes.
  std::size_t entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(".")) {
    entries += entry.path().extension() == ".npy" ? 0 : 1;
  }
  EXPECT_EQ(entries, 2u);
}

TEST_F(op_failure_test, a_failed_call_leaves_the_output_alone) {
  write_file("y.npy", "old");
  expect_failure(halfulp({"op", "ReduceL1", "x.npy", "--axes", "5", "-o", "y.npy"}), 1, "axis 5");
  EXPECT_EQ(read_file("y.npy"), "old");
}

TEST_F(op_failure_test, full_disk) {
  for (const std::string line :
       {"op ReduceL1 x.npy", "op ReduceL1 x.npy --json", "op ReduceL1 x.npy -o -",
        "describe ReduceL1", "inspect x.npy", "--help", "--version"}) {
    SCOPED_TRACE(line);
    expect_failure(shell("\"$halfulp\" " + line + " > /dev/full"), 1, "standard output");
  }
}

TEST_F(op_failure_test, closed_standard_output) {
  for (const std::string line : {"op ReduceL1 x.npy", "op ReduceL1 x.npy -o -", "--help"}) {
    SCOPED_TRACE(line);
    expect_failure(shell("\"$halfulp\" " + line + " >&-"), 1, "standard output");
  }
}

// A megabyte, which no pipe holds, so that the writer is still at it when the reader has gone.
TEST_F(op_failure_test, closed_pipe) {
  write_file("many.npy", npy("(250000,)", std::vector<float>(250000, 0.5f)));
  for (const std::string output : {"--json", "-o -"}) {
    SCOPED_TRACE(output);
    expect_failure(shell("{ \"$halfulp\" op ReduceL1 many.npy --noop-with-empty-axes 1 " + output +
                         "; echo $? > status; } | true; exit $(cat status)"),
                   1, "standard output");
  }
}

TEST_F(op_failure_test, out_of_memory) {
  if (sanitized) GTEST_SKIP() << "sanitizers need more address space than any sensible limit";
  const std::string header = npy_header("<f4", "(1000000000,)");
  write_file("huge.npy", header);
  std::filesystem::resize_file("huge.npy", header.size() + 4000000000u);  // a hole, no disk
  const outcome got = shell("ulimit -v 1000000; \"$halfulp\" op ReduceL1 huge.npy");
  expect_failure(got, 1, "huge.npy: out of memory for 4000000000 bytes");
  // A small file whose result is large.
  write_file("wide.npy", npy_header("<f4", "(1000000000, 0)"));
  expect_failure(shell("ulimit -v 1000000; \"$halfulp\" op ReduceL1 wide.npy --axes 1"), 1,
                 "shape (1000000000,1)");
}

TEST_F(op_failure_test, file_size_limit) {
  write_file("many.npy", npy("(250000,)", std::vector<float>(250000, 0.5f)));
  expect_failure(shell("ulimit -f 1; \"$halfulp\" op LpNormalization many.npy -o y.npy"), 1,
                 "y.npy");
  EXPECT_FALSE(std::filesystem::exists("y.npy"));
}

// Whatever ends the program, nothing is left behind, where files without a name can be had.
TEST_F(op_failure_test, killed_while_it_computes) {
  std::filesystem::create_directory("out");
  const std::string header = npy_header("<f4", "(100000000,)");
  write_file("many.npy", header);
  std::filesystem::resize_file("many.npy", header.size() + 400000000u);  // a hole, no disk
  shell("\"$halfulp\" op LpNormalization many.npy -o out/y.npy & sleep 0.1; kill -KILL $!; wait");
  EXPECT_TRUE(std::filesystem::is_empty("out"));
}

}  // namespace
}  // namespace halfulp::test
