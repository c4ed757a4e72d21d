// Shapes and strides, checked for overflow.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "halfulp/types.hpp"

namespace halfulp {

// The product of the extents. Empty if an extent is negative, or if elements times `item_size`
// exceeds the largest int64, which no memory can hold. A zero extent gives 0 whatever the others
// are, as long as they are not negative.
std::optional<std::size_t> element_count(std::span<const std::int64_t> shape,
                                         std::size_t item_size) noexcept;

// Byte strides of C order (the last axis is contiguous) and of Fortran order (the first is). The
// shape must have passed element_count.
std::vector<std::int64_t> c_strides(std::span<const std::int64_t> shape, std::size_t item_size);
std::vector<std::int64_t> fortran_strides(std::span<const std::int64_t> shape,
                                          std::size_t item_size);

// "(2,3)", "(5,)" and "()", as Python writes a tuple, without spaces.
std::string format_shape(std::span<const std::int64_t> shape);

}  // namespace halfulp
