// halfulp run.
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "model/support/messages.hpp"

namespace halfulp::test {
namespace {

using namespace onnx::test;

class run : public command_test {
 protected:
  void SetUp() override {
    command_test::SetUp();
    write_file("m.onnx", to_bytes({.nodes = {node("ReduceL1", {"x", "axes"}, {"norms"}, "n",
                                                  {integer_attribute("keepdims", 0)}),
                                             node("LpNormalization", {"x"}, {"unit"})},
                                   .inputs = {value("x", float32_type, {"N", "2"}),
                                              value("axes", int64_type, {"k"})},
                                   .outputs = {value("norms", float32_type, {"N"}),
                                               value("unit", float32_type, {"N", "2"})},
                                   .initializers = {axes_tensor("axes", {1})}}));
    write_file("x.npy", npy<float>("(2, 2)", {3, -4, 0, 5}));
  }
};

constexpr std::string_view both = R"(norms: float32 (2,)
[7.0 5.0]
unit: float32 (2,2)
[[ 0.6 -0.8]
 [ 0.0  1.0]]
)";

TEST_F(run, prints_all_outputs) {
  expect_output(halfulp({"run", "m.onnx", "--input", "x=x.npy"}), both);
  expect_output(halfulp({"run", "m.onnx", "--input=x=x.npy"}), both);
  expect_output(halfulp({"run", "--input", "x=x.npy", "m.onnx"}), both);
  expect_output(halfulp({"run", "m.onnx", "--input", "x=-"}, "x.npy"), both);
}

TEST_F(run, reads_a_model_from_standard_input_which_is_in_no_folder) {
  expect_output(halfulp({"run", "-", "--input", "x=x.npy"}, "m.onnx"), both);
  write_file("w.bin", std::string(8, '\0'));
  write_file("e.onnx", to_bytes({.nodes = {node("ReduceL1", {"w"}, {"y"})},
                                 .inputs = {},
                                 .outputs = {message().text(1, "y")},
                                 .initializers = {external_tensor("w", float32_type, {2},
                                                                  {{"location", "w.bin"}})}}));
  expect_output(halfulp({"run", "e.onnx"}), "y: float32 (1,)\n[0.0]\n");
  expect_failure(halfulp({"run", "-"}, "e.onnx"), 1, "the model is in no folder");
}

TEST_F(run, prints_json) {
  const outcome got = halfulp({"run", "m.onnx", "--input", "x=x.npy", "--json"});
  EXPECT_EQ(got.status, 0);
  const auto json = nlohmann::json::parse(got.out);
  ASSERT_EQ(json.at("outputs").size(), 2u);
  EXPECT_EQ(
      json["outputs"][0],
      nlohmann::json::parse(R"({"name":"norms","type":"float32","shape":[2],"values":[7.0,5.0]})"));
  EXPECT_EQ(json["outputs"][1]["values"], nlohmann::json::parse("[0.6,-0.8,0.0,1.0]"));
}

TEST_F(run, writes_the_outputs_that_are_named) {
  expect_output(halfulp({"run", "m.onnx", "--input", "x=x.npy", "--output", "unit=u.safetensors"}),
                "");
  expect_output(halfulp({"op", "ReduceL1", "u.safetensors:unit", "--axes", "1"}),
                "float32 (2,1)\n[[1.4000001]\n [1.0      ]]\n");
  expect_output(halfulp({"run", "m.onnx", "--output", "norms=n.pb", "--input", "x=x.npy",
                         "--output", "unit=u.npy"}),
                "");
  expect_output(halfulp({"op", "ReduceL1", "n.pb"}), "float32 (1,)\n[12.0]\n");
  EXPECT_EQ(read_file("u.npy"), npy<float>("(2, 2)", {0.6F, -0.8F, 0, 1}));
  const outcome to_standard_output =
      halfulp({"run", "m.onnx", "--input", "x=x.npy", "--output", "norms=-"});
  EXPECT_EQ(to_standard_output.out, npy<float>("(2,)", {7, 5}));
}

TEST_F(run, reads_every_format_and_replaces_an_initializer) {
  write_file("axes.npy", npy<std::int64_t>("(2,)", {0, -1}));
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "--axes", "", "--noop-with-empty-axes", "1",
                         "-o", "x.safetensors"}),
                "");
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "--axes", "", "--noop-with-empty-axes", "1",
                         "-o", "x.pb"}),
                "");
  write_file("sum.onnx", to_bytes({.nodes = {node("ReduceL1", {"x", "axes"}, {"y"})},
                                   .inputs = {value_of_any_rank("x", float32_type),
                                              value_of_any_rank("axes", int64_type)},
                                   .outputs = {message().text(1, "y")},
                                   .initializers = {axes_tensor("axes", {1})}}));
  for (const char* file : {"x.npy", "x.pb", "x.safetensors:output"}) {
    expect_output(halfulp({"run", "sum.onnx", "--input", std::string("x=") + file, "--input",
                           "axes=axes.npy"}),
                  "y: float32 (1,1)\n[[12.0]]\n");
  }
}

