// Dividing elements by norms (quotient.hpp). Included once for each target.
// SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_DIVIDE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_DIVIDE_INL_HPP
#undef HALFULP_KERNELS_DIVIDE_INL_HPP
#else
#define HALFULP_KERNELS_DIVIDE_INL_HPP
#endif

#include "kernels/prefetch-inl.hpp"
#include "kernels/quotient_step-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// The first reciprocal as local variables, which what is stored to memory cannot change: they stay
// in registers.
class one_reciprocal {
 public:
  HWY_INLINE explicit one_reciprocal(const reciprocals& r)
      : a_(*r.a),
        b_(*r.b),
        h_(*r.h),
        low_(*r.low),
        high_(*r.high),
        error_(r.error),
        least_(r.least) {}
  HWY_INLINE reciprocals get() const { return {&a_, &b_, &h_, &low_, &high_, error_, least_}; }

 private:
  double a_, b_;
  float h_, low_, high_;
  double error_;
  float least_;
};

class each_reciprocal {
 public:
  HWY_INLINE explicit each_reciprocal(const reciprocals& r) : r_(r) {}
  HWY_INLINE const reciprocals& get() const { return r_; }

 private:
  reciprocals r_;
};

// What a step has to settle of elements i to last.
template <class Step, class T, class Out>
HWY_INLINE void settle_quotients(Step& step, const T* x, Out* y, const reciprocals& r,
                                 std::int64_t i, std::int64_t last) {
  if constexpr (requires { step.settle(x, y, r, i, last); }) step.settle(x, y, r, i, last);
}

// Elements i to last, less than a group, vector after vector, of which the last one ends with the
// last element.
template <class Step, bool Stream, class T, class Out>
HWY_INLINE void divide_last(Step& step, const T* x, Out* y, const reciprocals& r, std::int64_t i,
                            std::int64_t last) {
  constexpr auto unit = static_cast<std::int64_t>(Step::unit);
  for (; i + unit <= last; i += unit) {
    step.template divide<Stream>(x, y, r, i);
    settle_quotients(step, x, y, r, i, i + unit);
  }
  if (i == last) return;
  step.template divide<false>(x, y, r, last - unit);
  settle_quotients(step, x, y, r, last - unit, last);
}

// Elements i to last, a vector's at least.
template <class Step, bool PerElement, bool Stream, class T, class Out>
HWY_INLINE bool divide_vectors(const T* x, Out* y, const reciprocals& r, std::int64_t i,
                               std::int64_t last, std::ptrdiff_t prefetch_at) {
  constexpr auto unit = static_cast<std::int64_t>(Step::unit);
  constexpr std::int64_t group = 4 * unit;
  const std::conditional_t<PerElement, each_reciprocal, one_reciprocal> local(r);
  Step step(local.get());
  for (; i + group <= last; i += group) {
    if (prefetch_at != 0) {
      prefetch_block<group* static_cast<std::ptrdiff_t>(sizeof(T))>(x + i, prefetch_at);
    }
    for (std::int64_t k = i; k < i + group; k += unit)
      step.template divide<Stream>(x, y, local.get(), k);
    settle_quotients(step, x, y, local.get(), i, i + group);
  }
  divide_last<Step, Stream>(step, x, y, local.get(), i, last);
  return step.certain();
}

// The same one by one.
template <class Step, class T, class Out>
HWY_INLINE bool divide_singly(const T* x, Out* y, const reciprocals& r, std::int64_t i,
                              std::int64_t last) {
  Step step(r);
  for (; i < last; ++i) step.template divide<false>(x, y, r, i);
  return step.certain();
}

// What the quick test leaves open.
template <bool PerElement, class T, class Out>
HWY_NOINLINE bool divide_surely(const T* x, Out* y, const reciprocals& r, std::int64_t i,
                                std::int64_t last) {
  using steps = quotient_steps<T, Out, PerElement>;
  if (last - i < static_cast<std::int64_t>(steps::template sure<wide>::unit)) {
    return divide_singly<typename steps::template sure<single>>(x, y, r, i, last);
  }
  return divide_vectors<typename steps::template sure<wide>, PerElement, false>(x, y, r, i, last,
                                                                                0);
}

template <bool PerElement, bool Stream, class T, class Out>
HWY_INLINE bool divide_all(const T* x, Out* y, std::int64_t n, const reciprocals& r,
                           std::ptrdiff_t prefetch_at) {
  using steps = quotient_steps<T, Out, PerElement>;
  using quick = typename steps::quick;
  constexpr auto unit = static_cast<std::int64_t>(quick::unit);
  bool certain = true;
  for (std::int64_t i = 0; i < n;) {
    // What would be left over after this block and be less than a vector belongs to it.
    const std::int64_t last = n - i < quick::block + unit ? n : i + quick::block;
    const bool is_vector = last - i >= unit;
    if (!is_vector || !divide_vectors<quick, PerElement, Stream>(x, y, r, i, last, prefetch_at)) {
      // Where there is no quicker test, another one would find the same.
      constexpr bool same = std::is_same_v<quick, typename steps::template sure<wide>>;
      certain = !(same && is_vector) && divide_surely<PerElement>(x, y, r, i, last) && certain;
    }
    i = last;
  }
  return certain;
}

template <bool PerElement, class T, class Out>
bool divide(const T* x, Out* y, std::int64_t n, const reciprocals& r,
            const quotient_traffic& traffic) {
  if (traffic.stream && is_aligned(y)) {
    return divide_all<PerElement, true>(x, y, n, r, traffic.prefetch);
  }
  return divide_all<PerElement, false>(x, y, n, r, traffic.prefetch);
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
