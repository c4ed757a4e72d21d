// SPDX-License-Identifier: Apache-2.0
#include <cstdint>

#include "base/error.hpp"
#include "base/fp_environment.hpp"
#include "exec/execute.hpp"
#include "exec/parallel.hpp"
#include "exec/tier_counts.hpp"
#include "halfulp/halfulp.hpp"
#include "kernels/target.hpp"
#include "plan/computation_plan.hpp"

namespace halfulp {

std::string_view version() noexcept { return HALFULP_VERSION; }

executor::~executor() = default;

struct plan::state {
  computation_plan plan;
};

plan::plan(op op, const tensor_layout& input, const options& options,
           std::span<const std::int64_t> output_strides)
    : state_(std::make_shared<const state>(state{make_plan(
          {.op = op, .input_type = input.type, .options = options}, input, output_strides)})) {}

const tensor_layout& plan::input() const noexcept { return state_->plan.input; }
const tensor_layout& plan::output() const noexcept { return state_->plan.output; }

plan_description plan::describe() const noexcept {
  const loop_nest& nest = state_->plan.nest;
  return {name_of(nest.layout), nest.slice_count, nest.slice_length};
}

namespace {

void check_overlap(const computation_plan& plan, const void* input, const void* output) {
  if (input == output && plan.may_run_in_place) return;
  // As numbers: the ranges may lie in different objects.
  const auto in = reinterpret_cast<std::uintptr_t>(input);
  const auto out = reinterpret_cast<std::uintptr_t>(output);
  const bool apart = out + plan.output_range.first >= in + plan.input_range.last ||
                     in + plan.input_range.first >= out + plan.output_range.last;
  const bool empty = plan.output_range.first == plan.output_range.last ||
                     plan.input_range.first == plan.input_range.last;
  if (apart || empty) return;
  fail(errc::overlap, "{}: the output '{}' overlaps the input '{}' in memory{}",
       schema::name_of(*plan.computation.row), plan.computation.row->output_name,
       plan.computation.row->input_name,
       plan.computation.finish == schema::finish_map::normalize
           ? " (allowed: exactly the input, with the same type and strides)"
           : "");
}

}  // namespace

void plan::run(const void* input, void* output, const run_options& options) const {
  check_overlap(state_->plan, input, output);
  // Before the environment is changed: a host's threads are called in the caller's.
  parallel threads(options);
  tier_counts slices;
  {
    const fp_environment environment;
    execute(state_->plan, static_cast<const std::byte*>(input), static_cast<std::byte*>(output),
            threads, slices);
  }
  if (options.statistics == nullptr) return;
  *options.statistics = {.threads = threads.threads_used(),
                         .parts = threads.parts(),
                         .target = kernels::target_name(kernels::current_target()),
                         .fast = slices.fast,
                         .extracted = slices.extracted,
                         .exact = slices.exact};
}

}  // namespace halfulp