TEST_F(run, the_model_says_what_an_npy_file_cannot) {
  write_file("b.onnx", to_bytes({.nodes = {node("ReduceL1", {"x"}, {"y"})},
                                 .inputs = {value_of_any_rank("x", bfloat16_type)},
                                 .outputs = {message().text(1, "y")}}));
  write_file("b.npy", npy<bfloat16>("(2,)", {bfloat16(1.5), bfloat16(-2)}));
  expect_output(halfulp({"run", "b.onnx", "--input", "x=b.npy"}), "y: bfloat16 (1,)\n[3.5]\n");
  expect_failure(halfulp({"run", "b.onnx", "--input", "x=x.npy"}), 1,
                 "input 'x': x.npy: holds elements of type <f4, not bfloat16");
}

TEST_F(run, names_are_no_file_names) {
  write_file("odd.onnx", to_bytes({.nodes = {node("ReduceL1", {"a=b/c:0"}, {"y=z"})},
                                   .inputs = {value_of_any_rank("a=b/c:0", float32_type)},
                                   .outputs = {message().text(1, "y=z")}}));
  expect_output(halfulp({"run", "odd.onnx", "--input", "a=b/c:0=x.npy"}),
                "y=z: float32 (1,1)\n[[12.0]]\n");
  expect_output(halfulp({"run", "odd.onnx", "--input", "a=b/c:0=x.npy", "--output", "y=z=a=b.npy"}),
                "");
  EXPECT_TRUE(std::filesystem::exists("a=b.npy"));
}

TEST_F(run, failures_name_what_is_wrong) {
  const auto fails = [](std::vector<std::string> arguments, int status, std::string_view culprit) {
    arguments.insert(arguments.begin(), {"run", "m.onnx"});
    expect_failure(halfulp(arguments), status, culprit);
  };
  fails({}, 1, "m.onnx: the input 'x' is missing");
  fails({"--input", "z=x.npy"}, 1, "m.onnx: has no input 'z'; it has x, axes");
  fails({"--input", "x=none.npy"}, 1, "input 'x': cannot open none.npy");
  fails({"--input", "x=x.txt"}, 1, "x.txt: unknown ending");
  fails({"--input", "x=x.npy", "--output", "z=y.npy"}, 1, "has no output 'z'; it has norms, unit");
  fails({"--input", "x=x.npy", "--output", "unit=none/y.npy"}, 1, "none/y.npy");
  fails({"--input", "x=x.npy", "--input", "x=x.npy"}, 1, "'x' is given twice");
  fails({"--input", "x"}, 2, "--input: 'x' is not NAME=FILE");
  fails({"--input", "==x.npy"}, 2, "is not NAME=FILE");
  fails({"--input", "=x.npy"}, 2, "is not NAME=FILE");
  fails({"--input", "x="}, 2, "is not NAME=FILE");
  fails({"--input"}, 2, "--input");
  fails({"--input", "x=-", "--input", "axes=-"}, 2, "can be read once");
  expect_failure(halfulp({"run", "-", "--input", "x=-"}, "m.onnx"), 2, "can be read once");
  fails({"--output", "norms=a.npy", "--output", "unit=a.npy"}, 2,
        "--output: a.npy is to hold 'norms' and 'unit'");
  fails({"--output", "norms=a.npy", "--output", "unit=./a.npy"}, 2, "./a.npy is to hold");
  fails({"--json", "--output", "unit=a.npy"}, 2, "only one can be given");
  fails({"x.npy"}, 2, "x.npy");
  expect_failure(halfulp({"run"}), 2, "MODEL");
  expect_failure(halfulp({"run", "x.npy"}), 1, "x.npy: byte 0: ModelProto");
  expect_failure(halfulp({"run", "none.onnx"}), 1, "cannot open none.onnx");
  write_file("wide.npy", npy<float>("(2, 3)", {1, 2, 3, 4, 5, 6}));
  fails({"--input", "x=wide.npy"}, 1, "'x' has shape (2,3); the model states (N,2)");
}

