// Slices as the kernels of sums take them, and their exact sums.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "accum/exact_sum.hpp"
#include "kernels/sum.hpp"
#include "unit/support/float128.hpp"

namespace halfulp {

// Where slices lie in an array: element i of slice j at j * slice_step + i * element_step.
struct layout {
  std::int64_t slices, length, slice_step, element_step;

  std::size_t size() const {
    return static_cast<std::size_t>((slices - 1) * slice_step + (length - 1) * element_step + 1);
  }
  bool in_rows() const { return element_step == 1; }
};

inline layout rows(std::int64_t count, std::int64_t length, std::int64_t step) {
  return {count, length, step, 1};
}
inline layout columns(std::int64_t width, std::int64_t length, std::int64_t step) {
  return {width, length, 1, step};
}

template <typename T, power P>
std::vector<float128> exact_sums(const layout& l, const T* x) {
  std::vector<float128> sums;
  for (std::int64_t j = 0; j < l.slices; ++j) {
    exact_sum<T, P> sum;
    sum.add(reinterpret_cast<const std::byte*>(x + j * l.slice_step), l.length,
            l.element_step * static_cast<std::int64_t>(sizeof(T)));
    sums.push_back(to_float128(sum.value()));
  }
  return sums;
}

// The precisions that the kernels have.
template <typename T>
std::vector<kernels::precision> precisions() {
  using kernels::precision;
  std::vector<precision> all;
  for (const precision q : {precision::runs, precision::plain, precision::pair}) {
    if (kernels::sum_kernels_of<T>().rows.at(power::abs, q) != nullptr) all.push_back(q);
  }
  return all;
}

}  // namespace halfulp
