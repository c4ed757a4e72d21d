// halfulp op: results as JSON and as files.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bit>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>

#include "command.hpp"
#include "io/tensor_file.hpp"

namespace halfulp::test {
namespace {

using json = nlohmann::json;

class op_output_test : public command_test {
 protected:
  void SetUp() override {
    command_test::SetUp();
    write_file("x.npy", npy<float>("(2, 2)", {1, -2, 3, -4}));
  }
};

TEST_F(op_output_test, json) {
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "--axes", "1", "--json"}),
                "{\"type\":\"float32\",\"shape\":[2,1],\"values\":[3.0,7.0]}\n");
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "--keepdims", "0", "--json"}),
                "{\"type\":\"float32\",\"shape\":[],\"values\":[10.0]}\n");
  write_file("none.npy", npy<float>("(0, 3)", {}));
  expect_output(halfulp({"op", "LpNormalization", "none.npy", "--json"}),
                "{\"type\":\"float32\",\"shape\":[0,3],\"values\":[]}\n");
}

TEST_F(op_output_test, json_special_values_are_strings) {
  constexpr double inf = std::numeric_limits<double>::infinity();
  write_file("s.npy", npy<double>("(2, 2)", {inf, -1, 3, -4}));
  const auto got = json::parse(halfulp({"op", "LpNormalization", "s.npy", "--json"}).out);
  EXPECT_EQ(got["values"][0], "nan");
  EXPECT_TRUE(std::signbit(got["values"][1].get<double>()));
  EXPECT_EQ(got["values"][2], 0.6);
  const auto sum = json::parse(halfulp({"op", "ReduceL1", "s.npy", "--json"}).out);
  EXPECT_EQ(sum["values"], json::array({"inf"}));
}

template <typename T>
json json_of_magnitudes(const std::vector<T>& elements) {
  write_file("many.npy", npy(fmt::format("({},)", elements.size()), elements));
  const outcome got =
      halfulp({"op", "ReduceL1", "many.npy", "--noop-with-empty-axes", "1", "--json"});
  EXPECT_EQ(got.status, 0) << got.err;
  const auto parsed = json::parse(got.out);
  EXPECT_EQ(parsed["shape"], json::array({elements.size()}));
  return parsed["values"];
}

// More elements than are printed without --json, and more text than one chunk.
template <typename T, typename Bits>
void check_exact_floats() {
  std::mt19937_64 random(7);
  std::vector<T> elements;
  while (elements.size() < 20000) {
    const T value = std::bit_cast<T>(static_cast<Bits>(random()));
    if (std::isfinite(value)) elements.push_back(std::fabs(value));
  }
  const json values = json_of_magnitudes(elements);
  ASSERT_EQ(values.size(), elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    ASSERT_EQ(static_cast<T>(values[i].get<double>()), elements[i]) << values[i];
  }
}

TEST_F(op_output_test, json_float32_is_exact) { check_exact_floats<float, std::uint32_t>(); }

TEST_F(op_output_test, json_float64_is_exact) { check_exact_floats<double, std::uint64_t>(); }

TEST_F(op_output_test, json_integers_are_exact) {
  using limits = std::numeric_limits<std::uint64_t>;
  EXPECT_EQ(json_of_magnitudes<std::uint64_t>({limits::max(), 9007199254740993u}),
            json::array({limits::max(), 9007199254740993u}));
  using signed_limits = std::numeric_limits<std::int64_t>;
  EXPECT_EQ(json_of_magnitudes<std::int64_t>({signed_limits::min(), -9007199254740993}),
            json::array({signed_limits::min(), 9007199254740993}));
}

TEST_F(op_output_test, writes_npy) {
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "--axes", "1", "-o", "y.npy"}), "");
  EXPECT_EQ(read_file("y.npy"), npy<float>("(2, 1)", {3, 7}));
}

