// The rules of every version as literals, and what ONNX changed from one to the next.
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <nlohmann/json.hpp>

#include "command.hpp"

namespace halfulp::test {
namespace {

using describe_test = command_test;
using json = nlohmann::json;

TEST_F(describe_test, reduction_with_axes_as_attribute) {
  expect_output(halfulp({"describe", "ReduceL1", "--opset", "13"}),
                R"(ReduceL1-13: opsets 13 to 17

  Reduces a tensor along axes to the sum of the absolute values of its elements.
  RN(sum |x|)

Inputs
  data  T
        The tensor to reduce.

Outputs
  reduced  T
           The results, one for each slice.

Attributes
  axes      INTS, default absent, range [-r, r-1] where r is the rank of data
            The axes to reduce; negative ones count from the back. Absent or
            empty: all of them.
  keepdims  INT, default 1, range 0 or 1
            1 keeps each reduced axis with extent 1, 0 drops it.

Types
  T  bfloat16, float16, float32, float64, int32, int64, uint32, uint64

Guarantees
  Each floating-point result is the exact value of the formula on the stored
  elements, rounded once (RN) to the output type: to nearest, ties to even. The
  error is at most half a unit in the last place, subnormal results are not
  flushed, and past the largest finite value the result is Inf.
  Each integer result is the exact value modulo 2^n for a type of n bits.
  A NaN in a slice gives NaN, else an Inf gives Inf. An empty slice gives 0.

Beyond ONNX, everywhere but in models
  The output may have another type than the input: any floating-point type, and
  from integers any type. There is still one rounding.
)");
}

TEST_F(describe_test, normalization) {
  expect_output(halfulp({"describe", "LpNormalization"}),
                R"(LpNormalization-22: since opset 22, the newest (28 is the last known opset)

  Divides every element of a tensor by the norm N of its slice along one axis.
  p = 1: RN(x / N), N = sum |x|
  p = 2: RN(x / N), N = sqrt(sum x^2)

Inputs
  input  T
         The tensor to normalise.

Outputs
  output  T
          A tensor of the same shape.

Attributes
  axis  INT, default -1, range [-r, r-1] where r is the rank of input
        The axis along which to normalise.
  p     INT, default 2, range 1 or 2
        The order of the norm.

Types
  T  bfloat16, float16, float32, float64

Guarantees
  Each floating-point result is the exact value of the formula on the stored
  elements, rounded once (RN) to the output type: to nearest, ties to even. The
  error is at most half a unit in the last place, subnormal results are not
  flushed, and past the largest finite value the result is Inf.
  A NaN in a slice makes all of the slice NaN. Else an Inf makes finite elements
  0 with their sign and infinite ones NaN. A zero norm gives +0 for every
  element.

Beyond ONNX, everywhere but in models
  The output may have another floating-point type than the input. There is still
  one rounding.
  eps, default 0, finite and not negative: RN(x / max(N, eps)). A zero norm
  still gives +0.
)");
}

struct facts {
  std::string op;
  int opset, version, last_opset;
  std::vector<std::string> formulas, inputs, outputs;
  std::map<std::string, json> defaults;  // of the attributes
  bool bfloat16, integers;
};

// Facts of the ONNX schemas.
TEST_F(describe_test, every_version) {
  const std::vector<std::string> l1{"RN(sum |x|)"}, l2{"RN(sqrt(sum x^2))"}, square{"RN(sum x^2)"};
  const std::vector<std::string> lp{"p = 1: RN(x / N), N = sum |x|",
                                    "p = 2: RN(x / N), N = sqrt(sum x^2)"};
  const std::map<std::string, json> axes_attribute{{"axes", nullptr}, {"keepdims", 1}};
  const std::map<std::string, json> axes_input{{"keepdims", 1}, {"noop_with_empty_axes", 0}};
  const std::map<std::string, json> norm{{"axis", -1}, {"p", 2}};
  std::vector<facts> all;
  for (const auto& [op, formulas] : {std::pair{"ReduceL1", l1}, std::pair{"ReduceL2", l2},
                                     std::pair{"ReduceSumSquare", square}}) {
    all.push_back({op, 10, 1, 10, formulas, {"data"}, {"reduced"}, axes_attribute, false, true});
    all.push_back({op, 12, 11, 12, formulas, {"data"}, {"reduced"}, axes_attribute, false, true});
    all.push_back({op, 16, 13, 17, formulas, {"data"}, {"reduced"}, axes_attribute, true, true});
    all.push_back(
        {op, 28, 18, 28, formulas, {"data", "axes"}, {"reduced"}, axes_input, true, true});
  }
  all.push_back({"LpNormalization", 21, 1, 21, lp, {"input"}, {"output"}, norm, false, false});
  all.push_back({"LpNormalization", 28, 22, 28, lp, {"input"}, {"output"}, norm, true, false});

  for (const auto& want : all) {
    SCOPED_TRACE(want.op + " at opset " + std::to_string(want.opset));
    const outcome got =
        halfulp({"describe", want.op, "--opset", std::to_string(want.opset), "--json"});
    ASSERT_EQ(got.status, 0) << got.err;
    const auto d = json::parse(got.out);
    EXPECT_EQ(d["operator"], want.op);
    EXPECT_EQ(d["version"], want.version);
    EXPECT_EQ(d["last_opset"], want.last_opset);
    EXPECT_EQ(d["formulas"], json(want.formulas));
    const auto names = [](const json& list) {
      std::vector<std::string> out;
      for (const auto& item : list) out.push_back(item["name"]);
      return out;
    };
    EXPECT_EQ(names(d["inputs"]), want.inputs);
    EXPECT_EQ(d["inputs"].back()["optional"], want.inputs.size() == 2);
    EXPECT_EQ(names(d["outputs"]), want.outputs);
    std::map<std::string, json> defaults;
    for (const auto& a : d["attributes"]) defaults[a["name"]] = a["default"];
    EXPECT_EQ(defaults, want.defaults);
    std::vector<std::string> types{"float16", "float32", "float64"};
    if (want.bfloat16) types.insert(types.begin(), "bfloat16");
    if (want.integers) types.insert(types.end(), {"int32", "int64", "uint32", "uint64"});
    EXPECT_EQ(d["types"], json(types));
  }
}

TEST_F(describe_test, version_1_states_no_range) {
  const auto meaning_of_axes = [](const std::string& opset) {
    const auto d = json::parse(halfulp({"describe", "ReduceL2", "--opset", opset, "--json"}).out);
    return d["attributes"][0]["meaning"].get<std::string>();
  };
  EXPECT_NE(meaning_of_axes("1").find("ONNX states no range in this version"), std::string::npos);
  EXPECT_EQ(meaning_of_axes("11").find("ONNX states no range"), std::string::npos);
}

std::string diff_text(const std::string& op, int older, int newer, const std::string& breaking,
                      const std::string& changes) {
  return op + "\n  old version: " + std::to_string(older) +
         "\n  new version: " + std::to_string(newer) + "\n  breaking: " + breaking +
         "\n\nChanges\n" + changes;
}

TEST_F(describe_test, diff_of_neighbours) {
  for (const std::string op : {"ReduceL1", "ReduceL2", "ReduceSumSquare"}) {
    expect_output(
        halfulp({"describe", op, "--opset", "1", "--diff", "11"}),
        diff_text(
            op, 1, 11, "no",
            "  axes  range stated: [-r, r-1] where r is the rank of data; negative axes count\n"
            "        from the back\n"));
    expect_output(halfulp({"describe", op, "--opset", "11", "--diff", "13"}),
                  diff_text(op, 11, 13, "no", "  T  added types: bfloat16\n"));
    expect_output(
        halfulp({"describe", op, "--opset", "13", "--diff", "18"}),
        diff_text(op, 13, 18, "yes",
                  "  axes                  the attribute became an optional input of type int64\n"
                  "                        (breaking)\n"
                  "  noop_with_empty_axes  attribute added: default 0, range 0 or 1\n"));
  }
  expect_output(halfulp({"describe", "LpNormalization", "--opset", "1", "--diff", "22"}),
                diff_text("LpNormalization", 1, 22, "no", "  T  added types: bfloat16\n"));
}

TEST_F(describe_test, diff_is_older_first) {
  const std::string forth = halfulp({"describe", "ReduceL1", "--opset", "11", "--diff", "13"}).out;
  expect_output(halfulp({"describe", "ReduceL1", "--opset", "13", "--diff", "11"}), forth);
  // The opset picks the version, and without one the newest is meant.
  expect_output(halfulp({"describe", "ReduceL1", "--opset", "17", "--diff", "12"}), forth);
  expect_output(halfulp({"describe", "ReduceL1", "--diff", "13"}),
                halfulp({"describe", "ReduceL1", "--opset", "13", "--diff", "18"}).out);
}

TEST_F(describe_test, diff_over_several_versions) {
  const auto got = json::parse(
      halfulp({"describe", "ReduceSumSquare", "--opset", "20", "--diff", "1", "--json"}).out);
  EXPECT_EQ(got, json::parse(R"({
    "operator": "ReduceSumSquare", "old_version": 1, "new_version": 18, "breaking": true,
    "changes": [
      {"kind": "types_added", "name": "T", "detail": "added types: bfloat16", "breaking": false},
      {"kind": "attribute_became_input", "name": "axes",
       "detail": "the attribute became an optional input of type int64", "breaking": true},
      {"kind": "range_stated", "name": "axes",
       "detail": "range stated: [-r, r-1] where r is the rank of data; negative axes count from the back",
       "breaking": false},
      {"kind": "attribute_added", "name": "noop_with_empty_axes",
       "detail": "attribute added: default 0, range 0 or 1", "breaking": false}]})"));
}

TEST_F(describe_test, diff_of_one_version) {
  expect_output(halfulp({"describe", "ReduceL2", "--opset", "14", "--diff", "16"}),
                diff_text("ReduceL2", 13, 13, "no", "  none\n"));
}

TEST_F(describe_test, unknown_opsets) {
  expect_failure(halfulp({"describe", "ReduceL1", "--opset", "29"}), 1, "opset 29");
  expect_failure(halfulp({"describe", "ReduceL1", "--opset", "0"}), 1, "opset 0");
  expect_failure(halfulp({"describe", "ReduceL1", "--diff", "99"}), 1, "opset 99");
}

}  // namespace
}  // namespace halfulp::test
