// SPDX-License-Identifier: Apache-2.0
#include "threads/support/work.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <numeric>
#include <utility>

#include "numerics/support/check.hpp"
#include "numerics/support/draw.hpp"

namespace halfulp::test {

namespace {

// Of mixed characters, so that slices fall to every tier.
std::vector<std::byte> draw_elements(dtype type, std::size_t count, oracle::random_source& random) {
  using oracle::character;
  const auto kinds = is_float(type) ? std::vector{character::normal, character::wide,
                                                  character::dust, character::small_integers}
                                    : oracle::characters(type);
  std::vector<oracle::bits> elements;
  while (elements.size() < count) {
    const auto some = oracle::draw(random.any_of(kinds), type, 256, random);
    elements.insert(elements.end(), some.begin(), some.end());
  }
  elements.resize(count);
  return oracle::pack(type, elements);
}

std::size_t bytes_of(const tensor_layout& layout) {
  return std::accumulate(layout.shape.begin(), layout.shape.end(), size_of(layout.type),
                         std::multiplies<>());
}

}  // namespace

work make_work(op op, dtype type, std::vector<std::int64_t> shape, const options& options,
               std::uint64_t seed) {
  work made{fmt::format("{} of {} ({})", name_of(op), name_of(type), fmt::join(shape, ",")),
            plan(op, {type, shape, {}}, options),
            op == op::lp_normalization,
            {},
            {}};
  oracle::random_source random(seed);
  const std::size_t input_bytes = bytes_of(made.computation.input());
  made.input = draw_elements(type, input_bytes / size_of(type), random);
  made.expected = run(made, {.threads = 1});
  return made;
}

std::vector<std::byte> run(const work& work, const run_options& options) {
  std::vector<std::byte> output(bytes_of(work.computation.output()), std::byte{0xa5});
  work.computation.run(work.input.data(), output.data(), options);
  return output;
}

void expect_same_bits(const work& work, const run_options& options) {
  EXPECT_EQ(run(work, options), work.expected) << work.name;
  if (!work.in_place) return;
  std::vector<std::byte> both = work.input;
  work.computation.run(both.data(), both.data(), options);
  EXPECT_EQ(both, work.expected) << work.name << ", in place";
}

std::vector<work> make_all_work() {
  std::vector<work> all;
  std::uint64_t seed = 1;
  for (const dtype type : oracle::all_types) {
    for (const op op : {op::reduce_l1, op::reduce_l2, op::reduce_sum_square}) {
      all.push_back(make_work(op, type, {700, 400}, {.axes = {{1}}}, seed++));     // rows
      all.push_back(make_work(op, type, {300, 1000}, {.axes = {{0}}}, seed++));    // columns
      all.push_back(make_work(op, type, {20, 50, 300}, {.axes = {{1}}}, seed++));  // batches
      all.push_back(make_work(op, type, {90000, 3}, {.axes = {{1}}}, seed++));     // short rows
      all.push_back(make_work(op, type, {3, 100003}, {.axes = {{1}}}, seed++));    // few slices
    }
    if (!is_float(type)) continue;
    for (const std::int64_t p : {1, 2}) {
      const auto op = op::lp_normalization;
      all.push_back(make_work(op, type, {700, 400}, {.axis = 1, .p = p}, seed++));
      all.push_back(make_work(op, type, {300, 1000}, {.axis = 0, .p = p}, seed++));
      all.push_back(make_work(op, type, {20, 50, 300}, {.axis = 1, .p = p}, seed++));
    }
  }
  return all;
}

std::vector<work> make_some_work() {
  std::vector<work> some;
  some.push_back(make_work(op::reduce_l2, dtype::float32, {700, 400}, {.axes = {{1}}}, 1));
  some.push_back(make_work(op::reduce_l1, dtype::float64, {300, 1000}, {.axes = {{0}}}, 2));
  some.push_back(make_work(op::reduce_sum_square, dtype::int32, {700, 400}, {.axes = {{1}}}, 3));
  some.push_back(make_work(op::lp_normalization, dtype::float32, {700, 400}, {}, 4));
  some.push_back(make_work(op::lp_normalization, dtype::bfloat16, {300, 1000}, {.axis = 0}, 5));
  return some;
}

}  // namespace halfulp::test
