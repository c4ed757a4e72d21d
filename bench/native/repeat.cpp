// SPDX-License-Identifier: Apache-2.0
#include "bench.hpp"

halfulp_status halfulp_bench_repeat(const halfulp_plan* plan, const void* input, void* output,
                                    const halfulp_run_options* options, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const halfulp_status status = halfulp_plan_run(plan, input, output, options);
    if (status != HALFULP_OK) {
      return status;
    }
  }
  return HALFULP_OK;
}
