// What the operators must give, from definitions alone. Shares no code with the library under test.
// SPDX-License-Identifier: Apache-2.0
//
// Two oracles answer the same questions on different principles:
//   by_mpfr      computes the exact sum in MPFR and lets MPFR's correctly rounded functions do the
//                rest, at a precision that grows until the answer is certain
//   by_midpoints looks for the value whose midpoints to its neighbours enclose the exact result,
//                comparing integers: no root and no quotient is ever computed
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "oracle/format.hpp"

namespace oracle {

enum class operation { l1, l2, sum_square, normalize };

// One slice's operation. p and eps are those of `normalize`.
struct question {
  operation op;
  dtype input;
  dtype output;
  int p = 2;
  double eps = 0;

  bool sums_squares() const {
    return op == operation::l2 || op == operation::sum_square ||
           (op == operation::normalize && p == 2);
  }
};

std::string text_of(const question& question);

// The one output of a reduction of `slice`, or, for `normalize`, an output for each element.
std::vector<bits> by_mpfr(const question& question, std::span<const bits> slice);
std::vector<bits> by_midpoints(const question& question, std::span<const bits> slice);

// The same, quicker: each search starts at a value that is probably right. That it is right still
// takes two midpoints, and where it is not the search goes on, so hints have no influence.
std::vector<bits> by_midpoints(const question& question, std::span<const bits> slice,
                               std::span<const bits> hints);

// Both of them. Throws std::logic_error where they differ.
std::vector<bits> answer(const question& question, std::span<const bits> slice);

// The answers that need no arithmetic: NaN and infinities, empty slices, zero norms. Empty where
// arithmetic is needed.
std::vector<bits> without_arithmetic(const question& question, std::span<const bits> slice);

}  // namespace oracle
