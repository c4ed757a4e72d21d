// A vector of quotients, by the types of its elements. Included once for each target.
// SPDX-License-Identifier: Apache-2.0
//
// A step divides `unit` elements at x and stores them at y. Its verdict is negative where a
// rounding is not certain; verdicts are combined by minimum. docs/numerics.md, "The quotients", has
// the proofs.

#if defined(HALFULP_KERNELS_QUOTIENT_STEP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_QUOTIENT_STEP_INL_HPP
#undef HALFULP_KERNELS_QUOTIENT_STEP_INL_HPP
#else
#define HALFULP_KERNELS_QUOTIENT_STEP_INL_HPP
#endif

#include "accum/certificate.hpp"
#include "kernels/encode-inl.hpp"
#include "kernels/quotient.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// The i-th reciprocals, or the first for all.
template <bool PerElement, class D, class F>
HWY_INLINE hn::Vec<D> reciprocal_at(D d, const F* r, std::int64_t i) {
  return PerElement ? hn::LoadU(d, r + i) : hn::Set(d, *r);
}

template <bool Stream, class D, class F>
HWY_INLINE void store_quotients(D d, hn::Vec<D> v, F* to) {
  if constexpr (Stream) {
    hn::Stream(v, d, to);
  } else {
    hn::StoreU(v, d, to);
  }
}

// 0 or more where a == b, else -1.
template <class D>
HWY_INLINE hn::Vec<D> verdict_of(D d, hn::Mask<D> certain) {
  return hn::IfThenElse(certain, hn::Zero(d), hn::Set(d, -1.0));
}

// Any types, the output narrower than double: |x| a <= |x| / N <= |x| b even after the rounding of
// the products, because a and b have room for it; if both ends round alike, so does the quotient. A
// product below double's normal range is below half of the smallest Out.
template <class D, class T, class Out>
struct interval_step {
  static constexpr std::size_t unit = hn::MaxLanes(D());
  using verdict_tag = D;

  template <bool PerElement, bool Stream>
  static HWY_INLINE hn::Vec<D> divide(const T* x, Out* y, const reciprocals& r, std::int64_t i) {
    const D d;
    const auto m = magnitudes(d, x + i);
    const auto low = rounded<Out>(d, hn::Mul(m, reciprocal_at<PerElement>(d, r.a, i)));
    const auto high = rounded<Out>(d, hn::Mul(m, reciprocal_at<PerElement>(d, r.b, i)));
    encode_with_signs(d, low, x + i, y + i);
    return verdict_of(d, hn::Eq(low, high));
  }
};

// float64 outputs: q = RN(|x| a), and |x| / N = q + e with e = (|x| a - q) + |x| b up to a relative
// error of 2^-102 and that of the pair. If q + (e - d) and q + (e + d) round alike, d that error,
// so does all in between. Where q is tiny but x is not zero, the error of the product may be lost.
template <class D, class T>
struct pair_step {
  static constexpr std::size_t unit = hn::MaxLanes(D());
  using verdict_tag = D;

  template <bool PerElement, bool Stream>
  static HWY_INLINE hn::Vec<D> divide(const T* x, double* y, const reciprocals& r, std::int64_t i) {
    const D d;
    const auto m = magnitudes(d, x + i);
    const pair<D> q = two_product(d, m, reciprocal_at<PerElement>(d, r.a, i));
    const auto e = hn::Add(q.lo, hn::Mul(m, reciprocal_at<PerElement>(d, r.b, i)));
    const auto width = hn::Mul(q.hi, hn::Set(d, r.error + 0x1p-100));
    const auto low = hn::Add(q.hi, hn::Sub(e, width));
    const auto high = hn::Add(q.hi, hn::Add(e, width));
    if constexpr (std::is_same_v<T, double>) {
      store_quotients<Stream>(d, hn::CopySign(low, hn::LoadU(d, x + i)), y + i);
    } else {
      encode_with_signs(d, low, x + i, y + i);
    }
    const auto in_range =
        hn::Or(hn::Ge(q.hi, hn::Set(d, pair_range_lowest)), hn::Eq(m, hn::Zero(d)));
    return verdict_of(d, hn::And(in_range, hn::Eq(low, high)));
  }
};

#if HWY_NATIVE_FMA

// float32 by float32: with r = h + l, t = RN(x l), y = RN(x h + t) and e = (x h - y) + t, the
// quotient is y + e up to 2^-39 of it, so that y is its rounding if |e| stays below half a unit of
// y by a little more than that, of the smaller unit where y is a power of two: (bits - 1) has the
// exponent of what is just below. Quotients below 2^-96 fail the test, but for those of zeros,
// which pass it.
template <class D>
struct float_step {
  using floats = hn::Repartition<float, D>;
  static constexpr std::size_t unit = hn::MaxLanes(floats());
  using verdict_tag = floats;

