// SPDX-License-Identifier: Apache-2.0
#include "explain.hpp"

#include <fmt/format.h>

namespace halfulp::cli {

std::string explain_text(const plan_description& plan, const run_statistics& run) {
  return fmt::format(
      "layout {}, slices {}, slice length {}\n"
      "threads {}, parts {}\n"
      "target {}\n"
      "settled: fast {}, extracted {}, exact {}\n",
      plan.layout, plan.slices, plan.slice_length, run.threads, run.parts, run.target, run.fast,
      run.extracted, run.exact);
}

std::string explain_json(const plan_description& plan, const run_statistics& run) {
  return fmt::format(
      R"("explain":{{"layout":"{}","slices":{},"slice_length":{},"threads":{},"parts":{},)"
      R"("target":"{}","fast":{},"extracted":{},"exact":{}}})",
      plan.layout, plan.slices, plan.slice_length, run.threads, run.parts, run.target, run.fast,
      run.extracted, run.exact);
}

}  // namespace halfulp::cli
