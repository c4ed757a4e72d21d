// The tables of quotient.hpp for HALFULP_ELEMENT, the input type that the including file defines.
// Included once for each target. SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_QUOTIENT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_QUOTIENT_INL_HPP
#undef HALFULP_KERNELS_QUOTIENT_INL_HPP
#else
#define HALFULP_KERNELS_QUOTIENT_INL_HPP
#endif

#include <algorithm>
#include <cstring>

#include "kernels/prefetch-inl.hpp"
#include "kernels/quotient_step-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// Elements that are tested together, a multiple of every unit.
inline constexpr std::int64_t quotient_block = 64;

template <class Step, bool PerElement, bool Stream, class T, class Out>
HWY_INLINE bool divide_block(const T* x, Out* y, const reciprocals& r, std::int64_t i) {
  Step step;
  for (std::int64_t k = 0; k < quotient_block; k += static_cast<std::int64_t>(Step::unit)) {
    step.template divide<PerElement, Stream>(x, y, r, i + k);
  }
  return step.certain();
}

// Of elements i to last, one after the other.
template <bool PerElement, class T, class Out>
bool divide_rest(const T* x, Out* y, const reciprocals& r, std::int64_t i, std::int64_t last) {
  typename quotient_steps<T, Out>::template sure<single> step;
  for (; i < last; ++i) step.template divide<PerElement, false>(x, y, r, i);
  return step.certain();
}

template <bool PerElement, bool Stream, class T, class Out>
HWY_INLINE bool divide_all(const T* x, Out* y, std::int64_t n, const reciprocals& r,
                           std::ptrdiff_t prefetch_at) {
  using steps = quotient_steps<T, Out>;
  using quick = typename steps::quick;
  using sure = typename steps::template sure<wide>;
  bool certain = true;
  std::int64_t i = 0;
  for (; i + quotient_block <= n; i += quotient_block) {
    if (prefetch_at != 0) {
      prefetch_block<quotient_block* static_cast<std::ptrdiff_t>(sizeof(T))>(x + i, prefetch_at);
    }
    if (divide_block<quick, PerElement, Stream>(x, y, r, i)) continue;
    if constexpr (std::is_same_v<quick, sure>) {
      certain = false;
    } else {
      certain = divide_block<sure, PerElement, false>(x, y, r, i) && certain;
    }
  }
  if (i == n) return certain;
  constexpr auto unit = static_cast<std::int64_t>(quick::unit);
  if (n < unit) return divide_rest<PerElement>(x, y, r, i, n) && certain;
  // Vectors, the last of which begins where it ends with the last element.
  const std::int64_t first = i;
  quick step;
  for (; i + unit <= n; i += unit) step.template divide<PerElement, false>(x, y, r, i);
  if (i < n) step.template divide<PerElement, false>(x, y, r, n - unit);
  if (step.certain()) return certain;
  return divide_rest<PerElement>(x, y, r, std::min(first, n - unit), n) && certain;
}

template <bool PerElement, class T, class Out>
HWY_INLINE bool divide_aligned(const T* x, Out* y, std::int64_t n, const reciprocals& r,
                               const quotient_traffic& traffic) {
  constexpr std::uintptr_t alignment = hn::MaxLanes(wide()) * sizeof(double);
  const bool aligned = reinterpret_cast<std::uintptr_t>(y) % alignment == 0;
  if (traffic.stream && aligned) {
    return divide_all<PerElement, true>(x, y, n, r, traffic.prefetch);
  }
  return divide_all<PerElement, false>(x, y, n, r, traffic.prefetch);
}

template <bool PerElement, class T, class Out>
bool divide(const T* x, Out* y, std::int64_t n, const reciprocals& r,
            const quotient_traffic& traffic) {
  if constexpr (!PerElement) {
    // As local variables, which what is stored to y cannot change: they stay in registers.
    const double a = *r.a, b = *r.b;
    const float h = *r.h, low = *r.low, high = *r.high;
    return divide_aligned<false>(x, y, n, {&a, &b, &h, &low, &high, r.error}, traffic);
  } else {
    return divide_aligned<true>(x, y, n, r, traffic);
  }
}
template <class T, class Out>
const quotient_kernels<T, Out>* quotient_kernels_here() {
  static constexpr quotient_kernels<T, Out> kernels = {divide<false, T, Out>, divide<true, T, Out>};
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