TEST_F(run, either_all_outputs_appear_or_none) {
  expect_failure(halfulp({"run", "m.onnx", "--input", "x=x.npy", "--output", "norms=n.npy",
                          "--output", "unit=none/u.npy"}),
                 1, "none/u.npy");
  EXPECT_FALSE(std::filesystem::exists("n.npy"));
  write_file(
      "big.onnx",
      to_bytes({.nodes = {node("ReduceL1", {"x"}, {"s"}), node("LpNormalization", {"x"}, {"y"})},
                .inputs = {value_of_any_rank("x", float32_type)},
                .outputs = {message().text(1, "s"), message().text(1, "y")}}));
  // That the second one cannot be written shows only when it is.
  write_file("big.npy", npy<float>("(1000,)", std::vector<float>(1000, 1)));
  expect_failure(shell(R"(ulimit -f 1; "$halfulp" run big.onnx --input x=big.npy \
                            --output s=s.npy --output y=y.npy)"),
                 1, "y.npy");
  EXPECT_FALSE(std::filesystem::exists("s.npy"));
  EXPECT_FALSE(std::filesystem::exists("y.npy"));
}

TEST_F(run, an_output_may_replace_an_input) {
  expect_output(halfulp({"run", "m.onnx", "--input", "x=x.npy", "--output", "unit=x.npy"}), "");
  EXPECT_EQ(read_file("x.npy"), npy<float>("(2, 2)", {0.6F, -0.8F, 0, 1}));
}

TEST_F(run, inspect_shows_the_graph) {
  expect_output(halfulp({"inspect", "m.onnx"}), R"(ONNX model, IR version 8, opset 18
graph graph, 2 nodes

Inputs
name  type     shape
x     float32  (N,2)
axes  int64    (k,)

Initializers
name  type   shape  bytes  external
axes  int64  (1,)   8      -

Nodes
name  operator           inputs   outputs              attributes
n     ReduceL1-18        x, axes  norms: float32 (N,)  keepdims=0
-     LpNormalization-1  x        unit: float32 (N,2)

Outputs
name   type     shape
norms  float32  (N,)
unit   float32  (N,2)
)");
  const outcome got = halfulp({"inspect", "m.onnx", "--json"});
  const auto json = nlohmann::json::parse(got.out);
  EXPECT_EQ(json.at("format"), "ONNX");
  EXPECT_EQ(json.at("inputs").at(0),
            nlohmann::json::parse(R"({"name":"x","type":"float32","shape":["N",2]})"));
  EXPECT_EQ(json.at("nodes").at(1).at("version"), 1);
  EXPECT_EQ(json.at("nodes").at(0).at("attributes").at(0), "keepdims=0");
  expect_failure(halfulp({"inspect", "m.onnx", "--type", "float32"}), 2, "--type");
}

TEST_F(run, inspect_marks_what_is_not_supported) {
  write_file("u.onnx", to_bytes({.nodes = {node("Relu", {"x"}, {"y"})},
                                 .inputs = {value("x", string_type, {})},
                                 .outputs = {message().text(1, "y")}}));
  const outcome got = halfulp({"inspect", "u.onnx"});
  EXPECT_EQ(got.status, 0);
  EXPECT_NE(got.out.find("1 node, 1 not supported"), std::string::npos) << got.out;
  EXPECT_NE(got.out.find("Relu (opset 18, not supported)"), std::string::npos) << got.out;
  EXPECT_NE(got.out.find("STRING"), std::string::npos) << got.out;
  expect_failure(halfulp({"run", "u.onnx"}), 1, "Relu of opset 18 (node #1 (Relu))");
}

}  // namespace
}  // namespace halfulp::test
