// Models and inputs that are wrong: one line that names the culprit, before anything is computed.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>

#include "io/support/files.hpp"
#include "model/support/running.hpp"

namespace halfulp::onnx::test {
namespace {

using parts_list = std::initializer_list<std::string_view>;

void expect_refused(const std::string& bytes, parts_list culprits, errc code = errc::invalid_file) {
  io::test::expect_error(
      code, [&] { model(as_span(bytes), "m.onnx"); }, culprits);
}

void expect_refused(const model_parts& parts, parts_list culprits, errc code = errc::invalid_file) {
  expect_refused(to_bytes(parts), culprits, code);
}

void expect_run_refused(const model_parts& parts, const std::vector<named_view>& inputs, errc code,
                        parts_list culprits) {
  const model loaded = load(parts);
  io::test::expect_error(
      code, [&] { loaded.run(inputs); }, culprits);
}

model_parts reduce(const message& node, std::int64_t opset = 18) {
  return {.nodes = {node},
          .inputs = {value("x", float32_type, {"N", "3"})},
          .outputs = {message().text(1, "y")},
          .opset = opset};
}

const message plain = node("ReduceL1", {"x"}, {"y"}, "n");

TEST(refusal, of_what_is_no_model) {
  expect_refused("", {"m.onnx", "no graph"});
  expect_refused("\x93NUMPY", {"m.onnx", "byte 0", "ModelProto"});
  expect_refused(message().integer(1, 8).bytes(), {"no graph"});
  expect_refused(model_parts{.nodes = {plain}, .inputs = {value("x", float32_type, {})}},
                 {"m.onnx: has no output"});
  const message graph = to_graph(reduce(plain));
  const message opset = opset_import("", 18);
  expect_refused(message().integer(1, 8).nested(7, graph).nested(7, graph).bytes(),
                 {"second graph"});
  for (const std::int64_t version : {-1, 0, 1, 2, 15}) {
    expect_refused(message().integer(1, version).nested(7, graph).nested(8, opset).bytes(),
                   {"ir_version " + std::to_string(version), "3 to 14"});
  }
  expect_refused(message().nested(7, graph).nested(8, opset).bytes(), {"ir_version 0"});
  expect_refused(message().text(1, "8").bytes(),
                 {"byte 0", "field 1 of ModelProto", "wire type 2"});
}

TEST(refusal, of_models_that_are_cut_at_any_byte) {
  const std::string whole = to_bytes(reduce(plain));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    try {
      model(as_span(whole.substr(0, size)), "m.onnx");
      ADD_FAILURE() << "cut to " << size;
    } catch (const error& problem) {
      EXPECT_EQ(static_cast<int>(problem.code()), static_cast<int>(errc::invalid_file));
    }
  }
}

TEST(refusal, names_the_byte) {
  // A node whose text is longer than what is left of it.
  const message broken = message().raw("\x0a\x7fx");
  const std::string bytes = message().integer(1, 8).nested(7, message().nested(1, broken)).bytes();
  expect_refused(bytes, {"byte 6", "NodeProto is cut off or damaged"});
  expect_refused(message().raw(std::string(11, '\xff')).bytes(), {"byte 0", "cut off"});
  // A length that 32 bits would make short.
  expect_refused(message().raw("\x3a\x80\x80\x80\x80\x10").bytes(), {"byte 0", "cut off"});
}

TEST(refusal, of_opsets) {
  expect_refused(reduce(plain, 29), {"opset 29", "1 to 28"});
  expect_refused(reduce(plain, 0), {"opset 0"});
  const auto model_importing = [](const std::vector<message>& imports) {
    message model = message().integer(1, 8).nested(7, to_graph(reduce(plain)));
    for (const message& import : imports) model.nested(8, import);
    return model.bytes();
  };
  expect_refused(model_importing({}), {"node 'n'", "imports no opset of ONNX"});
  expect_refused(model_importing({opset_import("other", 1)}), {"imports no opset of ONNX"});
  expect_refused(model_importing({opset_import("", 13), opset_import("ai.onnx", 18)}),
                 {"opsets 13 and 18"});
  EXPECT_NO_THROW(
      model(as_span(model_importing({opset_import("", 18), opset_import("ai.onnx", 18)}))));
}

TEST(refusal, lists_all_unsupported_operators_at_once) {
  model_parts parts = reduce(plain);
  parts.nodes.push_back(node("Relu", {"y"}, {"a"}, "first"));
  parts.nodes.push_back(node("Gemm", {"a", "a"}, {"b"}));
  parts.nodes.push_back(node("Relu", {"b"}, {"c"}, "third"));
  parts.nodes.push_back(node("Attention", {"c"}, {"d"}, "other", {}, "com.x"));
  expect_refused(parts, {"m.onnx", "4 of 5 nodes", "Relu of opset 18 (node 'first', node 'third')",
                         "Gemm of opset 18 (node #3 (Gemm))", "com.x.Attention of opset 0",
                         "node 'other'", "supported are ReduceL1", "Identity"});
}

TEST(refusal, lists_every_operator_however_many_nodes_have_another) {
  model_parts parts = reduce(plain);
  for (int i = 0; i < 2000; ++i) {
    parts.nodes.push_back(node("Relu", {"y"}, {"r" + std::to_string(i)}, "relu"));
  }
  parts.nodes.push_back(node("Gemm", {"y"}, {"g"}, "gemm"));
  expect_refused(parts, {"2001 of 2002 nodes", "Gemm of opset 18 (node 'gemm')", "1900 more"});
}

// Nothing of what nests without end is read.
TEST(refusal, does_not_walk_into_what_is_nested) {
  message graph = to_graph(reduce(plain)), type = message().nested(4, message());
  for (int depth = 0; depth < 3000; ++depth) {
    const message branch = message().text(1, "then_branch").integer(20, 5).nested(6, graph);
    graph = message().nested(1, node("If", {"x"}, {"y"}, "if", {branch}));
    type = message().nested(4, message().nested(1, type));
  }
  graph.nested(11, value("x", float32_type, {})).nested(12, message().text(1, "y"));
  const message opset = opset_import("", 18);
  expect_refused(message().integer(1, 8).nested(7, graph).nested(8, opset).bytes(),
                 {"If of opset 18 (node 'if')"});
  model_parts parts = reduce(plain);
  parts.inputs = {message().text(1, "x").nested(2, type)};
  expect_refused(parts, {"input 'x' has type sequence"}, errc::unsupported_type);
}

TEST(refusal, of_names_that_are_not_clear) {
  model_parts parts = reduce(plain);
  parts.nodes.push_back(node("Identity", {"x"}, {"y"}, "again"));
  expect_refused(parts, {"node 'again'", "'y'", "node 'n'"});
  parts.nodes.back() = node("Identity", {"y"}, {"x"}, "again");
  expect_refused(parts, {"node 'again'", "'x'", "an input"});
  parts.nodes.back() = node("Identity", {"missing"}, {"z"}, "again");
  expect_refused(parts, {"node 'again'", "'missing'", "nothing writes"});
  parts = reduce(plain);
  parts.outputs.push_back(message().text(1, "missing"));
  expect_refused(parts, {"nothing writes the output 'missing'"});
  parts.outputs.back() = message().text(1, "y");
  expect_refused(parts, {"the output 'y' twice"});
  parts = reduce(plain);
  parts.inputs.push_back(value("x", float32_type, {}));
  expect_refused(parts, {"the input 'x' twice"});
  parts = reduce(plain);
  parts.initializers = {axes_tensor("w", {0}), axes_tensor("w", {1})};
  expect_refused(parts, {"the initializer 'w' twice"});
  parts.initializers = {axes_tensor("y", {0})};
  expect_refused(parts, {"node 'n'", "'y'", "initializer"});
  parts.initializers = {axes_tensor("", {0})};
  expect_refused(parts, {"byte", "name of an initializer"});
}

TEST(refusal, of_cycles) {
  model_parts parts = reduce(node("Identity", {"b"}, {"a"}, "first"));
  parts.nodes.push_back(node("Identity", {"a"}, {"b"}, "second"));
  parts.nodes.push_back(node("ReduceL1", {"b"}, {"y"}, "after"));
  expect_refused(parts, {"cycle", "node 'first'", "node 'second'"});
  parts.nodes = {node("Identity", {"y"}, {"y"}, "self")};
  expect_refused(parts, {"cycle", "node 'self'"});
}

TEST(refusal, of_nodes_that_break_their_operators_rules) {
  const auto refused = [](const message& node, std::int64_t opset, parts_list culprits,
                          errc code = errc::invalid_argument) {
    expect_refused(reduce(node, opset), culprits, code);
  };
  const auto with = [](const message& attribute, std::string_view op = "ReduceL1") {
    return node(op, {"x"}, {"y"}, "n", {attribute});
  };
  refused(with(integer_attribute("keepdims", 2)), 18,
          {"m.onnx", "node 'n'", "ReduceL1-18", "keepdims is 2"});
  refused(with(integer_attribute("p", 3), "LpNormalization"), 22, {"LpNormalization-22", "p is 3"});
  refused(with(integer_attribute("axis", 2), "LpNormalization"), 22, {"axis 2", "-2 to 1"});
  refused(with(integers_attribute("axes", {1}), "LpNormalization"), 22, {"axes", "one axis"});
  refused(with(integers_attribute("axes", {0, -2})), 13, {"axes name axis 0 twice"});
  refused(with(integers_attribute("axes", {-3})), 11, {"axis -3", "-2 to 1"});
  refused(with(integers_attribute("axes", {0})), 18, {"axes is an input in this version"});
  refused(node("ReduceL1", {"x", "x"}, {"y"}, "n"), 16, {"axes is an attribute in this version"});
  refused(with(integer_attribute("noop_with_empty_axes", 1)), 17,
          {"no attribute noop_with_empty_axes"});
  refused(with(integer_attribute("p", 2)), 18, {"no attribute p in this version", "p=2"});
  refused(with(real_attribute("keepdims", 1)), 18, {"keepdims has type FLOAT, not INT"},
          errc::invalid_file);
  refused(with(message().text(1, "keepdims").integer(20, 2).real(2, 1)), 18,
          {"keepdims of type INT has a value of another type"}, errc::invalid_file);
  refused(with(message().text(1, "keepdims").integer(3, 1).real(2, 1)), 18,
          {"keepdims", "a value of another type"}, errc::invalid_file);
  refused(node("Constant", {}, {"y"}, "n", {message().text(1, "value").integer(20, 4)}), 18,
          {"attribute value", "no ONNX TensorProto"}, errc::invalid_file);
  refused(with(integer_attribute("axes", 0)), 13, {"axes has type INT, not INTS"},
          errc::invalid_file);
  refused(node("ReduceL1", {"x"}, {"y"}, "n",
               {integer_attribute("keepdims", 0), integer_attribute("keepdims", 1)}),
          18, {"node 'n'", "keepdims twice"}, errc::invalid_file);
  refused(node("ReduceL1", {"x", "", "x"}, {"y"}, "n"), 18, {"has 3 inputs; it takes 1 to 2"});
  refused(with(message().text(1, "keepdims").integer(20, 99).integer(3, 1)), 18,
          {"keepdims has the unknown type 99"}, errc::invalid_file);
  refused(node("ReduceL1", {}, {"y"}, "n"), 18, {"has 0 inputs; it takes 1 to 2"});
  refused(node("ReduceL1", {""}, {"y"}, "n"), 18, {"has 0 inputs"});
  refused(node("LpNormalization", {"x", "x"}, {"y"}, "n"), 22, {"has 2 inputs; it takes 1"});
  refused(node("ReduceL1", {"x"}, {"y", "z"}, "n"), 18, {"has 2 outputs; it gives 1"});
  refused(node("ReduceL1", {"", "x"}, {"y"}, "n"), 18, {"node 'n'", "input 1 is left out"});
  refused(node("ReduceL1", {"x"}, {}, "n"), 18, {"'n'", "no output"}, errc::invalid_file);
  refused(node("", {"x"}, {"y"}, "n"), 18, {"op_type"}, errc::invalid_file);
  refused(node("Cast", {"x"}, {"y"}, "n"), 18, {"Cast-13", "attribute to is missing"});
  refused(with(integer_attribute("to", string_type), "Cast"), 18,
          {"Cast-13", "to=8", "STRING", "supported are"}, errc::unsupported_type);
  refused(with(integer_attribute("to", 999), "Cast"), 18, {"999"}, errc::unsupported_type);
  refused(with(integer_attribute("to", bfloat16_type), "Cast"), 9, {"Cast-9", "bfloat16"},
          errc::unsupported_type);
  refused(with(integer_attribute("x", 1), "Identity"), 18, {"Identity-16", "no attribute x"});
  refused(node("Constant", {}, {"y"}, "n"), 18, {"Constant-13", "0 attributes"});
  refused(node("Constant", {}, {"y"}, "n", {text_attribute("value_string", "x")}), 18,
          {"value_string", "not supported"}, errc::unsupported_type);
  refused(node("Constant", {}, {"y"}, "n", {integer_attribute("value_int", 1)}), 11,
          {"Constant-11", "no attribute value_int"});
  refused(node("Constant", {}, {"y"}, "n", {tensor_attribute("value", axes_tensor("", {0}))}), 8,
          {"Constant-1", "int64"}, errc::unsupported_type);
}

TEST(refusal, of_axes_tensors) {
  const auto refused = [](const message& axes, errc code, parts_list culprits) {
    model_parts parts = reduce(node("ReduceL1", {"x", "axes"}, {"y"}, "n"));
    parts.initializers = {axes};
    expect_refused(parts, culprits, code);
  };
  refused(axes_tensor("axes", {2}), errc::invalid_argument, {"node 'n'", "axis 2", "-2 to 1"});
  refused(axes_tensor("axes", {0, 0}), errc::invalid_argument, {"axis 0 twice"});
  refused(raw_tensor("axes", int32_type, {1}, raw_bytes<std::int32_t>({0})), errc::unsupported_type,
          {"axes", "int32", "int64"});
  refused(raw_tensor("axes", int64_type, {}, raw_bytes<std::int64_t>({0})), errc::invalid_shape,
          {"axes", "()", "one axis"});
  refused(raw_tensor("axes", int64_type, {1, 1}, raw_bytes<std::int64_t>({0})), errc::invalid_shape,
          {"(1,1)"});
  // More axes than there can be are not looked at one by one.
  refused(axes_tensor("axes", std::vector<std::int64_t>(100'000, 0)), errc::invalid_argument,
          {"axes name 100000 axes", "at most 64 are"});
}

TEST(refusal, of_initializers) {
  const auto refused = [](const message& initializer, parts_list culprits,
                          errc code = errc::invalid_file) {
    model_parts parts = reduce(node("Identity", {"w"}, {"y"}));
    parts.initializers = {initializer};
    expect_refused(parts, culprits, code);
  };
  refused(raw_tensor("w", float32_type, {2}, "1234"), {"initializer 'w'", "4 bytes", "needs 8"});
  refused(raw_tensor("w", float32_type, {-1}, ""), {"(-1,)", "negative"});
  refused(raw_tensor("w", float32_type, {1LL << 32, 1LL << 32}, ""), {"too large"});
  refused(raw_tensor("w", float32_type, std::vector<std::int64_t>(65, 1), "1234"), {"64 dims"});
  refused(raw_tensor("w", 99, {1}, "1"), {"data_type 99"});
  refused(raw_tensor("w", string_type, {0}, ""), {"'w'", "STRING", "supported are"},
          errc::unsupported_type);
  refused(tensor_header("w", float32_type, {1}).integer(1, 1).text(3, ""), {"segment"});
  model_parts sparse = reduce(node("Identity", {"s"}, {"y"}));
  const message values = message().nested(1, raw_tensor("s", float32_type, {1}, "1234"));
  const message model = message()
                            .integer(1, 8)
                            .nested(7, to_graph(sparse).nested(15, values))
                            .nested(8, opset_import("", 18));
  expect_refused(model.bytes(), {"'s'", "sparse"});
}

TEST(refusal, of_types_and_shapes_that_the_model_states_wrong) {
  model_parts parts = reduce(plain);
  parts.outputs = {value("y", float16_type, {"1", "1"})};
  expect_refused(parts, {"'y' has type float32", "float16"}, errc::unsupported_type);
  parts.outputs = {value("y", string_type, {})};
  expect_refused(parts, {"'y'", "STRING"}, errc::unsupported_type);
  parts.outputs = {value("y", float32_type, {"1", "2"})};
  expect_refused(parts, {"'y' has shape (1,1)", "(1,2)"}, errc::invalid_shape);
  parts.outputs = {value("y", float32_type, {"1"})};
  expect_refused(parts, {"(1,1)", "(1,)"}, errc::invalid_shape);
  parts = reduce(node("Identity", {"x"}, {"y"}));
  parts.nodes.push_back(node("Identity", {"y"}, {"z"}));
  parts.values = {value("y", float32_type, {"N", "4"})};
  expect_refused(parts, {"'y' has shape (N,3)", "(N,4)"}, errc::invalid_shape);

  parts = reduce(plain);
  parts.inputs = {value("x", string_type, {})};
  expect_refused(parts, {"input 'x' has type STRING", "supported are"}, errc::unsupported_type);
  parts.inputs = {message().text(1, "x").nested(2, message().nested(4, message()))};
  expect_refused(parts, {"input 'x' has type sequence"}, errc::unsupported_type);
  parts.inputs = {message().text(1, "x")};
  expect_refused(parts, {"input 'x' has no type"}, errc::unsupported_type);
  parts.inputs = {value("x", 77, {})};
  expect_refused(parts, {"byte", "element type 77"});
  parts.inputs = {value("x", float32_type, {"-2"})};
  expect_refused(parts, {"byte", "negative extent -2"});
  parts.inputs = {value("x", float32_type, std::vector<std::string>(65, "1"))};
  expect_refused(parts, {"more than 64 axes"});
  parts = reduce(plain, 11);
  parts.inputs = {value("x", bfloat16_type, {"1"})};
  expect_refused(parts, {"node 'n'", "ReduceL1-11", "bfloat16"}, errc::unsupported_type);
  parts = reduce(plain);
  parts.initializers = {axes_tensor("x", {0})};
  expect_refused(parts, {"'x' has type int64", "float32"}, errc::unsupported_type);
  parts.initializers = {raw_tensor("x", 3, {1, 3}, "abc")};
  expect_refused(parts, {"initializer 'x' has type INT8", "supported are"}, errc::unsupported_type);
  // Whatever states it, and however often.
  parts = reduce(plain);
  parts.outputs.push_back(value("x", int32_type, {"9"}));
  expect_refused(parts, {"'x' has type float32", "int32"}, errc::unsupported_type);
  parts = reduce(plain);
  parts.values = {value("y", float32_type, {"2", "1"})};
  parts.outputs = {value("y", float32_type, {"1", "1"})};
  expect_refused(parts, {"'y' has shape (1,1)", "(2,1)"}, errc::invalid_shape);
}

TEST(refusal, of_functions) {
  const auto refused = [](const message& call, const std::vector<function>& functions,
                          parts_list culprits) {
    model_parts parts = reduce(call);
    parts.functions = functions;
    expect_refused(parts, culprits);
  };
  const auto call = [](const names& inputs, const names& outputs,
                       const std::vector<message>& attributes = {}) {
    return node("F", inputs, outputs, "call", attributes, "local");
  };
  const function good{
      .name = "F", .inputs = {"a"}, .outputs = {"b"}, .nodes = {node("ReduceL1", {"a"}, {"b"})}};
  refused(call({"x"}, {"y"}), {good, good}, {"function 'F' twice"});
  refused(call({"x", "x"}, {"y"}), {good}, {"node 'call'", "2 inputs", "1 and 1"});
  refused(call({"x"}, {"y"}, {integer_attribute("k", 1)}), {good}, {"no attribute 'k'"});

  function bad = good;
  bad.nodes = {node("F", {"a"}, {"b"}, "deeper", {}, "local")};
  refused(call({"x"}, {"y"}), {bad}, {"node 'call/deeper'", "calls itself"});
  bad.nodes = {node("ReduceL1", {"a"}, {"c"})};
  refused(call({"x"}, {"y"}), {bad}, {"no node of the function 'F' writes its output 'b'"});
  bad.nodes = {node("ReduceL1", {"x"}, {"b"}, "inner")};
  refused(call({"x"}, {"y"}), {bad}, {"node 'call/inner'", "'x'", "nothing writes"});
  bad = good;
  bad.inputs = {"a", "a"};
  refused(call({"x"}, {"y"}), {bad}, {"function 'F'", "'a' twice"});
  bad = good;
  bad.nodes = {
      node("ReduceL1", {"a"}, {"b"}, "inner", {reference_attribute("keepdims", "keep", 2)})};
  refused(call({"x"}, {"y"}), {bad}, {"node 'call/inner'", "'keep'", "does not have"});
  bad.nodes = {node("Relu", {"a"}, {"b"}, "inner")};
  refused(call({"x"}, {"y"}), {bad}, {"Relu of opset 18 (node 'call/inner')"});
  refused(node("ReduceL1", {"x"}, {"y"}, "n", {reference_attribute("keepdims", "keep", 2)}), {},
          {"node 'n'", "'keep'", "in no function"});
  bad = good;
  bad.opset = 99;
  refused(call({"x"}, {"y"}), {bad}, {"opset 99"});
}

// What is named without a name, inside and outside of a function.
TEST(refusal, names_nodes_that_have_no_name) {
  const function inner{.name = "F",
                       .inputs = {"a"},
                       .outputs = {"b"},
                       .nodes = {node("Identity", {"a"}, {"t"}),
                                 node("ReduceL1", {"t"}, {"b"}, "", {integer_attribute("p", 1)})}};
  model_parts parts = reduce(node("F", {"x"}, {"y"}, "", {}, "local"));
  parts.functions = {inner};
  expect_refused(parts, {"m.onnx: node #1/#2 (ReduceL1): ReduceL1-18"}, errc::invalid_argument);
  parts.nodes = {node("F", {"x"}, {"y"}, "call", {}, "local")};
  expect_refused(parts, {"node call/#2 (ReduceL1)"}, errc::invalid_argument);
  // The name of the file stands there once.
  const message broken = message().text(1, "keepdims").integer(20, 2).text(3, "");
  try {
    load(reduce(node("ReduceL1", {"x"}, {"y"}, "n", {broken})));
    ADD_FAILURE() << "no error";
  } catch (const error& problem) {
    EXPECT_TRUE(std::string_view(problem.what()).starts_with("m.onnx: node 'n': byte "))
        << problem.what();
  }
}

// A hundred bytes for each level, twice as many nodes with each.
TEST(refusal, of_functions_that_multiply) {
  std::vector<function> functions;
  for (int level = 0; level < 60; ++level) {
    const std::string next = "F" + std::to_string(level + 1);
    const bool is_last = level == 59;
    const auto step = [&](const std::string& from, const std::string& to) {
      return is_last ? node("Identity", {from}, {to}) : node(next, {from}, {to}, "", {}, "local");
    };
    functions.push_back({.name = "F" + std::to_string(level),
                         .inputs = {"a"},
                         .outputs = {"b"},
                         .nodes = {step("a", "m"), step("m", "b")}});
  }
  model_parts parts = reduce(node("F0", {"x"}, {"y"}, "call", {}, "local"));
  parts.functions = functions;
  expect_refused(parts, {"functions make more than 1048576"});
}

TEST(refusal, of_functions_that_nest_without_end) {
  std::vector<function> functions;
  for (int level = 0; level < 200; ++level) {
    functions.push_back(
        {.name = "F" + std::to_string(level),
         .inputs = {"a"},
         .outputs = {"b"},
         .nodes = {node("F" + std::to_string(level + 1), {"a"}, {"b"}, "", {}, "local")}});
  }
  model_parts parts = reduce(node("F0", {"x"}, {"y"}, "call", {}, "local"));
  parts.functions = functions;
  expect_refused(parts, {"nested more than 100 deep"});
}

// Each call repeats what is in the function, and what its references to attributes lead to.
TEST(refusal, of_functions_that_repeat_large_attributes) {
  const std::string large(1'000'000, '\0');
  const message list = message().text(1, "value_ints").integer(20, 7).text(8, large);
  const message padded =
      message().text(1, "value_int").integer(20, 2).integer(3, 1).text(99, large);
  for (const message& attribute : {list, padded}) {
    const function inner{.name = "F",
                         .inputs = {},
                         .outputs = {"b"},
                         .nodes = {node("Constant", {}, {"b"}, "", {attribute})}};
    model_parts parts = reduce(node("F", {}, {"y"}, "first", {}, "local"));
    for (int i = 0; i < 40; ++i) {
      parts.nodes.push_back(node("F", {}, {"y" + std::to_string(i)}, "", {}, "local"));
    }
    parts.functions = {inner};
    expect_refused(parts, {"functions repeat more than 33554432 bytes"});
  }
  function referring{
      .name = "F", .inputs = {}, .outputs = {"y0"}, .nodes = {}, .attributes = {"a"}};
  for (int i = 0; i < 40; ++i) {
    referring.nodes.push_back(node("Constant", {}, {"y" + std::to_string(i)}, "",
                                   {reference_attribute("value_ints", "a", 7)}));
  }
  model_parts parts = reduce(node("F", {}, {"y"}, "call",
                                  {message().text(1, "a").integer(20, 7).text(8, large)}, "local"));
  parts.functions = {referring};
  expect_refused(parts, {"functions repeat more than 33554432 bytes"});
}

// The elements of raw_data are used where they are, so they may be repeated.
TEST(refusal, is_not_for_large_tensors_in_functions) {
  const message tensor = raw_tensor("", float32_type, {1'000'000}, std::string(4'000'000, '\0'));
  const function inner{
      .name = "F",
      .inputs = {},
      .outputs = {"b"},
      .nodes = {node("Constant", {}, {"b"}, "", {tensor_attribute("value", tensor)})}};
  model_parts parts = reduce(node("F", {}, {"y"}, "first", {}, "local"));
  for (int i = 0; i < 20; ++i) {
    parts.nodes.push_back(node("F", {}, {"y" + std::to_string(i)}, "", {}, "local"));
  }
  parts.functions = {inner};
  EXPECT_NO_THROW(load(parts));
}

// 64 axes and a chain of nodes, each of which passes them on.
TEST(refusal, of_many_tensors_of_many_axes) {
  model_parts parts{.nodes = {},
                    .inputs = {value("t0", float32_type, std::vector<std::string>(64, "1"))},
                    .outputs = {message().text(1, "t1")}};
  for (int i = 0; i < 40'000; ++i) {
    parts.nodes.push_back(
        node("Identity", {"t" + std::to_string(i)}, {"t" + std::to_string(i + 1)}));
  }
  expect_refused(parts, {"m.onnx", "more than 2097152 axes"});
  // The same where the axes show only when the model runs.
  parts.inputs = {value_of_any_rank("t0", float32_type)};
  parts.outputs = {message().text(1, "t40000")};
  expect_run_refused(parts, {feed<float>("t0", {1}, std::vector<std::int64_t>(64, 1))},
                     errc::invalid_file, {"more than 2097152 axes"});
  // And of initializers.
  parts = reduce(plain);
  for (int i = 0; i < 40'000; ++i) {
    parts.initializers.push_back(raw_tensor("w" + std::to_string(i), float32_type,
                                            std::vector<std::int64_t>(64, 1), "1234"));
  }
  expect_refused(parts, {"more than 2097152 axes"});
}

TEST(refusal, of_a_structure_without_measure) {
  message graph;
  const message empty = value("v", float32_type, std::vector<std::string>(64, "1"));
  for (int i = 0; i < 40'000; ++i) graph.nested(13, empty);
  expect_refused(message().integer(1, 8).nested(7, graph).bytes(), {"byte", "more than 2097152"});
  message crowded = node("Identity", {"x"}, {"y"});
  for (int i = 0; i < 101; ++i) {
    crowded.nested(5, integer_attribute("a" + std::to_string(i), 1));
  }
  expect_refused(reduce(crowded), {"byte", "more than 100 attributes"});
  model_parts parts = reduce(plain);
  function many{
      .name = "F", .inputs = {"a"}, .outputs = {"b"}, .nodes = {node("Identity", {"a"}, {"b"})}};
  for (int i = 0; i < 101; ++i) many.attributes.push_back("a" + std::to_string(i));
  parts.functions = {many};
  expect_refused(parts, {"byte", "more than 100 attributes"});
}

TEST(refusal, of_inputs) {
  const std::vector<float> six(6);
  const model_parts parts = reduce(plain);
  expect_run_refused(parts, {}, errc::invalid_argument, {"m.onnx", "input 'x' is missing"});
  expect_run_refused(parts, {feed("z", six, {2, 3})}, errc::invalid_argument,
                     {"no input 'z'", "it has x"});
  expect_run_refused(parts, {feed("x", six, {2, 3}), feed("x", six, {2, 3})},
                     errc::invalid_argument, {"'x' is given twice"});
  expect_run_refused(parts, {feed("x", six, {6})}, errc::invalid_shape, {"'x'", "(6,)", "(N,3)"});
  expect_run_refused(parts, {feed("x", six, {3, 2})}, errc::invalid_shape, {"(3,2)", "(N,3)"});
  expect_run_refused(parts, {feed("x", std::vector<double>(6), {2, 3})}, errc::unsupported_type,
                     {"'x' has type float64", "float32"});
  expect_run_refused(parts, {{"x", {six.data(), {dtype::float32, {2, 3}, {4}}}}},
                     errc::invalid_shape, {"1 strides for 2 axes"});
  expect_run_refused(parts, {{"x", {six.data(), {dtype::float32, {-2, 3}, {}}}}},
                     errc::invalid_shape, {"(-2,3)", "negative"});
  expect_run_refused(parts, {{"x", {nullptr, {dtype::float32, {2, 3}, {}}}}},
                     errc::invalid_argument, {"'x'", "no data"});
  const model loaded = load(parts);
  const std::vector<named_view> inputs{feed("x", six, {2, 3})};
  const std::vector<std::string_view> unknown{"x"}, twice{"y", "y"};
  io::test::expect_error(errc::invalid_argument, [&] { loaded.run(inputs, unknown); },
                         {"no output 'x'", "it has y"});
  io::test::expect_error(errc::invalid_argument, [&] { loaded.run(inputs, twice); },
                         {"'y' is named twice"});
}

TEST(refusal, of_one_symbol_with_two_sizes) {
  model_parts parts = reduce(plain);
  parts.inputs.push_back(value("z", float32_type, {"N"}));
  expect_run_refused(
      parts, {feed("x", std::vector<float>(6), {2, 3}), feed("z", std::vector<float>(5), {5})},
      errc::invalid_shape, {"'N' is 2 in 'x' and 5 in 'z'"});
  // A tensor that the model brings along has its size, too.
  parts = reduce(plain);
  parts.initializers = {raw_tensor("w", float32_type, {5}, std::string(20, 'w'))};
  parts.nodes.push_back(node("Identity", {"w"}, {"v"}));
  parts.outputs.push_back(value("v", float32_type, {"N"}));
  expect_run_refused(parts, {feed("x", std::vector<float>(6), {2, 3})}, errc::invalid_shape,
                     {"'N' is 5 in 'v' and 2 in 'x'"});
  parts = reduce(node("ReduceL1", {"x", "axes"}, {"y"}, "n"));
  parts.inputs.push_back(value("axes", int64_type, {"k"}));
  parts.outputs = {value("y", float32_type, {"N", "1"})};
  expect_run_refused(
      parts,
      {feed("x", std::vector<float>(6), {2, 3}), feed("axes", std::vector<std::int64_t>{0}, {1})},
      errc::invalid_shape, {"'y' has shape (1,3)", "(N,1)"});
}

// The wrong axes of the second node show before the first one's wrong element would.
TEST(refusal, comes_before_anything_is_computed) {
  model_parts parts =
      reduce(node("Cast", {"x"}, {"t"}, "c", {integer_attribute("to", int32_type)}));
  parts.nodes.push_back(node("ReduceL1", {"t", "axes"}, {"y"}, "n"));
  parts.inputs.push_back(value("axes", int64_type, {"k"}));
  const std::vector<float> huge(6, 1e30F);
  expect_run_refused(parts,
                     {feed("x", huge, {2, 3}), feed("axes", std::vector<std::int64_t>{7}, {1})},
                     errc::invalid_argument, {"node 'n'", "axis 7"});
  expect_run_refused(parts,
                     {feed("x", huge, {2, 3}), feed("axes", std::vector<std::int64_t>{0}, {1})},
                     errc::invalid_argument, {"node 'c'", "1e+30"});
}

TEST(refusal, of_results_beyond_memory) {
  model_parts parts = one_node(
      node("ReduceL1", {"x"}, {"y"}, "n", {integers_attribute("axes", {1})}), float32_type, 13);
  expect_run_refused(parts, {feed("x", std::vector<float>(), {1LL << 50, 0})}, errc::out_of_memory,
                     {"node 'n'", "out of memory", "(1125899906842624,1)"});
}

}  // namespace
}  // namespace halfulp::onnx::test
