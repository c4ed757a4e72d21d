// Slices whose exact result is chosen first: on a rounding boundary, or as close to one as the
// elements can say.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "numerics/support/random_source.hpp"
#include "oracle/oracle.hpp"

namespace oracle {

// A reduction whose exact result is a midpoint between two outputs, or an output, or off by one
// unit: the smallest difference that the input type can express. For integer outputs the boundaries
// are the perfect squares. Empty where the boundary that was drawn is out of the inputs' reach.
std::optional<std::vector<bits>> reduction_at_boundary(const question& question,
                                                       random_source& random);

// The same for the quotient of one of the elements; the others make up the norm.
std::optional<std::vector<bits>> quotient_at_boundary(const question& question,
                                                      random_source& random);

// A quotient that is exactly a midpoint or a value: the norm divides one of the elements.
std::optional<std::vector<bits>> exact_quotient(const question& question, random_source& random);

// An eps with something to say about the norm of a slice without NaN and infinities: the doubles
// around the norm, half and twice of it, the ends of the range.
double eps_for(const question& question, const std::vector<bits>& slice, random_source& random);

// A slice and an eps above its norm, such that the quotients are ties where the types allow ties.
struct ties_by_eps {
  std::vector<bits> slice;
  double eps;
};
std::optional<ties_by_eps> quotients_by_eps(const question& question, random_source& random);

}  // namespace oracle
