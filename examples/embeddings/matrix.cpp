// SPDX-License-Identifier: Apache-2.0
#include "matrix.hpp"

#include <fmt/ranges.h>

#include <cstdint>
#include <cstring>

#include "io/tensor_file.hpp"

float_matrix read_matrix(const std::string& where) {
  const halfulp::io::loaded_tensor file = halfulp::io::read_tensor(where);
  const auto& [type, shape, strides] = file.layout;
  if (type != halfulp::dtype::float32 || shape.size() != 2 || shape[0] == 0 || shape[1] == 0) {
    throw halfulp::error(halfulp::errc::invalid_argument,
                         fmt::format("{}: a {} tensor of shape ({}); needed are rows of float32",
                                     where, halfulp::name_of(type), fmt::join(shape, ",")));
  }
  float_matrix matrix{.rows = static_cast<std::size_t>(shape[0]),
                      .columns = static_cast<std::size_t>(shape[1]),
                      .elements = {}};
  matrix.elements.reserve(matrix.rows * matrix.columns);
  for (std::int64_t row = 0; row < shape[0]; ++row) {
    for (std::int64_t column = 0; column < shape[1]; ++column) {
      float element;
      std::memcpy(&element, file.data + row * strides[0] + column * strides[1], sizeof element);
      matrix.elements.push_back(element);
    }
  }
  return matrix;
}
