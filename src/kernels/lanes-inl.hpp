// What the kernels share on one target: elements as vectors of doubles and floats, sums of vectors
// with and without their rounding errors. Included once for each target.
// SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_LANES_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_LANES_INL_HPP
#undef HALFULP_KERNELS_LANES_INL_HPP
#else
#define HALFULP_KERNELS_LANES_INL_HPP
#endif

#include <hwy/highway.h>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "accum/power.hpp"
#include "base/float_format.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Doubles as many as a vector holds, and one: for what is left over.
using wide = hn::ScalableTag<double>;
using single = hn::CappedTag<double, 1>;

// Whether vectors can be stored around the caches.
template <class Out>
HWY_INLINE bool is_aligned(const Out* y) {
  constexpr std::uintptr_t alignment = hn::MaxLanes(wide()) * sizeof(double);
  return reinterpret_cast<std::uintptr_t>(y) % alignment == 0;
}

// With Stream around the caches, where `to` is aligned for that. Highway streams 16 bytes at least,
// also of a vector that has fewer.
template <bool Stream, class D, class F>
HWY_INLINE void store(D d, hn::Vec<D> v, F* to) {
  if constexpr (Stream && hn::MaxLanes(D()) * sizeof(F) >= 16) {
    hn::Stream(v, d, to);
  } else {
    hn::StoreU(v, d, to);
  }
}

// ---- elements as floats, exactly ----

// A vector of the bits of as many elements as DF has lanes.
template <class DF>
using half_bits = hn::Vec<hn::Rebind<std::uint16_t, DF>>;

template <class T, class DF>
  requires std::same_as<T, bfloat16>
HWY_INLINE hn::Vec<DF> to_floats(DF df, half_bits<DF> bits) {
  const hn::RebindToUnsigned<DF> du;
  return hn::BitCast(df, hn::ShiftLeft<16>(hn::PromoteTo(du, bits)));
}

// Whether PromoteTo takes float16 by an instruction. What Highway does elsewhere leaves infinity
// and NaN out.
#if HWY_ARCH_ARM_A64 || (HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2)
inline constexpr bool converts_float16 = true;
#else
inline constexpr bool converts_float16 = false;
#endif

template <class T, class DF>
  requires std::same_as<T, float16>
HWY_INLINE hn::Vec<DF> to_floats(DF df, half_bits<DF> half) {
  if constexpr (converts_float16) {
    return hn::PromoteTo(df, hn::BitCast(hn::Rebind<hwy::float16_t, DF>(), half));
  } else {
    // The exponent field moves by the difference of the biases, 112; subnormals follow, because the
    // product is exact. The all-ones field would land at 2^16 and above.
    const hn::RebindToUnsigned<DF> du;
    const auto bits = hn::PromoteTo(du, half);
    const auto magnitude = hn::ShiftLeft<13>(hn::And(bits, hn::Set(du, 0x7fff)));
    const auto value = hn::Mul(hn::BitCast(df, magnitude), hn::Set(df, 0x1p112f));
    const auto top = hn::BitCast(df, hn::Set(du, float_format<float>::infinity));
    const auto sign = hn::BitCast(df, hn::ShiftLeft<16>(hn::And(bits, hn::Set(du, 0x8000))));
    return hn::Or(hn::IfThenElse(hn::Lt(value, hn::Set(df, 65536.0f)), value, top), sign);
  }
}

template <class DF, class T>
HWY_INLINE hn::Vec<DF> float_values(DF df, const T* x) {
  if constexpr (std::same_as<T, float>) {
    return hn::LoadU(df, x);
  } else {
    const hn::Rebind<std::uint16_t, DF> d16;
    return to_floats<T>(df, hn::LoadU(d16, reinterpret_cast<const std::uint16_t*>(x)));
  }
}

