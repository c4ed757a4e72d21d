// What inspect says of models, also of those that cannot be computed.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "io/support/files.hpp"
#include "model/support/running.hpp"

namespace halfulp::onnx::test {
namespace {

model_info inspect_parts(const model_parts& parts) {
  const io::test::temporary_folder folder;
  io::test::write_file(folder / "m.onnx", to_bytes(parts));
  return inspect(folder / "m.onnx");
}

std::string text_of(const value_info& value) {
  std::string text =
      value.name + ":" + (value.type ? std::string(name_of(*value.type)) : value.stored_type);
  if (!value.shape) return text + "?";
  for (const dimension& axis : *value.shape) {
    text += " " + (axis.extent           ? std::to_string(*axis.extent)
                   : axis.symbol.empty() ? "?"
                                         : axis.symbol);
  }
  return text;
}

TEST(inspect, infers_types_and_shapes) {
  const model_info info = inspect_parts(
      {.nodes = {node("Cast", {"t"}, {"y"}, "c", {integer_attribute("to", float64_type)}),
                 node("ReduceL1", {"x", "axes"}, {"t"}, "", {integer_attribute("keepdims", 0)}),
                 node("Constant", {}, {"axes"}, "a", {integers_attribute("value_ints", {-1})}),
                 node("ReduceL2", {"x", "fed"}, {"z"}, "r")},
       .inputs = {value("x", float16_type, {"N", "", "3"}), value("fed", int64_type, {"k"})},
       .outputs = {message().text(1, "y"), message().text(1, "z")},
       .opset = 18,
       .ir_version = 9});
  EXPECT_EQ(info.ir_version, 9);
  EXPECT_EQ(info.graph, "graph");
  ASSERT_EQ(info.opset_imports.size(), 1u);
  EXPECT_EQ(info.opset_imports[0].version, 18);
  ASSERT_EQ(info.inputs.size(), 2u);
  EXPECT_EQ(text_of(info.inputs[0]), "x:float16 N ? 3");
  ASSERT_EQ(info.nodes.size(), 4u);
  EXPECT_EQ(info.nodes[0].name, "a");
  EXPECT_EQ(info.nodes[0].version, 13);
  EXPECT_EQ(info.nodes[0].attributes, std::vector<std::string>{"value_ints=[-1]"});
  EXPECT_EQ(info.nodes[1].op_type, "ReduceL1");
  EXPECT_EQ(info.nodes[1].inputs, (std::vector<std::string>{"x", "axes"}));
  EXPECT_EQ(text_of(info.nodes[1].outputs.at(0)), "t:float16 N ?");
  EXPECT_EQ(info.nodes[1].attributes, std::vector<std::string>{"keepdims=0"});
  ASSERT_EQ(info.outputs.size(), 2u);
  EXPECT_EQ(text_of(info.outputs[0]), "y:float64 N ?");
  EXPECT_EQ(text_of(info.outputs[1]), "z:float16 ? ? ?");
}

TEST(inspect, shows_what_is_not_supported) {
  const model_info info = inspect_parts(
      {.nodes = {node("Relu", {"x"}, {"r"}, "relu"), node("ReduceL1", {"r"}, {"y"}, "known"),
                 node("Split", {"x"}, {"a", "", "b"}, "split", {}, "com.x"),
                 node("ReduceL1", {"a"}, {"z"}, "unknown")},
       .inputs = {value("x", string_type, {"2"})},
       .outputs = {message().text(1, "y"), message().text(1, "z")},
       .initializers = {raw_tensor("w", 2, {3}, "abc")},
       .values = {value("r", float32_type, {"2"})}});
  EXPECT_EQ(text_of(info.inputs.at(0)), "x:STRING 2");
  EXPECT_EQ(text_of(info.initializers.at(0).value), "w:UINT8 3");
  EXPECT_FALSE(info.nodes.at(0).supported);
  EXPECT_EQ(info.nodes[0].version, 18);
  EXPECT_EQ(text_of(info.nodes[0].outputs.at(0)), "r:float32 2");
  EXPECT_TRUE(info.nodes.at(1).supported);
  EXPECT_EQ(text_of(info.nodes[1].outputs.at(0)), "y:float32 1");
  EXPECT_EQ(info.nodes.at(2).domain, "com.x");
  EXPECT_EQ(info.nodes[2].version, 0);
  ASSERT_EQ(info.nodes[2].outputs.size(), 3u);
  EXPECT_EQ(info.nodes[2].outputs[1].name, "");
  EXPECT_EQ(text_of(info.nodes.at(3).outputs.at(0)), "z:?");
}

// Operators that there are, with types that there are not.
TEST(inspect, shows_conversions_and_constants_of_other_types) {
  const model_info info = inspect_parts(
      {.nodes = {node("Cast", {"x"}, {"b"}, "", {integer_attribute("to", 9)}),
                 node("Constant", {}, {"s"}, "", {text_attribute("value_string", "text")}),
                 node("Constant", {}, {"c"}, "",
                      {tensor_attribute("value", raw_tensor("", 9, {1}, "1"))}),
                 node("Identity", {"b"}, {"y"})},
       .inputs = {value("x", float32_type, {"2"})},
       .outputs = {value("y", 9, {"2"})}});
  ASSERT_EQ(info.nodes.size(), 4u);
  EXPECT_EQ(text_of(info.nodes[0].outputs.at(0)), "b:?");
  EXPECT_EQ(text_of(info.nodes[2].outputs.at(0)), "c:?");
  EXPECT_EQ(text_of(info.outputs.at(0)), "y:BOOL 2");
}

TEST(inspect, inlines_functions) {
  const function twice{
      .name = "Twice",
      .inputs = {"a"},
      .outputs = {"b"},
      .nodes = {node("Identity", {"a"}, {"m"}, "one"), node("ReduceL1", {"m"}, {"b"})}};
  const model_info info = inspect_parts({.nodes = {node("Twice", {"x"}, {"t"}, "call", {}, "local"),
                                                   node("Twice", {"t"}, {"y"}, "", {}, "local")},
                                         .inputs = {value("x", float32_type, {"4"})},
                                         .outputs = {message().text(1, "y")},
                                         .functions = {twice}});
  ASSERT_EQ(info.nodes.size(), 4u);
  EXPECT_EQ(info.nodes[0].name, "call/one");
  EXPECT_EQ(text_of(info.nodes[0].outputs.at(0)), "call/m:float32 4");
  EXPECT_EQ(info.nodes[1].inputs, std::vector<std::string>{"call/m"});
  EXPECT_EQ(info.nodes[2].name, "#2/one");
  EXPECT_EQ(text_of(info.nodes[3].outputs.at(0)), "y:float32 1");
}

TEST(inspect, does_not_write_a_long_symbol_out_again_and_again) {
  model_parts parts{.nodes = {},
                    .inputs = {value("t0", float32_type, {std::string(1'000'000, 's')})},
                    .outputs = {message().text(1, "t100")}};
  for (int i = 0; i < 100; ++i) {
    parts.nodes.push_back(
        node("Identity", {"t" + std::to_string(i)}, {"t" + std::to_string(i + 1)}));
  }
  EXPECT_NO_THROW(load(parts));
  EXPECT_THROW(inspect_parts(parts), error);
}

TEST(inspect, refuses_what_is_wrong) {
  EXPECT_THROW(inspect_parts({.nodes = {node("ReduceL1", {"none"}, {"y"})}}), error);
  EXPECT_THROW(inspect("/nonexistent/m.onnx"), error);
}

}  // namespace
}  // namespace halfulp::onnx::test
