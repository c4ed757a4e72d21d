// The table of sum.hpp for HALFULP_ELEMENT, the element type that the including file defines.
// Included once for each target. SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_SUM_KERNELS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_SUM_KERNELS_INL_HPP
#undef HALFULP_KERNELS_SUM_KERNELS_INL_HPP
#else
#define HALFULP_KERNELS_SUM_KERNELS_INL_HPP
#endif

#include "kernels/column_sum-inl.hpp"
#include "kernels/extract-inl.hpp"
#include "kernels/row_sum-inl.hpp"
#include "kernels/scale-inl.hpp"
#include "kernels/smallest-inl.hpp"
#include "kernels/two_terms-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

template <class T, power P, precision Q>
constexpr void set_kernels(sum_kernels<T>& kernels) {
  kernels.rows.at(P, Q) = sum_rows<T, P, Q>;
  kernels.columns.at(P, Q) = sum_columns<T, P, Q>;
  kernels.row_depth.at(P, Q) = row_depth<T, P, Q>;
}

template <class T, class F>
constexpr extraction_kernels<T, F> make_extraction_kernels() {
  return {{extract_row<F, T, power::abs>, extract_row<F, T, power::square>},
          {extract_columns<F, T, power::abs>, extract_columns<F, T, power::square>}};
}

template <class T>
constexpr sum_kernels<T> make_sum_kernels() {
  sum_kernels<T> kernels{};
  if constexpr (sizeof(T) == 2) {
    set_kernels<T, power::abs, precision::runs>(kernels);
    set_kernels<T, power::square, precision::runs>(kernels);
  }
  if constexpr (sizeof(T) < 8) {
    set_kernels<T, power::abs, precision::plain>(kernels);
    set_kernels<T, power::square, precision::plain>(kernels);
  }
  set_kernels<T, power::abs, precision::pair>(kernels);
  set_kernels<T, power::square, precision::pair>(kernels);
  if constexpr (!std::is_same_v<T, float16> || converts_float16) {
    kernels.add_rows = add_two_rows_to<T>;
    kernels.add_neighbours = add_neighbours_to<T>;
  }
  kernels.smallest = smallest_magnitude<T>;
  if constexpr (std::is_same_v<T, double>) kernels.scale = scale_elements<T>;
  kernels.fused = HWY_NATIVE_FMA != 0;
  kernels.extraction = make_extraction_kernels<T, double>();
  if constexpr (sizeof(T) == 2) kernels.extraction_in_floats = make_extraction_kernels<T, float>();
  return kernels;
}

static const sum_kernels<HALFULP_ELEMENT>* sum_kernels_here() {
  static constexpr sum_kernels<HALFULP_ELEMENT> kernels = make_sum_kernels<HALFULP_ELEMENT>();
  return &kernels;
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfulp::kernels {

HWY_EXPORT(sum_kernels_here);

template <>
const sum_kernels<HALFULP_ELEMENT>& sum_kernels_of<HALFULP_ELEMENT>() noexcept {
  return *HWY_DYNAMIC_DISPATCH(sum_kernels_here)();
}

}  // namespace halfulp::kernels
#endif  // HWY_ONCE

#endif