#if HWY_TARGET != HWY_SCALAR
// Two vectors of bfloat16 elements, those with even and those with odd indices: cheaper than one
// after the other where the order does not matter.
template <class DF>
HWY_INLINE hn::Vec<DF> even_values(DF df, hn::Vec<hn::RebindToUnsigned<DF>> pairs) {
  return hn::BitCast(df, hn::ShiftLeft<16>(pairs));
}
template <class DF>
HWY_INLINE hn::Vec<DF> odd_values(DF df, hn::Vec<hn::RebindToUnsigned<DF>> pairs) {
  return hn::BitCast(df, hn::And(pairs, hn::Set(hn::RebindToUnsigned<DF>(), 0xffff0000)));
}
template <class DF>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<DF>> load_pairs(DF, const bfloat16* x) {
  const hn::Repartition<std::uint16_t, DF> d16;
  return hn::BitCast(hn::RebindToUnsigned<DF>(),
                     hn::LoadU(d16, reinterpret_cast<const std::uint16_t*>(x)));
}
#endif

// ---- elements in D's type, exactly ----

template <class D, class T>
HWY_INLINE hn::Vec<D> values(D d, const T* x) {
  if constexpr (std::same_as<hn::TFromD<D>, float>) {
    return float_values(d, x);
  } else if constexpr (std::same_as<T, double>) {
    return hn::LoadU(d, x);
  } else {
    return hn::PromoteTo(d, float_values(hn::Rebind<float, D>(), x));
  }
}

template <class D, class T>
HWY_INLINE hn::Vec<D> magnitudes(D d, const T* x) {
  if constexpr (std::same_as<hn::TFromD<D>, float> || std::same_as<T, double>) {
    return hn::Abs(values(d, x));
  } else {
    return hn::PromoteTo(d, hn::Abs(float_values(hn::Rebind<float, D>(), x)));
  }
}

// ---- sums ----

// An unevaluated sum of two vectors. Its constructors are written out, since those that the
// compiler makes are not compiled for the target.
template <class D>
struct pair {
  hn::Vec<D> hi, lo;

  HWY_INLINE pair() {}  // NOLINT(modernize-use-equals-default)
  HWY_INLINE pair(hn::Vec<D> h, hn::Vec<D> l) : hi(h), lo(l) {}
};

// Two vectors of what belongs to slices of even and of odd index.
template <class D>
struct even_odd {
  hn::Vec<D> even, odd;
};

// Knuth's TwoSum: hi = RN(a + b), hi + lo = a + b.
template <class D, class V>
HWY_INLINE pair<D> two_sum(D, V a, V b) {
  const V s = hn::Add(a, b);
  const V t = hn::Sub(s, a);
  return {s, hn::Add(hn::Sub(a, hn::Sub(s, t)), hn::Sub(b, t))};
}

// hi = RN(a b), hi + lo = a b where nothing underflows: by fma, or by Dekker's split.
template <class D, class V>
HWY_INLINE pair<D> two_product(D d, V a, V b) {
  const V p = hn::Mul(a, b);
#if HWY_NATIVE_FMA
  (void)d;
  return {p, hn::MulSub(a, b, p)};
#else
  const V splitter = hn::Set(d, 0x1.0000002p27);
  const V ca = hn::Mul(splitter, a), cb = hn::Mul(splitter, b);
  const V ah = hn::Sub(ca, hn::Sub(ca, a)), bh = hn::Sub(cb, hn::Sub(cb, b));
  const V al = hn::Sub(a, ah), bl = hn::Sub(b, bh);
  const V e = hn::Add(hn::Add(hn::Sub(hn::Mul(ah, bh), p), hn::Mul(ah, bl)), hn::Mul(al, bh));
  return {p, hn::Add(e, hn::Mul(al, bl))};
#endif
}

// a + b, lane by lane, of doubles, integers or pairs.
template <class D, class V>
HWY_INLINE V combine(D, V a, V b) {
  return hn::Add(a, b);
}
template <class D>
HWY_INLINE pair<D> combine(D d, pair<D> a, pair<D> b) {
  const pair<D> s = two_sum(d, a.hi, b.hi);
  return {s.hi, hn::Add(hn::Add(a.lo, b.lo), s.lo)};
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
