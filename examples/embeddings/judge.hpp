// Judges row norms and normalised rows in float32 by a float64 computation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "matrix.hpp"

// What some way of computing gave.
struct row_norms {
  std::vector<float> norms;
  std::vector<float> unit;  // the rows divided by their norms, in C order
};

struct verdict {
  std::size_t right_norms = 0;     // correctly rounded: off by at most half an ulp
  std::size_t right_elements = 0;  // of the normalised rows
  double worst_norm = 0;           // the largest error of a norm, in ulps
};

// The errors are measured against float64, whose own error is at most judge_error.
verdict judge(const row_norms& computed, const float_matrix& matrix);

// In ulps of float32; far below the half that decides.
double judge_error(const float_matrix& matrix);
