// SPDX-License-Identifier: Apache-2.0
#include "api/support/strided_memory.hpp"

#include <algorithm>
#include <numeric>

namespace oracle {

std::vector<std::int64_t> any_strides(dtype type, const std::vector<std::int64_t>& shape,
                                      bool repeats, random_source& random) {
  std::vector<std::size_t> order(shape.size());
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  if (!random.once_in(3)) random.shuffle(order);
  const bool plain = random.once_in(3);
  auto reach = static_cast<std::int64_t>(bytes_of(type));
  std::vector<std::int64_t> strides(shape.size());
  for (const std::size_t axis : order) {
    std::int64_t stride = reach;
    if (!plain && random.once_in(4)) stride *= random.between(1, 3);
    if (!plain && random.once_in(6)) stride += random.between(0, 9);
    if (!plain && random.once_in(4)) stride = -stride;
    if (repeats && random.once_in(8)) stride = 0;
    strides[axis] = stride;
    if (stride != 0) reach = std::abs(stride) * std::max<std::int64_t>(shape[axis], 1);
  }
  return strides;
}

strided_memory::strided_memory(const halfulp::tensor_layout& layout, std::size_t misalignment)
    : layout_(layout) {
  if (element_count(layout.shape) == 0) {
    bytes_.resize(misalignment);
    origin_ = misalignment;
    return;
  }
  std::int64_t below = 0, above = 0;
  for (std::size_t axis = 0; axis < layout.shape.size(); ++axis) {
    const std::int64_t last = (layout.shape[axis] - 1) * layout.strides[axis];
    (last < 0 ? below : above) += last;
  }
  origin_ = misalignment + static_cast<std::size_t>(-below);
  bytes_.resize(origin_ + static_cast<std::size_t>(above) + bytes_of(layout.type));
}

std::vector<std::size_t> strided_memory::offsets() const {
  std::vector<std::size_t> all;
  const std::size_t count = element_count(layout_.shape);
  for (std::size_t position = 0; position < count; ++position) {
    std::size_t rest = position;
    auto offset = static_cast<std::int64_t>(origin_);
    for (std::size_t axis = layout_.shape.size(); axis-- > 0;) {
      const auto extent = static_cast<std::size_t>(layout_.shape[axis]);
      offset += static_cast<std::int64_t>(rest % extent) * layout_.strides[axis];
      rest /= extent;
    }
    all.push_back(static_cast<std::size_t>(offset));
  }
  return all;
}

void strided_memory::write(const std::vector<bits>& elements) {
  const std::vector<std::size_t> at = offsets();
  for (std::size_t i = 0; i < at.size(); ++i) {
    store(layout_.type, elements[i], bytes_.data() + at[i]);
  }
}

std::vector<bits> strided_memory::read() const {
  std::vector<bits> elements;
  for (const std::size_t at : offsets()) {
    elements.push_back(load(layout_.type, bytes_.data() + at));
  }
  return elements;
}

std::vector<std::byte> strided_memory::bytes_without_elements(std::byte value) const {
  std::vector<std::byte> rest = bytes_;
  for (const std::size_t at : offsets()) {
    std::fill_n(rest.begin() + static_cast<std::ptrdiff_t>(at), bytes_of(layout_.type), value);
  }
  return rest;
}

}  // namespace oracle
