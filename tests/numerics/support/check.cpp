// SPDX-License-Identifier: Apache-2.0
#include "numerics/support/check.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "kernels/target.hpp"

namespace oracle {

namespace {

// Whether the environment names a target in HALFULP_TEST_TARGET, which the kernels then run on. A
// program whose processor lacks it ends with 77, which ctest takes for skipped.
bool on_chosen_target() {
  static const bool chosen = [] {
    const char* name = std::getenv("HALFULP_TEST_TARGET");
    if (name == nullptr) return false;
    for (const std::int64_t target : halfulp::kernels::supported_targets()) {
      if (halfulp::kernels::target_name(target) != name) continue;
      halfulp::kernels::use_target(target);
      return true;
    }
    fmt::print("HALFULP_TEST_TARGET is {}, which this processor or build lacks\n", name);
    std::exit(77);
  }();
  return chosen;
}
// Before any test, whichever asks for a number of cases first.
[[maybe_unused]] const bool has_chosen_target = on_chosen_target();

// Each target gets a tenth of the cases.
int per_mille() { return HALFULP_TEST_SCALE * (on_chosen_target() ? 1 : 10); }

}  // namespace

int scaled(int count) { return std::max(1, count * per_mille() / 1000); }

bool sampled(random_source& random) {
  return random.below(1000) < static_cast<std::uint64_t>(per_mille());
}

const std::vector<dtype>& outputs_of(dtype input) {
  return is_floating(input) ? float_types : all_types;
}

std::vector<question> questions_of(dtype input) {
  std::vector<question> questions;
  for (const dtype output : outputs_of(input)) {
    for (const operation op : reductions) questions.push_back({op, input, output});
    if (!is_floating(input)) continue;
    for (const int p : {1, 2}) questions.push_back({operation::normalize, input, output, p});
  }
  return questions;
}

halfulp::op op_of(operation op) {
  switch (op) {
    case operation::l1:
      return halfulp::op::reduce_l1;
    case operation::l2:
      return halfulp::op::reduce_l2;
    case operation::sum_square:
      return halfulp::op::reduce_sum_square;
    case operation::normalize:
      break;
  }
  return halfulp::op::lp_normalization;
}

std::vector<std::byte> pack(dtype type, std::span<const bits> patterns) {
  std::vector<std::byte> bytes(patterns.size() * bytes_of(type));
  for (std::size_t i = 0; i < patterns.size(); ++i) {
    store(type, patterns[i], bytes.data() + i * bytes_of(type));
  }
  return bytes;
}

std::vector<bits> computed(const question& question, std::span<const bits> slice) {
  halfulp::options options;
  options.output_type = question.output;
  if (question.op == operation::normalize) {
    options.p = question.p;
    options.eps = question.eps;
  }
  const tensor input{question.input,
                     {static_cast<std::int64_t>(slice.size())},
                     std::vector<bits>(slice.begin(), slice.end())};
  return computed(op_of(question.op), input, options).elements;
}

tensor computed(halfulp::op op, const tensor& input, const halfulp::options& options) {
  const std::vector<std::byte> bytes = pack(input.type, input.elements);
  const halfulp::tensor output =
      halfulp::compute(op, {bytes.data(), {input.type, input.shape, {}}}, options);
  tensor result{output.layout().type, output.layout().shape, {}};
  const auto* data = static_cast<const std::byte*>(output.data());
  for (std::size_t i = 0; i < output.element_count(); ++i) {
    result.elements.push_back(load(result.type, data + i * bytes_of(result.type)));
  }
  return result;
}

std::string text_of(dtype type, std::span<const bits> patterns) {
  constexpr std::size_t most = 48;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, patterns.size()); ++i) {
    text += fmt::format("{}{:0{}x}", i == 0 ? "" : " ", patterns[i], width_of(type) / 4);
  }
  if (patterns.size() > most) text += fmt::format(" ... ({} in all)", patterns.size());
  return text;
}

void expect_outputs(const question& question, std::span<const bits> slice,
                    const std::vector<bits>& expected, const std::string& origin) {
  const std::vector<bits> outputs = computed(question, slice);
  if (outputs == expected) return;
  const auto [wrong, right] =
      std::mismatch(outputs.begin(), outputs.end(), expected.begin(), expected.end());
  const auto at = static_cast<std::size_t>(wrong - outputs.begin());
  ADD_FAILURE() << text_of(question) << " of " << slice.size() << " elements (" << origin
                << "): output " << at << " of " << outputs.size() << " is "
                << text_of(question.output, std::span(outputs).subspan(at).first(
                                                std::min<std::size_t>(1, outputs.size() - at)))
                << ", not "
                << text_of(question.output, std::span(expected).subspan(at).first(
                                                std::min<std::size_t>(1, expected.size() - at)))
                << "; the slice: " << text_of(question.input, slice);
}

void expect_correct(const question& question, std::span<const bits> slice,
                    const std::string& origin) {
  expect_outputs(question, slice, answer(question, slice), origin);
}

}  // namespace oracle
