// Tensors inside a graph are freed once nothing reads them, and a model's tensors are not copied.
// SPDX-License-Identifier: Apache-2.0
//
// A program of its own, since it replaces the global operator new.
#include <gtest/gtest.h>
#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "model/support/running.hpp"

namespace {

std::atomic<std::size_t> live{0}, peak{0};

void* request(std::size_t size, std::size_t alignment) {
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded == 0 ? alignment : rounded);
  if (memory == nullptr) throw std::bad_alloc();
  live += ::malloc_usable_size(memory);
  if (live > peak) peak = live.load();
  return memory;
}

// Out of line, or GCC takes the pair for a mistake.
[[gnu::noinline]] void release(void* memory) noexcept {
  if (memory == nullptr) return;
  live -= ::malloc_usable_size(memory);
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) { return request(size, alignof(std::max_align_t)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return request(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

namespace halfulp::onnx::test {
namespace {

constexpr std::size_t count = 1 << 20;
constexpr std::size_t size = count * sizeof(float);

// The most memory that the action takes beyond what is there, in tensors of `size` bytes.
template <typename Action>
double peak_of(const Action& action) {
  const std::size_t before = live;
  peak = before;
  action();
  return static_cast<double>(peak - before) / size;
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

}  // namespace
}  // namespace halfulp::onnx::test
