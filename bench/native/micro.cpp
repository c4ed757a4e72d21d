// SPDX-License-Identifier: Apache-2.0
// Micro-benchmarks of the C++ interface: calls whose data is in cache, one call on 32 elements, and
// the making of a plan. bench/run.py runs this with HALFULP_NUM_THREADS=1 and merges its JSON.
#include <benchmark/benchmark.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "halfulp/halfulp.hpp"

namespace {

using halfulp::dtype;
using halfulp::op;

// What each call reads: more than any first-level cache holds, and less than any second-level one.
constexpr std::int64_t bytes_in_cache = 256 * 1024;

struct layout_case {
  std::string_view name;
  std::vector<std::int64_t> shape;  // without the first extent, which follows from the size
  std::int64_t axis;
};

const std::vector<layout_case> layouts = {
    {"rows", {512}, 1},          {"columns", {512}, 0},         {"batched columns", {32, 64}, 1},
    {"short rows of 2", {2}, 1}, {"short rows of 16", {16}, 1},
};

const std::vector<dtype> types = {dtype::bfloat16, dtype::float16, dtype::float32, dtype::float64,
                                  dtype::int32,    dtype::int64,   dtype::uint32,  dtype::uint64};

template <typename T>
void store_all(std::vector<std::byte>& bytes, std::size_t count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> values(-100, 100);
  for (std::size_t i = 0; i < count; ++i) {
    const T value = static_cast<T>(std::is_unsigned_v<T> ? values(random) + 100 : values(random));
    std::memcpy(bytes.data() + i * sizeof(T), &value, sizeof(T));
  }
}

std::vector<std::byte> random_elements(dtype type, std::size_t count) {
  std::vector<std::byte> bytes(count * halfulp::size_of(type));
  switch (type) {
    case dtype::bfloat16:
      store_all<halfulp::bfloat16>(bytes, count);
      break;
    case dtype::float16:
      store_all<halfulp::float16>(bytes, count);
      break;
    case dtype::float32:
      store_all<float>(bytes, count);
      break;
    case dtype::float64:
      store_all<double>(bytes, count);
      break;
    case dtype::int32:
      store_all<std::int32_t>(bytes, count);
      break;
    case dtype::int64:
      store_all<std::int64_t>(bytes, count);
      break;
    case dtype::uint32:
      store_all<std::uint32_t>(bytes, count);
      break;
    case dtype::uint64:
      store_all<std::uint64_t>(bytes, count);
      break;
  }
  return bytes;
}

std::size_t count_of(const std::vector<std::int64_t>& shape) {
  std::size_t count = 1;
  for (const std::int64_t extent : shape) {
    count *= static_cast<std::size_t>(extent);
  }
  return count;
}

halfulp::options options_for(op op, std::int64_t axis) {
  halfulp::options options;
  if (op == op::lp_normalization) {
    options.axis = axis;
  } else {
    options.axes = std::vector<std::int64_t>{axis};
  }
  return options;
}

void run_plan(benchmark::State& state, op op, dtype type, const std::vector<std::int64_t>& shape,
              std::int64_t axis) {
  const halfulp::plan plan(op, {.type = type, .shape = shape}, options_for(op, axis));
  const std::vector<std::byte> input = random_elements(type, count_of(shape));
  std::vector<std::byte> output(count_of(plan.output().shape) * halfulp::size_of(type));
  for ([[maybe_unused]] auto _ : state) {
    plan.run(input.data(), output.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(input.size()));
}

void make_plan(benchmark::State& state, op op, const std::vector<std::int64_t>& shape) {
  const halfulp::options options = options_for(op, -1);
  for ([[maybe_unused]] auto _ : state) {
    halfulp::plan plan(op, {.type = dtype::float32, .shape = shape}, options);
    benchmark::DoNotOptimize(plan);
  }
}

void register_in_cache(op op, dtype type) {
  for (const layout_case& layout : layouts) {
    std::vector<std::int64_t> shape = layout.shape;
    const auto inner = static_cast<std::int64_t>(count_of(shape) * halfulp::size_of(type));
    shape.insert(shape.begin(), bytes_in_cache / inner);
    const std::string name = "in cache/" + std::string(name_of(type)) + " " +
                             std::string(name_of(op)) + " " + std::string(layout.name);
    benchmark::RegisterBenchmark(name.c_str(), [=, axis = layout.axis](benchmark::State& state) {
      run_plan(state, op, type, shape, axis);
    });
  }
}

void register_all() {
  for (const op op : {op::reduce_l1, op::reduce_l2, op::reduce_sum_square, op::lp_normalization}) {
    for (const dtype type : types) {
      if (op != op::lp_normalization || is_float(type)) {
        register_in_cache(op, type);
      }
    }
  }
  for (const op op : {op::reduce_l1, op::reduce_l2, op::lp_normalization}) {
    for (const dtype type : {dtype::float32, dtype::float16, dtype::float64}) {
      const std::string what = std::string(name_of(type)) + " " + std::string(name_of(op));
      benchmark::RegisterBenchmark(("32 elements/" + what).c_str(), [=](benchmark::State& state) {
        run_plan(state, op, type, {32}, 0);
      });
    }
    benchmark::RegisterBenchmark(("making a plan/float32 " + std::string(name_of(op))).c_str(),
                                 [=](benchmark::State& state) {
                                   make_plan(state, op, {1000, 768});
                                 });
  }
}

}  // namespace

int main(int argc, char** argv) {
  register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    return 2;
  }
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
