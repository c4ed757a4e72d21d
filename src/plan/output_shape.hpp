// Which axes a computation reduces, and the shape that leaves.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "halfulp/halfulp.hpp"
#include "schema/table.hpp"

namespace halfulp {

// For each axis of an input of this rank, whether it is reduced, or normalised along. Throws
// error(invalid_argument) for an axis that is out of range or named twice.
std::vector<bool> reduced_axes(const schema::computation& computation, const options& options,
                               std::size_t rank);

// Whether the output has the reduced axes, too: with extent 1, or whole where they are normalised.
inline bool keeps_reduced_axes(const schema::computation& computation, const options& options) {
  return computation.finish == schema::finish_map::normalize || options.keepdims == 1;
}

// The extents of the output. An Extent is made from an integer, and may stand for one that is not
// known yet.
template <typename Extent>
std::vector<Extent> output_shape(const schema::computation& computation, const options& options,
                                 const std::vector<bool>& reduced,
                                 const std::vector<Extent>& input) {
  if (computation.finish == schema::finish_map::normalize) return input;
  std::vector<Extent> output;
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (!reduced[i]) {
      output.push_back(input[i]);
    } else if (options.keepdims == 1) {
      output.push_back(Extent{1});
    }
  }
  return output;
}

}  // namespace halfulp
