// The checks that every format makes of what its header says.
// SPDX-License-Identifier: Apache-2.0
//
// `label` starts the message: a file's name, or that and the name of a tensor in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "io/tensor_file.hpp"

namespace halfulp::io {

// numpy's limit. More axes are of no use, and each costs time and memory.
inline constexpr std::size_t max_rank = 64;

// Elements times `item_size`. Throws error(invalid_file) for a negative extent, too many axes, or a
// size that overflows.
std::size_t checked_bytes(std::string_view label, std::span<const std::int64_t> shape,
                          std::size_t item_size);

// Throws error(invalid_file) if a type was declared and the file says another.
void check_declared(std::string_view label, const tensor_info& info, std::optional<dtype> declared);

// The tensor's type. Throws error(invalid_file) if it is none of ours.
dtype supported_type(std::string_view label, const tensor_info& info);

}  // namespace halfulp::io
