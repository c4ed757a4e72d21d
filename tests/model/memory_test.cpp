// Tensors inside a graph are freed once nothing reads them, and a model's tensors are not copied.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "io/support/counted_memory.hpp"
#include "model/support/running.hpp"

namespace halfulp::onnx::test {
namespace {

constexpr std::size_t count = 1 << 20;
constexpr std::size_t size = count * sizeof(float);

// The most memory that the action takes beyond what is there, in tensors of `size` bytes.
template <typename Action>
double peak_of(const Action& action) {
  const std::size_t before = io::test::live_bytes;
  io::test::peak_bytes = before;
  action();
  return static_cast<double>(io::test::peak_bytes - before) / size;
}

TEST(memory, is_counted) {
  EXPECT_NEAR(peak_of([] { std::vector<float> one(count), two(count); }), 2, 0.01);
}

TEST(memory, of_inner_tensors_ends_with_their_last_reader) {
  constexpr int length = 10;
  model_parts parts{
      .nodes = {},
      .inputs = {value("t0", float32_type, {"n"})},
      .outputs = {message().text(1, "t" + std::to_string(length)), message().text(1, "s")}};
  for (int i = 0; i < length; ++i) {
    parts.nodes.push_back(node("LpNormalization", {"t" + std::to_string(i)},
                               {"t" + std::to_string(i + 1)}, "",
                               {integer_attribute("p", 1 + i % 2)}));
  }
  parts.nodes.push_back(node("ReduceL1", {"t3"}, {"s"}));
  const model loaded = load(parts);
  const std::vector<float> x(count, 1.0F);
  const std::vector<named_view> inputs{
      {"t0", view_of<float>(x, {static_cast<std::int64_t>(count)})}};
  // Two at a time, and the one that a later node still reads.
  EXPECT_LT(peak_of([&] { EXPECT_EQ(loaded.run(inputs).size(), 2u); }), 3.1);
}

TEST(memory, of_outputs_that_are_one_tensor_is_that_of_the_outputs) {
  const model loaded =
      load({.nodes = {node("LpNormalization", {"x"}, {"a"}), node("Identity", {"a"}, {"b"}),
                      node("Identity", {"b"}, {"c"})},
            .inputs = {value("x", float32_type, {"n"})},
            .outputs = {message().text(1, "a"), message().text(1, "b"), message().text(1, "c")}});
  const std::vector<float> x(count, 1.0F);
  const std::vector<named_view> inputs{
      {"x", view_of<float>(x, {static_cast<std::int64_t>(count)})}};
  EXPECT_LT(peak_of([&] { EXPECT_EQ(loaded.run(inputs).size(), 3u); }), 3.1);
}

TEST(memory, of_a_models_tensors_is_that_of_its_content) {
  const model_parts parts{
      .nodes = {node("ReduceL1", {"w"}, {"y"})},
      .inputs = {},
      .outputs = {message().text(1, "y")},
      .initializers = {raw_tensor("w", float32_type, {static_cast<std::int64_t>(count)},
                                  std::string(size, '\0'))}};
  const std::string bytes = to_bytes(parts);
  EXPECT_LT(peak_of([&] { model(as_span(bytes)).run({}); }), 1.1);
}

TEST(memory, cannot_be_claimed) {
  for (const message& claim : {
           tensor_header("w", float32_type, {1LL << 40}),
           tensor_header("w", float32_type, {1LL << 40}).text(9, "some data"),
           tensor_header("w", int64_type, {1LL << 40}).integer(7, 1),
           tensor_header("w", float32_type, {1LL << 31, 1LL << 31}),
           // A length of two gigabytes, and nothing after it.
           tensor_header("w", float32_type, {1}).raw("\x4a\xff\xff\xff\xff\x07"),
       }) {
    const model_parts parts{.nodes = {node("ReduceL1", {"w"}, {"y"})},
                            .inputs = {},
                            .outputs = {message().text(1, "y")},
                            .initializers = {claim}};
    const std::string bytes = to_bytes(parts);
    io::test::largest_request = 0;
    EXPECT_THROW(model{as_span(bytes)}, error);
    EXPECT_LT(io::test::largest_request, 100'000u);
  }
}

}  // namespace
}  // namespace halfulp::onnx::test
