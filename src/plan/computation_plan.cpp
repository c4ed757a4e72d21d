// SPDX-License-Identifier: Apache-2.0
#include "plan/computation_plan.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#include "base/shape.hpp"
#include "plan/output_shape.hpp"

namespace halfulp {

namespace {

using schema::name_of;

std::string subject(const schema::op_version& row, std::string_view tensor) {
  return fmt::format("{}: {}", name_of(row), tensor);
}

// Strides filled in, sizes checked; the bytes that the tensor touches go to `range`.
tensor_layout complete(const tensor_layout& given, const std::string& subject, byte_range* range) {
  const std::size_t size = size_of(given.type);
  const auto count = element_count(given.shape, size);
  if (!count) {
    fail(errc::invalid_shape, "{} has shape {}, which is negative or too large for memory", subject,
         format_shape(given.shape));
  }
  tensor_layout layout = given;
  if (layout.strides.empty()) {
    layout.strides = c_strides(layout.shape, size);
  } else if (layout.strides.size() != layout.shape.size()) {
    fail(errc::invalid_shape, "{} has {} strides for {} axes", subject, layout.strides.size(),
         layout.shape.size());
  }
  *range = {0, 0};
  if (*count == 0) return layout;
  range->last = static_cast<std::int64_t>(size);
  for (std::size_t i = 0; i < layout.shape.size(); ++i) {
    std::int64_t reach = 0;
    std::int64_t& end = layout.strides[i] < 0 ? range->first : range->last;
    if (__builtin_mul_overflow(layout.shape[i] - 1, layout.strides[i], &reach) ||
        __builtin_add_overflow(end, reach, &end)) {
      fail(errc::invalid_shape, "{}: stride {} of axis {} reaches outside the address space",
           subject, layout.strides[i], i);
    }
  }
  std::int64_t span = 0;
  if (__builtin_sub_overflow(range->last, range->first, &span)) {
    fail(errc::invalid_shape, "{} reaches outside the address space", subject);
  }
  return layout;
}

// Two elements of an output must not share a byte. Sufficient: from the smallest stride to the
// largest, each step leaves behind all that the smaller ones cover.
void check_output_strides(const tensor_layout& output, const std::string& subject) {
  std::vector<std::pair<std::int64_t, std::int64_t>> steps;
  for (std::size_t i = 0; i < output.shape.size(); ++i) {
    if (output.shape[i] == 0) return;
    if (output.shape[i] > 1) steps.emplace_back(std::abs(output.strides[i]), output.shape[i]);
  }
  std::sort(steps.begin(), steps.end());
  auto covered = static_cast<std::int64_t>(size_of(output.type));
  for (const auto& [stride, extent] : steps) {
    if (stride < covered) {
      fail(errc::invalid_shape, "{} has strides that let elements overlap (a stride of {} bytes)",
           subject, stride);
    }
    covered += (extent - 1) * stride;  // within the range that complete() has checked
  }
}

// Whether two tensors of one shape have their elements in the same places.
bool same_steps(const tensor_layout& a, const tensor_layout& b) {
  for (std::size_t i = 0; i < a.shape.size(); ++i) {
    if (a.shape[i] > 1 && a.strides[i] != b.strides[i]) return false;
  }
  return true;
}

}  // namespace

computation_plan make_plan(const schema::request& request, const tensor_layout& input,
                           std::span<const std::int64_t> output_strides) {
  computation_plan plan{.computation = schema::resolve(request),
                        .input = {},
                        .output = {},
                        .input_range = {},
                        .output_range = {},
                        .may_run_in_place = false,
                        .nest = {}};
  const schema::op_version& row = *plan.computation.row;
  const bool normalizes = plan.computation.finish == schema::finish_map::normalize;
  plan.input = complete(input, subject(row, fmt::format("the input '{}'", row.input_name)),
                        &plan.input_range);
  const std::size_t rank = plan.input.shape.size();
  const std::vector<bool> reduced = reduced_axes(plan.computation, request.options, rank);

  plan.output.type = plan.computation.output_type;
  plan.output.shape = output_shape(plan.computation, request.options, reduced, plan.input.shape);
  plan.output.strides.assign(output_strides.begin(), output_strides.end());
  const std::string output = subject(row, fmt::format("the output '{}'", row.output_name));
  plan.output = complete(plan.output, output, &plan.output_range);
  check_output_strides(plan.output, output);
  plan.may_run_in_place =
      normalizes && plan.output.type == plan.input.type && same_steps(plan.input, plan.output);

  std::vector<axis_loop> axes;
  for (std::size_t i = 0, out = 0; i < rank; ++i) {
    const bool in_output = !reduced[i] || keeps_reduced_axes(plan.computation, request.options);
    const std::int64_t out_stride =
        in_output && (normalizes || !reduced[i]) ? plan.output.strides[out] : 0;
    if (in_output) ++out;
    axes.push_back({{plan.input.shape[i], plan.input.strides[i], out_stride}, reduced[i]});
  }
  plan.nest = make_loop_nest(axes);
  return plan;
}

}  // namespace halfulp
