// The tables of quotient.hpp for HALFULP_ELEMENT, the input type that the including file defines.
// Included once for each target. SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_QUOTIENT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_QUOTIENT_INL_HPP
#undef HALFULP_KERNELS_QUOTIENT_INL_HPP
#else
#define HALFULP_KERNELS_QUOTIENT_INL_HPP
#endif

#include "kernels/divide_and_sum-inl.hpp"
#include "kernels/reciprocal-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

template <class T, class Out>
constexpr quotient_kernels<T, Out> make_quotient_kernels() {
  quotient_kernels<T, Out> kernels{};
  kernels.by_one = divide<false, T, Out>;
  kernels.by_each = divide<true, T, Out>;
  kernels.reciprocate = {reciprocate_all<Out, power::abs>, reciprocate_all<Out, power::square>};
#if HWY_NATIVE_FMA
  if constexpr (std::is_same_v<T, Out>) {
    kernels.divide_and_sum = {divide_and_sum<T, power::abs>, divide_and_sum<T, power::square>};
  }
#endif
  return kernels;
}

template <class T, class Out>
const quotient_kernels<T, Out>* quotient_kernels_here() {
  static constexpr quotient_kernels<T, Out> kernels = make_quotient_kernels<T, Out>();
  return &kernels;
}

// HWY_EXPORT takes functions, not templates.
#define HALFULP_QUOTIENTS_HERE(Out)                                                  \
  static const quotient_kernels<HALFULP_ELEMENT, Out>* quotient_kernels_of_##Out() { \
    return quotient_kernels_here<HALFULP_ELEMENT, Out>();                            \
  }
HALFULP_QUOTIENTS_HERE(bfloat16)
HALFULP_QUOTIENTS_HERE(float16)
HALFULP_QUOTIENTS_HERE(float)
HALFULP_QUOTIENTS_HERE(double)
#undef HALFULP_QUOTIENTS_HERE

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfulp::kernels {

#define HALFULP_EXPORT_QUOTIENTS(Out)                          \
  HWY_EXPORT(quotient_kernels_of_##Out);                       \
  template <>                                                  \
  const quotient_kernels<HALFULP_ELEMENT, Out>&                \
  quotient_kernels_of<HALFULP_ELEMENT, Out>() noexcept {       \
    return *HWY_DYNAMIC_DISPATCH(quotient_kernels_of_##Out)(); \
  }
HALFULP_EXPORT_QUOTIENTS(bfloat16)
HALFULP_EXPORT_QUOTIENTS(float16)
HALFULP_EXPORT_QUOTIENTS(float)
HALFULP_EXPORT_QUOTIENTS(double)
#undef HALFULP_EXPORT_QUOTIENTS

}  // namespace halfulp::kernels
#endif  // HWY_ONCE

#endif
