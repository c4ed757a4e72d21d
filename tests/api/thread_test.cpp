// One plan, many threads.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <optional>
#include <thread>
#include <vector>

#include "numerics/support/check.hpp"
#include "numerics/support/construct.hpp"
#include "numerics/support/draw.hpp"

namespace oracle {
namespace {

constexpr int thread_count = 4;

// Every thread runs the same plan on its own data, again and again, while the others do.
void check_shared_plan(halfulp::op op, dtype type, const std::vector<std::int64_t>& shape,
                       const halfulp::options& options) {
  const halfulp::plan plan(op, {type, shape, {}}, options);
  const std::size_t output_bytes =
      element_count(plan.output().shape) * bytes_of(plan.output().type);

  std::vector<std::vector<std::byte>> inputs, right;
  for (int thread = 0; thread < thread_count; ++thread) {
    random_source random(static_cast<std::uint64_t>(thread));
    tensor input{type, shape, {}};
    // Characters that take every tier.
    const auto kinds = is_floating(type) ? std::vector{character::normal, character::wide,
                                                       character::dust, character::small_integers}
                                         : characters(type);
    while (input.elements.size() < element_count(shape)) {
      const auto row = draw(random.any_of(kinds), type, 64, random);
      input.elements.insert(input.elements.end(), row.begin(), row.end());
    }
    input.elements.resize(element_count(shape));
    inputs.push_back(pack(type, input.elements));
    const tensor output = expected(op, input, options);
    right.push_back(pack(output.type, output.elements));
  }

  std::vector<int> wrong(thread_count, 0);
  std::vector<std::thread> threads;
  for (std::size_t thread = 0; thread < thread_count; ++thread) {
    threads.emplace_back([&, thread] {
      const halfulp::plan copy = plan;
      std::vector<std::byte> output(output_bytes);
      for (int round = 0; round < scaled(40); ++round) {
        std::fill(output.begin(), output.end(), std::byte{0xa5});
        (round % 2 == 0 ? plan : copy).run(inputs[thread].data(), output.data());
        if (output != right[thread]) ++wrong[thread];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int thread = 0; thread < thread_count; ++thread) {
    EXPECT_EQ(wrong[static_cast<std::size_t>(thread)], 0)
        << halfulp::name_of(op) << " of " << text_of(type) << ", thread " << thread;
  }
}

TEST(threads, share_a_plan) {
  for (const dtype type : all_types) {
    for (const operation op : reductions) {
      check_shared_plan(op_of(op), type, {16, 64, 5}, {.axes = {{1}}});
      check_shared_plan(op_of(op), type, {4096}, {});
    }
    if (!is_floating(type)) continue;
    for (const std::int64_t p : {1, 2}) {
      check_shared_plan(halfulp::op::lp_normalization, type, {40, 64}, {.p = p});
      check_shared_plan(halfulp::op::lp_normalization, type, {64, 40}, {.axis = 0, .p = p});
    }
  }
}

TEST(threads, make_plans_at_once) {
  std::vector<std::thread> threads;
  std::vector<int> wrong(thread_count, 0);
  for (std::size_t thread = 0; thread < thread_count; ++thread) {
    threads.emplace_back([&, thread] {
      const std::vector<float> data{3, -4};
      for (int round = 0; round < scaled(2000); ++round) {
        const auto norm = halfulp::reduce_l2(halfulp::view_of(std::span(data), {2}));
        if (norm.elements<float>()[0] != 5) ++wrong[thread];
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(thread_count, 0));
}

// A plan outlives the variable it was made in, and moved ones keep working.
TEST(threads, copies_keep_the_state_alive) {
  std::optional<halfulp::plan> first(std::in_place, halfulp::op::reduce_l1,
                                     halfulp::tensor_layout{dtype::float32, {3}, {}});
  const halfulp::plan copy = *first;
  first.reset();
  const float data[] = {1, -2, 4};
  float sum = 0;
  copy.run(data, &sum);
  EXPECT_EQ(sum, 7);
}

}  // namespace
}  // namespace oracle
