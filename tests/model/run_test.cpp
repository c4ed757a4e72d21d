// What models compute: nodes, constants, inputs in every form, optional ones, order of the file.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "model/support/running.hpp"

namespace halfulp::onnx::test {
namespace {

const std::vector<float> x = {3, 4, 0, 6, -8, 0};
const std::vector<std::int64_t> x_shape = {2, 3};

std::vector<tensor> run_with_x(const model_parts& parts) {
  const std::vector<named_view> inputs{feed("x", x, x_shape)};
  return load(parts).run(inputs);
}

TEST(run, attributes_select_what_a_node_computes) {
  const auto norm = node("ReduceL2", {"x"}, {"y"}, "",
                         {integers_attribute("axes", {1}), integer_attribute("keepdims", 0)});
  expect_tensor<float>(run_with_x(one_node(norm, float32_type, 13)).at(0), {2}, {5, 10});
  const auto unit = node("LpNormalization", {"x"}, {"y"}, "",
                         {integer_attribute("axis", 0), integer_attribute("p", 1)});
  expect_tensor<float>(run_with_x(one_node(unit, float32_type)).at(0), {2, 3},
                       {3.0F / 9, 4.0F / 12, 0, 6.0F / 9, -8.0F / 12, 0});
}

TEST(run, options_are_for_each_norm) {
  const model_parts two{
      .nodes = {node("LpNormalization", {"x"}, {"unit"}),
                node("ReduceL1", {"x"}, {"y"}, "", {integer_attribute("keepdims", 0)})},
      .inputs = {value("x", float32_type, {"1000", "256"})},
      .outputs = {message().text(1, "unit"), message().text(1, "y")}};
  const std::vector<named_view> inputs{feed("x", std::vector<float>(256000, 2), {1000, 256})};
  const model loaded = load(two);
  run_statistics statistics;
  const auto results = loaded.run(inputs, {}, {.threads = 3, .statistics = &statistics});
  expect_tensor<float>(results.at(0), {1000, 256}, std::vector<float>(256000, 0.0625F));
  expect_tensor<float>(results.at(1), {}, {512000});
  EXPECT_EQ(statistics.threads, 3);
  EXPECT_GE(statistics.parts, 4);
  EXPECT_EQ(statistics.fast + statistics.extracted + statistics.exact, 1001);

  const std::string_view wanted[] = {"y"};
  EXPECT_THROW(loaded.run(inputs, wanted, {.threads = -1}), error);
}

// Some writers leave out what is zero.
TEST(run, an_attribute_without_a_value_is_zero) {
  const auto sum =
      node("ReduceL1", {"x"}, {"y"}, "", {message().text(1, "keepdims").integer(20, 2)});
  expect_tensor<float>(run_with_x(one_node(sum, float32_type)).at(0), {}, {21});
}

TEST(run, packed_and_unpacked_lists_are_one) {
  const message packed = message().text(1, "axes").integer(20, 7).text(8, std::string(1, '\1'));
  const message with_ten_bytes =
      message().text(1, "axes").integer(20, 7).text(8, std::string(9, '\xff') + '\1');
  for (const message& axes : {packed, with_ten_bytes, integers_attribute("axes", {-1})}) {
    const auto sum = node("ReduceL1", {"x"}, {"y"}, "", {axes});
    expect_tensor<float>(run_with_x(one_node(sum, float32_type, 11)).at(0), {2, 1}, {7, 14});
  }
}

TEST(run, axes_are_an_initializer_a_constant_or_fed) {
  const model_parts base{.nodes = {node("ReduceL1", {"x", "axes"}, {"y"})},
                         .inputs = {value("x", float32_type, {"2", "3"})},
                         .outputs = {message().text(1, "y")}};
  model_parts initializer = base;
  initializer.initializers = {axes_tensor("axes", {0})};
  expect_tensor<float>(run_with_x(initializer).at(0), {1, 3}, {9, 12, 0});

  model_parts constant = base;
  constant.nodes.push_back(
      node("Constant", {}, {"axes"}, "", {tensor_attribute("value", axes_tensor("", {0}))}));
  expect_tensor<float>(run_with_x(constant).at(0), {1, 3}, {9, 12, 0});
  constant.nodes.back() =
      node("Constant", {}, {"axes"}, "", {integers_attribute("value_ints", {0, 1})});
  expect_tensor<float>(run_with_x(constant).at(0), {1, 1}, {21});

  model_parts fed = base;
  fed.inputs.push_back(value("axes", int64_type, {"k"}));
  const model loaded = load(fed);
  const std::vector<std::int64_t> axes = {1, 7, 0};  // every second is taken
  const const_view strided{axes.data(), {dtype::int64, {2}, {16}}};
  const std::vector<named_view> inputs{{"axes", strided}, feed("x", x, x_shape)};
  expect_tensor<float>(loaded.run(inputs).at(0), {1, 1}, {21});
  const std::vector<named_view> without{feed("axes", std::vector<std::int64_t>{}, {0}),
                                        feed("x", x, x_shape)};
  expect_tensor<float>(loaded.run(without).at(0), {1, 1}, {21});
}

TEST(run, axes_may_be_computed) {
  const model_parts parts{
      .nodes = {node("Cast", {"small"}, {"axes"}, "", {integer_attribute("to", int64_type)}),
                node("ReduceL1", {"x", "axes"}, {"y"}, "", {integer_attribute("keepdims", 0)}),
                node("ReduceL2", {"y"}, {"z"})},
      .inputs = {value("x", float32_type, {"2", "3"}), value("small", int32_type, {"1"})},
      .outputs = {message().text(1, "y"), message().text(1, "z")}};
  const std::vector<named_view> inputs{feed("x", x, x_shape),
                                       feed("small", std::vector<std::int32_t>{0}, {1})};
  const std::vector<tensor> results = load(parts).run(inputs);
  expect_tensor<float>(results.at(0), {3}, {9, 12, 0});
  expect_tensor<float>(results.at(1), {1}, {15});
}

TEST(run, an_optional_input_may_be_empty) {
  for (const names& inputs : {names{"x"}, names{"x", ""}}) {
    for (const std::int64_t opset : {13, 18, 28}) {
      const auto sum = node("ReduceL1", inputs, {"y"});
      expect_tensor<float>(run_with_x(one_node(sum, float32_type, opset)).at(0), {1, 1}, {21});
    }
  }
}

TEST(run, nodes_may_stand_in_any_order) {
  const std::vector<message> nodes = {
      node("ReduceL1", {"t"}, {"y"}), node("Identity", {"s"}, {"t"}),
      node("ReduceSumSquare", {"x", "axes"}, {"s"}),
      node("Constant", {}, {"axes"}, "", {integers_attribute("value_ints", {1})})};
  std::vector<std::size_t> order = {0, 1, 2, 3};
  do {
    model_parts parts{.nodes = {},
                      .inputs = {value_of_any_rank("x", float32_type)},
                      .outputs = {message().text(1, "y")}};
    for (const std::size_t i : order) parts.nodes.push_back(nodes[i]);
    expect_tensor<float>(run_with_x(parts).at(0), {1, 1}, {125});
  } while (std::next_permutation(order.begin(), order.end()));
}

TEST(run, initializers_come_in_every_form) {
  const std::string raw16("\x00\x3c\x00\xc0", 4);  // float16 1, -2
  const auto typed = [](std::int64_t type, std::uint32_t field,
                        const std::vector<std::int64_t>& values) {
    message tensor = tensor_header("w", type, {2});
    for (const std::int64_t value : values) tensor.integer(field, value);
    return tensor;
  };
  const std::vector<std::pair<std::int64_t, message>> forms = {
      {float32_type, raw_tensor("w", float32_type, {2}, raw_bytes<float>({1, -2}))},
      {float32_type, tensor_header("w", float32_type, {2}).real(4, 1).real(4, -2)},
      {float16_type, raw_tensor("w", float16_type, {2}, raw16)},
      {float16_type, typed(float16_type, 5, {0x3c00, 0xc000})},
      {bfloat16_type, typed(bfloat16_type, 5, {0x3f80, 0xc000})},
      {int32_type, typed(int32_type, 5, {1, -2})},
      {int64_type, typed(int64_type, 7, {1, -2})},
      {uint32_type, typed(uint32_type, 11, {1, 2})},
      {uint64_type, typed(uint64_type, 11, {1, 2})},
  };
  for (const auto& [type, form] : forms) {
    const model_parts parts{
        .nodes = {node("ReduceL1", {"w"}, {"y"}),
                  node("Cast", {"y"}, {"z"}, "", {integer_attribute("to", float64_type)})},
        .inputs = {},
        .outputs = {message().text(1, "z")},
        .initializers = {form}};
    expect_tensor<double>(load(parts).run({}).at(0), {1}, {3});
  }
}

TEST(run, constants_come_in_every_form) {
  const std::vector<std::pair<message, std::vector<double>>> forms = {
      {integer_attribute("value_int", -7), {-7}},
      {integers_attribute("value_ints", {1, 2}), {1, 2}},
      {integers_attribute("value_ints", {}), {}},
      {real_attribute("value_float", 1.5), {1.5}},
      {message().text(1, "value_floats").integer(20, 6).real(7, 1.5).real(7, -2), {1.5, -2}},
      {tensor_attribute("value", tensor_header("", float64_type, {0})), {}},
  };
  for (const auto& [attribute, elements] : forms) {
    const model_parts parts{
        .nodes = {node("Constant", {}, {"c"}, "", {attribute}),
                  node("Cast", {"c"}, {"y"}, "", {integer_attribute("to", float64_type)})},
        .inputs = {},
        .outputs = {message().text(1, "y")}};
    EXPECT_EQ(elements_of<double>(load(parts).run({}).at(0)), elements);
  }
}

TEST(run, an_input_with_an_initializer_may_be_left_out) {
  const model_parts parts{
      .nodes = {node("ReduceL1", {"x"}, {"y"})},
      .inputs = {value("x", float32_type, {"n"})},
      .outputs = {message().text(1, "y")},
      .initializers = {raw_tensor("x", float32_type, {2}, raw_bytes<float>({1, 2}))},
      .ir_version = 3};
  const model loaded = load(parts);
  expect_tensor<float>(loaded.run({}).at(0), {1}, {3});
  const std::vector<named_view> inputs{feed<float>("x", {4, 5, 6}, {3})};
  expect_tensor<float>(loaded.run(inputs).at(0), {1}, {15});
}

// A default is no constant: axes that may be fed must not be taken for known.
TEST(run, axes_with_a_default_may_be_fed) {
  const model_parts parts{
      .nodes = {node("ReduceL1", {"x", "axes"}, {"y"})},
      .inputs = {value("x", float32_type, {"2", "3"}), value("axes", int64_type, {"1"})},
      .outputs = {value("y", float32_type, {"r", "c"})},
      .initializers = {axes_tensor("axes", {0})}};
  const model loaded = load(parts);
  const std::vector<named_view> only_x{feed("x", x, x_shape)};
  expect_tensor<float>(loaded.run(only_x).at(0), {1, 3}, {9, 12, 0});
  const std::vector<named_view> both{feed("x", x, x_shape),
                                     feed("axes", std::vector<std::int64_t>{1}, {1})};
  expect_tensor<float>(loaded.run(both).at(0), {2, 1}, {7, 14});
}

TEST(run, outputs_may_be_inputs_initializers_and_one_tensor_twice) {
  const model_parts parts{
      .nodes = {node("ReduceL1", {"x"}, {"y"}), node("Identity", {"y"}, {"z"}),
                node("Identity", {"x"}, {"t"})},
      .inputs = {value_of_any_rank("x", float32_type)},
      .outputs = {message().text(1, "x"), message().text(1, "w"), message().text(1, "y"),
                  message().text(1, "z"), message().text(1, "t")},
      .initializers = {raw_tensor("w", int32_type, {}, raw_bytes<std::int32_t>({7}))}};
  const std::vector<float> turned = {1, 3, 5, 2, 4, 6};
  const const_view view{turned.data() + 5, {dtype::float32, {3, 2}, {-4, -12}}};
  const std::vector<named_view> inputs{{"x", view}};
  const std::vector<tensor> results = load(parts).run(inputs);
  ASSERT_EQ(results.size(), 5u);
  expect_tensor<float>(results[0], {3, 2}, {6, 5, 4, 3, 2, 1});
  expect_tensor<std::int32_t>(results[1], {}, {7});
  expect_tensor<float>(results[2], {1, 1}, {21});
  expect_tensor<float>(results[3], {1, 1}, {21});
  expect_tensor<float>(results[4], {3, 2}, {6, 5, 4, 3, 2, 1});
  EXPECT_NE(results[2].data(), results[3].data());
}

TEST(run, only_what_is_asked_for_is_computed) {
  const model_parts parts{
      .nodes = {node("ReduceL1", {"x"}, {"y"}),
                node("Cast", {"x"}, {"z"}, "", {integer_attribute("to", int32_type)})},
      .inputs = {value_of_any_rank("x", float32_type)},
      .outputs = {message().text(1, "y"), message().text(1, "z")}};
  const model loaded = load(parts);
  const std::vector<named_view> inputs{feed<float>("x", {1e20F, 1}, {2})};
  const std::vector<std::string_view> only_y{"y"};
  expect_tensor<float>(loaded.run(inputs, only_y).at(0), {1}, {1e20F});
  EXPECT_THROW(loaded.run(inputs), error);
  const std::vector<named_view> small{feed<float>("x", {1.9F, -1.9F}, {2})};
  const std::vector<std::string_view> turned{"z", "y"};
  const std::vector<tensor> results = loaded.run(small, turned);
  expect_tensor<std::int32_t>(results.at(0), {2}, {1, -1});
  expect_tensor<float>(results.at(1), {1}, {3.8F});
}

TEST(run, names_may_hold_anything) {
  const std::string odd = std::string("a/b=c:\xff\n", 8) + std::string(300, 'n');
  const model_parts parts{.nodes = {node("ReduceL1", {odd}, {odd + "'"}, odd)},
                          .inputs = {value_of_any_rank(odd, float32_type)},
                          .outputs = {message().text(1, odd + "'")}};
  const std::vector<named_view> inputs{feed(odd, x, x_shape)};
  expect_tensor<float>(load(parts).run(inputs).at(0), {1, 1}, {21});
}

TEST(run, the_opset_selects_the_newest_version_that_is_not_above_it) {
  for (std::int64_t opset = 1; opset <= newest_opset; ++opset) {
    model_parts parts = one_node(
        node("ReduceL1", {"x"}, {"y"}, "", {integers_attribute("axes", {0})}), float32_type, opset);
    if (opset >= 18) {
      parts.nodes = {node("ReduceL1", {"x", "a"}, {"y"})};
      parts.initializers = {axes_tensor("a", {0})};
    }
    expect_tensor<float>(run_with_x(parts).at(0), {1, 3}, {9, 12, 0});
  }
}

TEST(run, unknown_fields_are_skipped) {
  model_parts parts =
      one_node(node("ReduceL1", {"x"}, {"y"}).integer(99, 1).text(500, "new"), float32_type);
  const std::string bytes = to_bytes(parts) + message().text(77, "new").real(78, 1).bytes();
  const std::vector<named_view> inputs{feed("x", x, x_shape)};
  expect_tensor<float>(model(as_span(bytes)).run(inputs).at(0), {1, 1}, {21});
}

TEST(run, copies_share_a_model_and_run_at_once) {
  const model loaded = load(
      {.nodes = {node("LpNormalization", {"x"}, {"t"}), node("ReduceL1", {"t", "axes"}, {"y"})},
       .inputs = {value("x", float32_type, {"N", "3"})},
       .outputs = {message().text(1, "y")},
       .initializers = {axes_tensor("axes", {1})}});
  const std::vector<named_view> inputs{feed("x", x, x_shape)};
  const std::vector<float> alone = elements_of<float>(loaded.run(inputs).at(0));
  std::vector<std::vector<float>> results(8);
  std::vector<std::thread> threads;
  for (std::vector<float>& result : results) {
    threads.emplace_back([copy = loaded, &inputs, &result] {
      for (int i = 0; i < 100; ++i) result = elements_of<float>(copy.run(inputs).at(0));
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const std::vector<float>& result : results) EXPECT_EQ(result, alone);
}

}  // namespace
}  // namespace halfulp::onnx::test
