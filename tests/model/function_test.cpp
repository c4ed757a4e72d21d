// Local functions: inlined, with their own names, attributes and opsets.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "model/support/running.hpp"

namespace halfulp::onnx::test {
namespace {

const std::vector<float> x = {3, 4, 0, 6, -8, 0};

model_parts calling(std::vector<message> nodes, std::vector<function> functions) {
  return {.nodes = std::move(nodes),
          .inputs = {value("x", float32_type, {"2", "3"})},
          .outputs = {message().text(1, "y")},
          .functions = std::move(functions)};
}

std::vector<float> run(const model_parts& parts) {
  const std::vector<named_view> inputs{feed("x", x, {2, 3})};
  return elements_of<float>(load(parts).run(inputs).at(0));
}

message call(std::string_view name, const names& inputs, const names& outputs,
             const std::vector<message>& attributes = {}) {
  return node(name, inputs, outputs, "call", attributes, "local");
}

// An L2 norm along the attribute `over`; the inner names are those of the caller, too.
function norm_over() {
  return {
      .name = "Norm",
      .inputs = {"x"},
      .outputs = {"y"},
      .nodes = {node("Identity", {"t"}, {"y"}), node("ReduceL2", {"x"}, {"t"}, "",
                                                     {reference_attribute("axes", "over", 7),
                                                      reference_attribute("keepdims", "keep", 2)})},
      .attributes = {"over"},
      .defaults = {integer_attribute("keep", 0)},
      .opset = 13};
}

TEST(function, attributes_are_given_or_have_a_default) {
  const std::vector<function> functions{norm_over()};
  EXPECT_EQ(
      run(calling({call("Norm", {"x"}, {"y"}, {integers_attribute("over", {1})})}, functions)),
      (std::vector<float>{5, 10}));
  // Neither given nor with a default: the inner attribute is absent.
  EXPECT_EQ(run(calling({call("Norm", {"x"}, {"y"})}, functions)), (std::vector<float>{11.18034F}));
  const model loaded = load(calling(
      {call("Norm", {"x"}, {"y"}, {integers_attribute("over", {1}), integer_attribute("keep", 1)})},
      functions));
  const std::vector<named_view> inputs{feed("x", x, {2, 3})};
  expect_tensor<float>(loaded.run(inputs).at(0), {2, 1}, {5, 10});
}

TEST(function, calls_do_not_see_each_others_names) {
  EXPECT_EQ(run(calling({call("Norm", {"t"}, {"y"}, {integers_attribute("over", {0})}),
                         call("Norm", {"x"}, {"t"}, {integers_attribute("over", {1})})},
                        {norm_over()})),
            (std::vector<float>{11.18034F}));
}

TEST(function, functions_call_functions_and_pass_attributes_on) {
  const function outer{.name = "Outer",
                       .inputs = {"a"},
                       .outputs = {"b"},
                       .nodes = {node("Norm", {"a"}, {"b"}, "inner",
                                      {reference_attribute("over", "which", 7)}, "local")},
                       .attributes = {"which"}};
  EXPECT_EQ(run(calling({call("Outer", {"x"}, {"y"}, {integers_attribute("which", {1})})},
                        {outer, norm_over()})),
            (std::vector<float>{5, 10}));
}

TEST(function, each_has_its_own_opset) {
  const function modern{.name = "Modern",
                        .inputs = {"x", "axes"},
                        .outputs = {"y"},
                        .nodes = {node("ReduceL1", {"x", "axes"}, {"y"})},
                        .opset = 18};
  model_parts parts = calling({call("Modern", {"x", "a"}, {"y"})}, {modern});
  parts.opset = 13;
  parts.initializers = {axes_tensor("a", {0})};
  EXPECT_EQ(run(parts), (std::vector<float>{9, 12, 0}));
  parts.nodes = {call("Modern", {"x"}, {"y"})};  // the optional input is left out inside, too
  EXPECT_EQ(run(parts), (std::vector<float>{21}));
  parts.nodes = {call("Modern", {"x", ""}, {"y"})};
  EXPECT_EQ(run(parts), (std::vector<float>{21}));
}

TEST(function, an_output_may_be_an_input) {
  const function swap{.name = "Swap",
                      .inputs = {"a", "b"},
                      .outputs = {"b", "a", "c"},
                      .nodes = {node("ReduceL1", {"a"}, {"c"})}};
  EXPECT_EQ(run(calling({call("Swap", {"x", "x"}, {"t", "y"})}, {swap})), x);
  EXPECT_EQ(run(calling({call("Swap", {"x", "x"}, {"y", "", "t"})}, {swap})), x);
}

TEST(function, outputs_may_be_left_out_or_several) {
  const function both{
      .name = "Both",
      .inputs = {"x"},
      .outputs = {"one", "two"},
      .nodes = {node("ReduceL2", {"x"}, {"two"}), node("ReduceL1", {"x"}, {"one"})}};
  EXPECT_EQ(run(calling({call("Both", {"x"}, {"y"})}, {both})), (std::vector<float>{21}));
  EXPECT_EQ(run(calling({call("Both", {"x"}, {"", "y"})}, {both})),
            (std::vector<float>{11.18034F}));
}

// A model may have a function of its own for an operator's name.
TEST(function, comes_before_an_operator_of_its_name) {
  const function own{.name = "ReduceL1",
                     .inputs = {"x"},
                     .outputs = {"y"},
                     .nodes = {node("ReduceL2", {"x"}, {"y"})}};
  EXPECT_EQ(run(calling({call("ReduceL1", {"x"}, {"y"})}, {own})), (std::vector<float>{11.18034F}));
  EXPECT_EQ(run(calling({node("ReduceL1", {"x"}, {"y"})}, {own})), (std::vector<float>{21}));
}

TEST(function, overloads_differ) {
  model_parts parts = calling({call("Norm", {"x"}, {"y"}).text(8, "second")}, {});
  message model = message().integer(1, 10).nested(7, to_graph(parts));
  model.nested(8, opset_import("", 18)).nested(8, opset_import("local", 1));
  const auto with = [](std::string_view op, std::string_view overload) {
    return to_message({.name = "Norm",
                       .inputs = {"x"},
                       .outputs = {"y"},
                       .nodes = {node(op, {"x"}, {"y"})}})
        .text(13, overload);
  };
  model.nested(25, with("ReduceL1", "first")).nested(25, with("ReduceSumSquare", "second"));
  const std::vector<named_view> inputs{feed("x", x, {2, 3})};
  EXPECT_EQ(elements_of<float>(onnx::model(as_span(model.bytes())).run(inputs).at(0)),
            (std::vector<float>{125}));
}

}  // namespace
}  // namespace halfulp::onnx::test
