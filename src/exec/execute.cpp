// SPDX-License-Identifier: Apache-2.0
#include "exec/execute.hpp"

#include <cstring>

#include "base/element_dispatch.hpp"
#include "exec/tiles.hpp"

namespace halfulp {

namespace {

// What a sum over nothing is: zeros, in every type the all-zeros bits.
void fill_with_zeros(const computation_plan& plan, std::byte* output) {
  const std::size_t size = size_of(plan.output.type);
  walk(plan.nest.kept, plan.nest.in_offset, plan.nest.out_offset,
       [&](std::int64_t, std::int64_t out) { std::memset(output + out, 0, size); });
}

}  // namespace

void execute(const computation_plan& plan, const std::byte* input, std::byte* output,
             parallel& threads, tier_counts& slices) {
  if (plan.nest.slice_count == 0) return;
  const bool normalizes = plan.computation.finish == schema::finish_map::normalize;
  if (plan.nest.slice_length == 0) {
    if (!normalizes) fill_with_zeros(plan, output);
    slices.fast += plan.nest.slice_count;
    return;
  }
  if (normalizes) {
    dispatch(plan.input.type, float_types{}, [&]<typename T>(std::type_identity<T>) {
      execute_normalization<T>(plan, input, output, threads, slices);
    });
  } else {
    dispatch(plan.input.type, element_types{}, [&]<typename T>(std::type_identity<T>) {
      execute_reduction<T>(plan, input, output, threads, slices);
    });
  }
}

}  // namespace halfulp
