// Counts how many norms of the rows of a matrix, and how many elements of the normalised rows, are
// correctly rounded: by plain float32 arithmetic, which depends on the order of the sum, and by
// halfulp, which depends on the numbers alone.
// SPDX-License-Identifier: Apache-2.0
//
//     summation_orders EMBEDDINGS
//
// EMBEDDINGS is a tensor file with float32 rows.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <exception>
#include <span>
#include <string_view>
#include <vector>

#include "judge.hpp"
#include "layouts.hpp"
#include "matrix.hpp"

namespace {

// Sums of squares in the orders of a loop, the same loop reversed, a vectorised loop, and divide
// and conquer.
float left_to_right(std::span<const float> row) {
  float sum = 0;
  for (const float x : row) sum += x * x;
  return sum;
}

float right_to_left(std::span<const float> row) {
  float sum = 0;
  for (std::size_t i = row.size(); i-- > 0;) sum += row[i] * row[i];
  return sum;
}

float eight_lanes(std::span<const float> row) {
  std::array<float, 8> lane = {};
  for (std::size_t i = 0; i < row.size(); ++i) lane[i % 8] += row[i] * row[i];
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

float pairwise(std::span<const float> row) {
  if (row.size() < 2) return left_to_right(row);
  const std::size_t half = row.size() / 2;
  return pairwise(row.first(half)) + pairwise(row.subspan(half));
}

row_norms plain_float32(const float_matrix& matrix, float (*sum_squares)(std::span<const float>)) {
  row_norms result;
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    const float norm = std::sqrt(sum_squares(matrix.row(row)));
    result.norms.push_back(norm);
    for (const float x : matrix.row(row)) result.unit.push_back(x / norm);
  }
  return result;
}

struct method {
  std::string_view name;
  row_norms result;
};

void print(std::span<const method> methods, const float_matrix& matrix) {
  for (const auto& [name, result] : methods) {
    const verdict verdict = judge(result, matrix);
    fmt::print("{:<26}{:>5} of {:<8}{:>6.2f} ulp{:>13} of {}\n", name, verdict.right_norms,
               matrix.rows, verdict.worst_norm, verdict.right_elements, matrix.elements.size());
  }
}

// How many rows have the same norm and the same normalised elements, bit for bit, in all results.
std::size_t agreements(std::span<const method> methods, const float_matrix& matrix) {
  const auto same = [](std::span<const float> a, std::span<const float> b) {
    return std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
  };
  const auto& [first_norms, first_unit] = methods[0].result;
  std::size_t count = 0;
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    const std::size_t start = row * matrix.columns;
    const auto agrees = [&](const method& other) {
      const auto& [norms, unit] = other.result;
      return same(std::span(norms).subspan(row, 1), std::span(first_norms).subspan(row, 1)) &&
             same(std::span(unit).subspan(start, matrix.columns),
                  std::span(first_unit).subspan(start, matrix.columns));
    };
    if (std::ranges::all_of(methods, agrees)) ++count;
  }
  return count;
}

void compare(const float_matrix& matrix) {
  const std::array plain = {
      method{"float32, left to right", plain_float32(matrix, left_to_right)},
      method{"float32, right to left", plain_float32(matrix, right_to_left)},
      method{"float32, 8 lanes (SIMD)", plain_float32(matrix, eight_lanes)},
      method{"float32, pairwise", plain_float32(matrix, pairwise)},
  };
  const std::array exact = {
      method{"halfulp, as stored", halfulp_as_stored(matrix)},
      method{"halfulp, right to left", halfulp_right_to_left(matrix)},
      method{"halfulp, columns first", halfulp_columns_first(matrix)},
      method{"halfulp, unaligned", halfulp_unaligned(matrix)},
  };
  fmt::print("{:<28}{:<16}{:<18}{}\n", "", "norms right", "worst norm", "elements right");
  print(plain, matrix);
  print(exact, matrix);
  fmt::print("all four the same, bit for bit: float32 on {} of {} rows, halfulp on {}\n",
             agreements(plain, matrix), matrix.rows, agreements(exact, matrix));
  fmt::print(
      "(right: off by at most 0.5 ulp, measured in float64, itself off by less than {:.7f} ulp)\n",
      judge_error(matrix));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: summation_orders EMBEDDINGS\n", stderr);
    return 2;
  }
  try {
    compare(read_matrix(argv[1]));
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "summation_orders: error: %s\n", failure.what());
    return 1;
  }
  return 0;
}