  template <bool PerElement, bool Stream>
  static HWY_INLINE hn::Vec<floats> divide(const float* x, float* y, const reciprocals& r,
                                           std::int64_t i) {
    const floats d;
    const hn::RebindToUnsigned<floats> du;
    const auto v = hn::LoadU(d, x + i);
    const auto h = reciprocal_at<PerElement>(d, r.h, i);
    const auto t = hn::Mul(v, reciprocal_at<PerElement>(d, r.l, i));
    const auto q = hn::MulAdd(v, h, t);
    const auto e = hn::Abs(hn::Add(hn::MulSub(v, h, q), t));
    store_quotients<Stream>(d, q, y + i);
    const auto one = hn::Set(du, 1);
    const auto below = hn::Sub(hn::Max(hn::BitCast(du, hn::Abs(q)), one), one);
    const auto power = hn::BitCast(d, hn::And(below, hn::Set(du, float_format<float>::infinity)));
    // 2^-24 (1 - 2^-14): the quarter unit of 2^-39 of room on either side.
    const auto room = hn::MulAdd(power, hn::Set(d, 0x1p-24f - 0x1p-38f), hn::Set(d, -0x1p-120f));
    return hn::IfThenZeroElse(hn::Eq(v, hn::Zero(d)), hn::Sub(room, e));
  }
};

// 16-bit types by the same type: y = RN(x h + RN(x l)) in float is less than one unit away from the
// quotient, so that rounding y rounds the quotient, unless y is itself a midpoint of the type: its
// low bits are then those of half a unit, or fewer of them of a subnormal.
template <class D, class T>
struct half_step {
  using floats = hn::Repartition<float, D>;
  static constexpr std::size_t unit = hn::MaxLanes(floats());
  using verdict_tag = floats;

  template <bool PerElement, bool Stream>
  static HWY_INLINE hn::Vec<floats> divide(const T* x, T* y, const reciprocals& r, std::int64_t i) {
    const floats d;
    const hn::RebindToUnsigned<floats> du;
    const hn::Rebind<std::uint16_t, floats> d16;
    const auto v = float_values(d, x + i);
    const auto t = hn::Mul(v, reciprocal_at<PerElement>(d, r.l, i));
    const auto q = hn::MulAdd(v, reciprocal_at<PerElement>(d, r.h, i), t);
    const auto bits = hn::BitCast(du, q);
    const auto zero = hn::Eq(v, hn::Zero(d));
    auto* to = reinterpret_cast<std::uint16_t*>(y + i);
    if constexpr (std::is_same_v<T, float16>) {
      // Every midpoint, subnormal or not, has 12 zeros at its end, and so has what is exact.
      const hn::Rebind<hwy::float16_t, floats> dh;
      store_quotients<Stream>(d16, hn::BitCast(d16, hn::DemoteTo(dh, q)), to);
      const auto suspect = hn::Eq(hn::And(bits, hn::Set(du, 0xfff)), hn::Zero(du));
      const auto open =
          hn::AndNot(zero, hn::MaskFromVec(hn::BitCast(d, hn::VecFromMask(du, suspect))));
      return hn::IfThenElse(open, hn::Set(d, -1.0f), hn::Zero(d));
    } else {
      const hn::RebindToSigned<floats> di;
      const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
      const auto up = hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7fff)));
      store_quotients<Stream>(d16, hn::DemoteTo(d16, hn::BitCast(di, hn::ShiftRight<16>(up))), to);
      const auto suspect = hn::Eq(hn::And(bits, hn::Set(du, 0xffff)), hn::Set(du, 0x8000));
      const auto tiny = hn::Lt(hn::Abs(q), hn::Set(d, 0x1p-100f));
      const auto open = hn::Or(hn::AndNot(zero, tiny),
                               hn::MaskFromVec(hn::BitCast(d, hn::VecFromMask(du, suspect))));
      return hn::IfThenElse(open, hn::Set(d, -1.0f), hn::Zero(d));
    }
  }
};

#endif  // HWY_NATIVE_FMA

// What settles most vectors of a pair of types, and what settles those that it leaves open.
template <class T, class Out>
struct quotient_steps {
  template <class D>
  using sure =
      std::conditional_t<std::is_same_v<Out, double>, pair_step<D, T>, interval_step<D, T, Out>>;
  using quick = sure<wide>;
};

#if HWY_NATIVE_FMA
template <>
struct quotient_steps<float, float> {
  template <class D>
  using sure = interval_step<D, float, float>;
  using quick = float_step<wide>;
};
template <class T>
  requires(sizeof(T) == 2)
struct quotient_steps<T, T> {
  template <class D>
  using sure = interval_step<D, T, T>;
  using quick = half_step<wide, T>;
};
#endif

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
