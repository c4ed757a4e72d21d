// SPDX-License-Identifier: Apache-2.0
#include "fuzz/support/model_seeds.hpp"

#include <cstdint>
#include <utility>

#include "fuzz/support/model_builder.hpp"

namespace halfulp::fuzz {

namespace {

// A model of one node that reads x.
model_text one_node(std::int64_t opset_version, const encoded& node, element type,
                    std::string_view shape = "N,3") {
  return {.opsets = {opset(opset_version)},
          .nodes = {node},
          .inputs = {value("x", type, shape)},
          .outputs = {value_without_shape("y", type)}};
}

// Each operator, in versions with axes as attribute and as input.
void add_operators(std::vector<model_seed>& seeds) {
  const auto reduce = [](std::string op_type, names inputs, std::vector<encoded> attributes) {
    return node({.op_type = std::move(op_type),
                 .inputs = std::move(inputs),
                 .outputs = {"y"},
                 .attributes = std::move(attributes),
                 .name = "norm"});
  };
  seeds.push_back(
      {"reduce_l1_11",
       model(one_node(
           11, reduce("ReduceL1", {"x"}, {integer_list("axes", {-1, 0}), integer("keepdims", 0)}),
           float32))});
  seeds.push_back(
      {"reduce_l2_13", model(one_node(13, reduce("ReduceL2", {"x"}, {integer_list("axes", {1})}),
                                      bfloat16, "2,3"))});
  model_text constant_axes =
      one_node(18, reduce("ReduceL2", {"x", "axes"}, {integer("keepdims", 0)}), float64);
  constant_axes.initializers = {integer_tensor("axes", int64, {1}, 7, {-1})};
  seeds.push_back({"constant_axes", model(constant_axes)});
  model_text fed_axes = one_node(20, reduce("ReduceSumSquare", {"x", "axes"}, {}), int32, "2,?,1");
  fed_axes.inputs.push_back(value("axes", int64, "K"));
  seeds.push_back({"fed_axes", model(fed_axes)});
  seeds.push_back({"no_axes", model(one_node(18,
                                             reduce("ReduceSumSquare", {"x", ""},
                                                    {integer("noop_with_empty_axes", 1)}),
                                             uint64, ""))});
  seeds.push_back(
      {"lp_normalization_1",
       model(one_node(21, reduce("LpNormalization", {"x"}, {integer("p", 1)}), float16))});
  seeds.push_back(
      {"lp_normalization_22",
       model(one_node(22, reduce("LpNormalization", {"x"}, {integer("axis", 0), integer("p", 2)}),
                      bfloat16, "2,0,3"))});
}

// Initializers in every form of storage, each through Identity to an output.
void add_initializers(std::vector<model_seed>& seeds) {
  model_text all{.ir_version = 8, .opsets = {opset(16)}, .nodes = {}, .inputs = {}, .outputs = {}};
  const auto add = [&](const std::string& name, element type, encoded tensor) {
    all.initializers.push_back(std::move(tensor));
    all.nodes.push_back(
        node({.op_type = "Identity", .inputs = {name}, .outputs = {"out_" + name}}));
    all.outputs.push_back(value("out_" + name, type, "2"));
  };
  add("raw", float32, raw_tensor("raw", float32, {2}, "12345678"));
  add("f32", float32, float_tensor("f32", {2}, {1.5F, -2}));
  add("f64", float64, double_tensor("f64", {2}, {0.1, -1e300}));
  add("f16", float16, integer_tensor("f16", float16, {2}, 5, {0x3c00, 0xfc00}));
  add("bf16", bfloat16, integer_tensor("bf16", bfloat16, {2}, 5, {0x3f80, 0xff80}));
  add("i32", int32, integer_tensor("i32", int32, {2}, 5, {7, -7}));
  add("i64", int64, integer_tensor("i64", int64, {2}, 7, {7, -7}));
  add("u32", uint32, integer_tensor("u32", uint32, {2}, 11, {7, 0xffffffff}));
  add("u64", uint64, integer_tensor("u64", uint64, {2}, 11, {7, -1}));
  seeds.push_back({"initializers", model(all)});

  // Of a caller's input the initializer is the default.
  model_text with_default =
      one_node(13, node({.op_type = "ReduceL1", .inputs = {"x"}, .outputs = {"y"}}), float32, "2");
  with_default.ir_version = 3;
  with_default.initializers = {float_tensor("x", {2}, {1, 2})};
  seeds.push_back({"default_input", model(with_default)});

  model_text outside =
      one_node(13, node({.op_type = "ReduceL1", .inputs = {"w"}, .outputs = {"y"}}), float32);
  outside.inputs.clear();
  outside.initializers = {external_tensor("w", float32, {2, 2}, external_file, "16", "16")};
  seeds.push_back({"external_data", model(outside), false});
}

void add_constants(std::vector<model_seed>& seeds) {
  model_text all{.opsets = {opset(19)}, .nodes = {}, .inputs = {}, .outputs = {}};
  const auto add = [&](const std::string& name, element type, const std::string& shape,
                       encoded attribute) {
    all.nodes.push_back(node({.op_type = "Constant",
                              .inputs = {},
                              .outputs = {name},
                              .attributes = {std::move(attribute)}}));
    all.outputs.push_back(value(name, type, shape));
  };
  add("tensor", uint32, "2", tensor_value("value", integer_tensor("", uint32, {2}, 11, {1, 2})));
  add("one_real", float32, "", real("value_float", 0.5F));
  add("reals", float32, "2", real_list("value_floats", {0.5F, 2}));
  add("one_integer", int64, "", integer("value_int", -1));
  add("axes", int64, "1", integer_list("value_ints", {0}));
  all.nodes.push_back(
      node({.op_type = "ReduceL2", .inputs = {"reals", "axes"}, .outputs = {"norm"}}));
  all.outputs.push_back(value("norm", float32, "1"));
  seeds.push_back({"constants", model(all)});
}

// Several nodes: in no order, with names of their own, with types between that nothing declares.
void add_graphs(std::vector<model_seed>& seeds) {
  const auto cast = [](const std::string& from, const std::string& to, element type) {
    return node({.op_type = "Cast",
                 .inputs = {from},
                 .outputs = {to},
                 .attributes = {integer("to", type)}});
  };
  seeds.push_back(
      {"casts", model({.opsets = {opset(19)},
                       .nodes = {cast("b", "c", uint64), cast("a", "b", bfloat16),
                                 cast("c", "y", float64), cast("x", "a", int32),
                                 node({.op_type = "Identity", .inputs = {"b"}, .outputs = {"z"}})},
                       .inputs = {value("x", float16, "N")},
                       .outputs = {value("y", float64, "N"), value("z", bfloat16, "N")},
                       .values = {value("b", bfloat16, "N")}})});
  seeds.push_back({"two_norms", model({.opsets = {opset(22), opset(1, "other")},
                                       .nodes = {node({.op_type = "ReduceL1",
                                                       .inputs = {"unit"},
                                                       .outputs = {"sums"},
                                                       .name = "sum"}),
                                                 node({.op_type = "LpNormalization",
                                                       .inputs = {"rows/0"},
                                                       .outputs = {"unit"},
                                                       .name = "unit"})},
                                       .inputs = {value_without_shape("rows/0", float32)},
                                       .outputs = {value_without_shape("sums", float32),
                                                   value_without_shape("unit", float32)}})});
  seeds.push_back({"unsupported",
                   model({.opsets = {opset(13), opset(2, "com.example")},
                          .nodes = {node({.op_type = "Relu", .inputs = {"x"}, .outputs = {"a"}}),
                                    node({.op_type = "Shrink",
                                          .inputs = {"a"},
                                          .outputs = {"y"},
                                          .attributes = {text("mode", "soft"), real("lambd", 0.5F)},
                                          .domain = "com.example"})},
                          .inputs = {value("x", float32, "N"), value("words", string, "N")},
                          .outputs = {value_without_shape("y", float32)}}),
                   false});
}

// A function that calls a function, with an attribute of the call's and one with a default.
void add_functions(std::vector<model_seed>& seeds) {
  const encoded inner =
      function({.name = "Norm",
                .domain = "local",
                .inputs = {"v", "axes"},
                .outputs = {"n"},
                .nodes = {node({.op_type = "ReduceL2",
                                .inputs = {"v", "axes"},
                                .outputs = {"n"},
                                .attributes = {reference("keepdims", "keep", 2)}})},
                .opsets = {opset(18)},
                .attributes = {"keep"}});
  const encoded outer = function({.name = "UnitAndNorm",
                                  .domain = "local",
                                  .inputs = {"v"},
                                  .outputs = {"u", "n"},
                                  .nodes = {node({.op_type = "Norm",
                                                  .inputs = {"v"},
                                                  .outputs = {"n"},
                                                  .attributes = {integer("keep", 0)},
                                                  .domain = "local",
                                                  .name = "inner"}),
                                            node({.op_type = "LpNormalization",
                                                  .inputs = {"v"},
                                                  .outputs = {"u"},
                                                  .attributes = {reference("p", "order", 2)}})},
                                  .opsets = {opset(18), opset(1, "local")},
                                  .defaults = {integer("order", 1)}});
  seeds.push_back({"functions", model({.opsets = {opset(18), opset(1, "local")},
                                       .nodes = {node({.op_type = "UnitAndNorm",
                                                       .inputs = {"x"},
                                                       .outputs = {"y", "z"},
                                                       .domain = "local",
                                                       .name = "call"})},
                                       .inputs = {value("x", float32, "2,3")},
                                       .outputs = {value_without_shape("y", float32),
                                                   value_without_shape("z", float32)},
                                       .functions = {inner, outer}})});
}

// What fuzzing has found.
void add_findings(std::vector<model_seed>& seeds) {
  // Inspecting shows the attributes of operators that it does not know.
  seeds.push_back({"attribute_without_value",
                   model(one_node(13,
                                  node({.op_type = "Relu",
                                        .inputs = {"x"},
                                        .outputs = {"y"},
                                        .attributes = {attribute_without_value("alpha", 2)}}),
                                  float32)),
                   false});
}

}  // namespace

std::vector<model_seed> model_seeds() {
  std::vector<model_seed> seeds;
  add_operators(seeds);
  add_initializers(seeds);
  add_constants(seeds);
  add_graphs(seeds);
  add_functions(seeds);
  add_findings(seeds);
  return seeds;
}

}  // namespace halfulp::fuzz