template <typename T>
void expect_tensor(const std::string& where, const std::string& name,
                   const std::vector<std::int64_t>& shape, const std::vector<T>& elements) {
  const io::loaded_tensor got = io::read_tensor(where);
  EXPECT_EQ(got.name, name);
  EXPECT_EQ(got.layout.type, dtype_of<T>);
  EXPECT_EQ(got.layout.shape, shape);
  EXPECT_EQ(std::memcmp(got.data, elements.data(), elements.size() * sizeof(T)), 0);
}

TEST_F(op_output_test, writes_tensor_proto_and_safetensors) {
  for (const std::string file : {"y.pb", "y.safetensors"}) {
    expect_output(halfulp({"op", "ReduceL1", "x.npy", "--axes", "1", "-o", file}), "");
    expect_tensor<float>(file, "output", {2, 1}, {3, 7});
    // And reads it again.
    expect_output(halfulp({"op", "ReduceL2", file, "--keepdims", "0"}), "float32 ()\n7.615773\n");
  }
  expect_output(halfulp({"op", "ReduceL1", "y.safetensors:output"}), "float32 (1,1)\n[[10.0]]\n");
}

TEST_F(op_output_test, writes_bfloat16) {
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "--output-type", "bfloat16", "-o", "y.npy"}),
                "");
  EXPECT_EQ(read_file("y.npy"), npy<bfloat16>("(1, 1)", {bfloat16(10.0)}));
  expect_output(halfulp({"op", "ReduceL1", "y.npy", "--type", "bfloat16"}),
                "bfloat16 (1,1)\n[[10.0]]\n");
}

TEST_F(op_output_test, writes_standard_output) {
  const outcome got = halfulp({"op", "ReduceL1", "x.npy", "-o", "-"});
  EXPECT_EQ(got.status, 0);
  EXPECT_EQ(got.err, "");
  EXPECT_EQ(got.out, npy<float>("(1, 1)", {10}));
}

TEST_F(op_output_test, pipes) {
  expect_output(shell("cat x.npy | \"$halfulp\" op LpNormalization - --p 1 --axis 0 -o - | "
                      "\"$halfulp\" op ReduceL1 - --keepdims 0"),
                "float32 ()\n2.0\n");
}

// In place for LpNormalization, by the renamed file in any case.
TEST_F(op_output_test, over_the_input) {
  expect_output(halfulp({"op", "LpNormalization", "x.npy", "--p", "1", "-o", "x.npy"}), "");
  EXPECT_EQ(read_file("x.npy"), npy<float>("(2, 2)", {1.0f / 3, -2.0f / 3, 3.0f / 7, -4.0f / 7}));
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "-o", "x.npy"}), "");
  EXPECT_EQ(read_file("x.npy"), npy<float>("(1, 1)", {2}));
}

TEST_F(op_output_test, replaces_the_target_of_a_link_and_keeps_the_mode) {
  write_file("target.npy", "old");
  ASSERT_EQ(chmod("target.npy", 0640), 0);
  std::filesystem::create_symlink("target.npy", "link.npy");
  expect_output(halfulp({"op", "ReduceL1", "x.npy", "-o", "link.npy"}), "");
  EXPECT_TRUE(std::filesystem::is_symlink("link.npy"));
  EXPECT_EQ(read_file("target.npy"), npy<float>("(1, 1)", {10}));
  struct stat status {};
  ASSERT_EQ(stat("target.npy", &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0640u);
}

// Fortran order in, C order out.
TEST_F(op_output_test, normalises_fortran_order) {
  write_file("f.npy", npy_header("<f4", "(2, 2)", true) + bytes_of<float>({1, 3, -3, 1}));
  expect_output(halfulp({"op", "LpNormalization", "f.npy", "--p", "1", "-o", "y.npy"}), "");
  EXPECT_EQ(read_file("y.npy"), npy<float>("(2, 2)", {0.25f, -0.75f, 0.75f, 0.25f}));
}

}  // namespace
}  // namespace halfulp::test
