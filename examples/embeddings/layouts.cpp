// SPDX-License-Identifier: Apache-2.0
#include "layouts.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "halfulp/halfulp.hpp"

namespace {

constexpr std::int64_t element_bytes = sizeof(float);

row_norms by_halfulp(const halfulp::const_view& rows) {
  const halfulp::tensor norms =
      halfulp::reduce_l2(rows, {.axes = std::vector<std::int64_t>{-1}, .keepdims = 0});
  const halfulp::tensor unit = halfulp::lp_normalization(rows, {.axis = -1, .p = 2});
  return {{norms.elements<float>().begin(), norms.elements<float>().end()},
          {unit.elements<float>().begin(), unit.elements<float>().end()}};
}

// `first` is the address of the first row's first element; the strides are in bytes.
halfulp::const_view strided(const float_matrix& matrix, const void* first, std::int64_t row_stride,
                            std::int64_t column_stride) {
  return {first, {halfulp::dtype::float32, matrix.shape(), {row_stride, column_stride}}};
}

}  // namespace

row_norms halfulp_as_stored(const float_matrix& matrix) { return by_halfulp(matrix.view()); }

row_norms halfulp_right_to_left(const float_matrix& matrix) {
  const std::int64_t row_bytes = matrix.shape()[1] * element_bytes;
  row_norms result = by_halfulp(strided(matrix, &matrix.row(0).back(), row_bytes, -element_bytes));
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    std::ranges::reverse(std::span(result.unit).subspan(row * matrix.columns, matrix.columns));
  }
  return result;
}

row_norms halfulp_columns_first(const float_matrix& matrix) {
  std::vector<float> transposed;
  for (std::size_t column = 0; column < matrix.columns; ++column) {
    for (std::size_t row = 0; row < matrix.rows; ++row) {
      transposed.push_back(matrix.row(row)[column]);
    }
  }
  const std::int64_t column_bytes = matrix.shape()[0] * element_bytes;
  return by_halfulp(strided(matrix, transposed.data(), element_bytes, column_bytes));
}

row_norms halfulp_unaligned(const float_matrix& matrix) {
  std::vector<std::byte> bytes;
  for (std::size_t row = 0; row < matrix.rows; ++row) {
    bytes.push_back({});
    const auto elements = std::as_bytes(matrix.row(row));
    bytes.insert(bytes.end(), elements.begin(), elements.end());
  }
  const std::int64_t row_bytes = matrix.shape()[1] * element_bytes;
  return by_halfulp(strided(matrix, &bytes[1], row_bytes + 1, element_bytes));
}
