// The norms of the rows of one matrix and the normalised rows, by halfulp, with the matrix held in
// memory in several ways. Right results are the same for all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "judge.hpp"
#include "matrix.hpp"

// Row after row.
row_norms halfulp_as_stored(const float_matrix& matrix);

// The same memory through a view that starts at the last column and goes back.
row_norms halfulp_right_to_left(const float_matrix& matrix);

// A copy in which the elements of a column are neighbours.
row_norms halfulp_columns_first(const float_matrix& matrix);

// A copy in which each row starts one byte after the end of the one before, aligned to nothing.
row_norms halfulp_unaligned(const float_matrix& matrix);
