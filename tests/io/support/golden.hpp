// The elements of the files in tests/data/io, whose maker has them too.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "halfulp/types.hpp"
#include "io/support/files.hpp"

namespace halfulp::io::test {

inline const std::vector<dtype> all_types = {dtype::bfloat16, dtype::float16, dtype::float32,
                                             dtype::float64,  dtype::int32,   dtype::int64,
                                             dtype::uint32,   dtype::uint64};

inline const std::vector<std::int64_t> golden_shape = {2, 3};

template <typename T>
std::vector<T> golden_integers() {
  const T low = std::numeric_limits<T>::min();
  const T high = std::numeric_limits<T>::max();
  return {1, 2, low, high, static_cast<T>(high - 1), 0};
}

// In C order.
inline std::string golden_elements(dtype type) {
  const std::vector<double> values = {
      1.5, -2.25, 0.0, -0.0, std::numeric_limits<double>::infinity(), 96};
  switch (type) {
    case dtype::bfloat16:
      return bytes_of<std::uint16_t>({0x3fc0, 0xc010, 0x0000, 0x8000, 0x7f80, 0x42c0});
    case dtype::float16:
      return bytes_of<std::uint16_t>({0x3e00, 0xc080, 0x0000, 0x8000, 0x7c00, 0x5600});
    case dtype::float32:
      return bytes_of(std::vector<float>(values.begin(), values.end()));
    case dtype::float64:
      return bytes_of(values);
    case dtype::int32:
      return bytes_of(golden_integers<std::int32_t>());
    case dtype::int64:
      return bytes_of(golden_integers<std::int64_t>());
    case dtype::uint32:
      return bytes_of(golden_integers<std::uint32_t>());
    case dtype::uint64:
      return bytes_of(golden_integers<std::uint64_t>());
  }
  return {};
}

}  // namespace halfulp::io::test
