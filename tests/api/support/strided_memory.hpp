// Tensors laid out in memory in every way that a layout can say.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "numerics/support/random_source.hpp"
#include "oracle/tensor_reference.hpp"

namespace oracle {

// Strides for a shape: the axes in any order, forwards or backwards, with gaps, and off the
// alignment of the elements. `repeats` allows zero strides too.
std::vector<std::int64_t> any_strides(dtype type, const std::vector<std::int64_t>& shape,
                                      bool repeats, random_source& random);

// The bytes that a layout spans and not one more, so that a sanitizer sees a step outside.
class strided_memory {
 public:
  // `misalignment` bytes come before the first element.
  strided_memory(const halfulp::tensor_layout& layout, std::size_t misalignment);

  // Where the element with all indices zero is.
  std::byte* origin() { return bytes_.data() + origin_; }

  // In C order. Where strides make elements share memory the last one written stays.
  void write(const std::vector<bits>& elements);
  std::vector<bits> read() const;

  const std::vector<std::byte>& bytes() const { return bytes_; }
  void fill(std::byte value) { bytes_.assign(bytes_.size(), value); }
  // The same bytes with those of the elements replaced by `value`.
  std::vector<std::byte> bytes_without_elements(std::byte value) const;

 private:
  // The byte offset of each element, in C order.
  std::vector<std::size_t> offsets() const;

  halfulp::tensor_layout layout_;
  std::vector<std::byte> bytes_;
  std::size_t origin_ = 0;
};

}  // namespace oracle
