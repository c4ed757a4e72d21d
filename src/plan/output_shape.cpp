// SPDX-License-Identifier: Apache-2.0
#include "plan/output_shape.hpp"

#include <cstdint>
#include <string_view>

#include "base/error.hpp"

namespace halfulp {

namespace {

// The index of a possibly negative axis.
std::size_t resolve_axis(const schema::op_version& row, std::string_view attribute,
                         std::int64_t axis, std::size_t rank) {
  const auto signed_rank = static_cast<std::int64_t>(rank);
  if (axis >= -signed_rank && axis < signed_rank) {
    return static_cast<std::size_t>(axis < 0 ? axis + signed_rank : axis);
  }
  if (rank == 0) {
    fail(errc::invalid_argument, "{}: {} {} is out of range: an input of rank 0 has no axes",
         schema::name_of(row), attribute, axis);
  }
  fail(errc::invalid_argument, "{}: {} {} is out of range (allowed: {} to {} for rank {})",
       schema::name_of(row), attribute, axis, -signed_rank, signed_rank - 1, rank);
}

}  // namespace

std::vector<bool> reduced_axes(const schema::computation& computation, const options& options,
                               std::size_t rank) {
  const schema::op_version& row = *computation.row;
  std::vector<bool> reduced(rank, false);
  if (computation.finish == schema::finish_map::normalize) {
    reduced[resolve_axis(row, "axis", options.axis, rank)] = true;
    return reduced;
  }
  if (!options.axes || options.axes->empty()) {
    reduced.assign(rank, options.noop_with_empty_axes == 0);
    return reduced;
  }
  std::vector<std::int64_t> given_as(rank);
  for (const std::int64_t axis : *options.axes) {
    const std::size_t index = resolve_axis(row, "axes: axis", axis, rank);
    if (reduced[index]) {
      fail(errc::invalid_argument, "{}: axes name axis {} twice (as {} and as {})",
           schema::name_of(row), index, given_as[index], axis);
    }
    reduced[index] = true;
    given_as[index] = axis;
  }
  return reduced;
}

}  // namespace halfulp
