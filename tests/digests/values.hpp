// The families of data that norms are taken of, from the ordinary to the hardest.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "digests/encoding.hpp"
#include "halfulp/types.hpp"

namespace digests {

// What is computed, as far as hard data depend on it.
enum class measure : std::uint8_t { sum, sum_of_squares, root_of_squares };

struct data_request {
  encoding input;
  encoding output;
  measure computed;
  std::uint64_t seed;
};

// Where an element is: slices are numbered, and the elements of each.
struct data_place {
  std::uint64_t slice;
  std::uint64_t position;
};

struct data_family {
  std::string_view name;
  // The bits of an element, in the lowest bits of the result.
  std::uint64_t (*element)(const data_request& request, const data_place& place);
};

std::span<const data_family> families_of(halfulp::dtype type);

}  // namespace digests
