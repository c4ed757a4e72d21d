// Elements in memory that need not be aligned.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>

#include "base/float_format.hpp"

namespace halfulp {

template <element T>
T load(const std::byte* from) noexcept {
  T value;
  std::memcpy(&value, from, sizeof(T));
  return value;
}

template <element T>
void store(std::byte* to, T value) noexcept {
  std::memcpy(to, &value, sizeof(T));
}

}  // namespace halfulp
