// A float32 matrix out of a tensor file: one embedding a row.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "halfulp/halfulp.hpp"

struct float_matrix {
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::vector<float> elements;  // C order

  std::span<const float> row(std::size_t index) const {
    return std::span(elements).subspan(index * columns, columns);
  }
  std::vector<std::int64_t> shape() const {
    return {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)};
  }
  halfulp::const_view view() const { return halfulp::view_of<float>(elements, shape()); }
};

// Throws halfulp::error if `where` (FILE.npy, FILE.safetensors:NAME, ...) cannot be read or is not
// a float32 tensor with at least one row and one column.
float_matrix read_matrix(const std::string& where);
