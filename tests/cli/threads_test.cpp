// --threads, HALFULP_NUM_THREADS and --explain.
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>
#include <regex>

#include "command.hpp"

namespace halfulp::test {
namespace {

using json = nlohmann::json;

class threads_test : public command_test {
 protected:
  void SetUp() override {
    command_test::SetUp();
    write_file("x.npy", npy<float>("(2, 3)", {16777216, 1, 0x1p-149F, 3, 4, 5}));
    // Enough to be shared out.
    std::vector<float> many(1000 * 256);
    for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<float>(i % 97) / 7;
    write_file("many.npy", npy<float>("(1000, 256)", many));
  }

  static json explained(const outcome& got) {
    EXPECT_EQ(got.err, "");
    return json::parse(got.out)["explain"];
  }
};

const std::vector<std::string> rows_of_many{"op", "ReduceL2", "many.npy", "--axes",
                                            "1",  "--json",   "--explain"};

std::vector<std::string> with(std::vector<std::string> arguments,
                              const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

TEST_F(threads_test, explain_follows_the_result) {
  const outcome got = halfulp(
      {"op", "ReduceL2", "x.npy", "--axes", "1", "--keepdims", "0", "--explain", "--threads", "3"});
  EXPECT_EQ(got.status, 0);
  EXPECT_TRUE(std::regex_match(got.out, std::regex("float32 \\(2,\\)\n"
                                                   "\\[16777216\\.0 +7\\.071068\\]\n"
                                                   "layout [a-z ]+, slices 2, slice length 3\n"
                                                   "threads 1, parts 1\n"
                                                   "target [A-Z0-9_]+\n"
                                                   "settled: fast 2, extracted 0, exact 0\n")))
      << got.out;
}

TEST_F(threads_test, explain_in_json) {
  for (const std::string threads : {"1", "2", "3"}) {
    const json said = explained(halfulp(with(rows_of_many, {"--threads", threads})));
    EXPECT_EQ(said["slices"], 1000);
    EXPECT_EQ(said["slice_length"], 256);
    EXPECT_EQ(said["threads"], std::stoi(threads));
    EXPECT_GE(said["parts"], said["threads"]);
    EXPECT_NE(said["target"].get<std::string>(), "");
    EXPECT_EQ(said["fast"].get<int>() + said["extracted"].get<int>() + said["exact"].get<int>(),
              1000);
    EXPECT_EQ(said.size(), 9);
  }
}

TEST_F(threads_test, explain_alone_where_the_result_goes_to_a_file) {
  const outcome got = halfulp({"op", "ReduceL1", "x.npy", "-o", "y.npy", "--explain"});
  EXPECT_EQ(got.status, 0);
  EXPECT_TRUE(got.out.starts_with("layout ")) << got.out;
  expect_failure(halfulp({"op", "ReduceL1", "x.npy", "-o", "-", "--explain"}), 2, "--explain");
}

TEST_F(threads_test, the_same_result) {
  const std::string one =
      halfulp({"op", "LpNormalization", "many.npy", "--json", "--threads", "1"}).out;
  for (const std::string threads : {"2", "5", "4096"}) {
    expect_output(halfulp({"op", "LpNormalization", "many.npy", "--json", "--threads", threads}),
                  one);
  }
}

TEST_F(threads_test, wrong_numbers_are_usage_errors) {
  for (const std::string number : {"0", "-1", "4097", "two", "2.0", ""}) {
    expect_failure(halfulp({"op", "ReduceL1", "x.npy", "--threads=" + number}), 2, "--threads");
    expect_failure(halfulp({"run", "no.onnx", "--threads=" + number}), 2, "--threads");
  }
}

TEST_F(threads_test, variable) {
  const auto under = [](const std::string& value, const std::string& more) {
    return shell("HALFULP_NUM_THREADS=" + value +
                 " \"$halfulp\" op ReduceL2 many.npy --axes 1 --json --explain" + more);
  };
  EXPECT_EQ(explained(under("3", ""))["threads"], 3);
  EXPECT_EQ(explained(under("3", " --threads 2"))["threads"], 2);
  for (const std::string value : {"0", "-1", "4097", "two", "''", "1x"}) {
    expect_failure(under(value, ""), 1, "HALFULP_NUM_THREADS");
  }
  EXPECT_EQ(explained(under("two", " --threads 2"))["threads"], 2) << "not asked";
}

}  // namespace
}  // namespace halfulp::test
