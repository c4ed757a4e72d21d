// A vector of quotients, by the types of its elements. Included once for each target.
// SPDX-License-Identifier: Apache-2.0
//
// A step divides `unit` elements at x and stores them at y. What it keeps in itself says in the end
// whether every rounding was certain; some 1 in 32 blocks of `block` elements are not. One that has
// settle() is to be asked for that now and then.
// docs/numerics.md, "The quotients", has the proofs.

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

// Any types, the output narrower than double: |x| a <= |x| / N <= |x| b even after the rounding of
// the products, because a and b have room for it; if both ends round alike, so does the quotient. A
// product below double's normal range is below half of the smallest Out.
template <class D, class T, class Out, bool PerElement>
class interval_step {
 public:
  static constexpr std::size_t unit = hn::MaxLanes(D());
  static constexpr std::int64_t block = 64;

  HWY_INLINE explicit interval_step(const reciprocals&) : certain_(hn::FirstN(D(), unit)) {}

  template <bool Stream>
  HWY_INLINE void divide(const T* x, Out* y, const reciprocals& r, std::int64_t i) {
    const D d;
    const auto m = magnitudes(d, x + i);
    const auto low = rounded<Out>(d, hn::Mul(m, reciprocal_at<PerElement>(d, r.a, i)));
    const auto high = rounded<Out>(d, hn::Mul(m, reciprocal_at<PerElement>(d, r.b, i)));
    encode_with_signs(d, low, x + i, y + i);
    certain_ = hn::And(certain_, hn::Eq(low, high));
  }
  HWY_INLINE bool certain() const { return hn::AllTrue(D(), certain_); }

 private:
  hn::Mask<D> certain_;
};

// float64 outputs: q = RN(|x| a), and |x| / N = q + e with e = (|x| a - q) + |x| b up to a relative
// error of 2^-102 and that of the pair. If q + (e - d) and q + (e + d) round alike, d that error,
// so does all in between. Where q is tiny but x is not zero, the error of the product may be lost.
template <class D, class T, bool PerElement>
class pair_step {
 public:
  static constexpr std::size_t unit = hn::MaxLanes(D());
  static constexpr std::int64_t block = 64;

  HWY_INLINE explicit pair_step(const reciprocals&) : certain_(hn::FirstN(D(), unit)) {}

  template <bool Stream>
  HWY_INLINE void divide(const T* x, double* y, const reciprocals& r, std::int64_t i) {
    const D d;
    const auto m = magnitudes(d, x + i);
    const pair<D> q = two_product(d, m, reciprocal_at<PerElement>(d, r.a, i));
    const auto e = hn::Add(q.lo, hn::Mul(m, reciprocal_at<PerElement>(d, r.b, i)));
    const auto width = hn::Mul(q.hi, hn::Set(d, r.error + 0x1p-100));
    const auto low = hn::Add(q.hi, hn::Sub(e, width));
    const auto high = hn::Add(q.hi, hn::Add(e, width));
    encode_with_signs(d, low, x + i, y + i);
    const auto in_range =
        hn::Or(hn::Ge(q.hi, hn::Set(d, pair_range_lowest)), hn::Eq(m, hn::Zero(d)));
    certain_ = hn::And(certain_, hn::And(in_range, hn::Eq(low, high)));
  }
  HWY_INLINE bool certain() const { return hn::AllTrue(D(), certain_); }

 private:
  hn::Mask<D> certain_;
};

#if HWY_NATIVE_FMA

// Tells elements that are not zero but below reciprocals::least, by their magnitudes as bits and
// less one, of which zero has the largest.
template <class F>
class smallness {
  using words = hn::RebindToUnsigned<F>;

 public:
  HWY_INLINE explicit smallness(const reciprocals& r)
      : least_(hn::Set(words(), ~0u)), limit_(to_bits(r.least) - 1) {}
  HWY_INLINE void take(hn::Vec<F> x) {
    const auto magnitude = hn::BitCast(words(), hn::Abs(x));
    least_ = hn::Min(least_, hn::Sub(magnitude, hn::Set(words(), 1)));
  }
  HWY_INLINE bool none() const {
    const words du;
    const auto limit = hn::Set(du, limit_);
    return hn::AllTrue(du, hn::Eq(hn::Min(least_, limit), limit));
  }

 private:
  hn::Vec<words> least_;
  std::uint32_t limit_;
};

// float32 by float32: with 1/N between h + low and h + high, RN(x h + RN(x low)) and
// RN(x h + RN(x high)) are the roundings of what encloses the quotient, as both have room for the
// rounding of the second product: where they are the same, that is the quotient. Where the quotient
// is tiny but x is not zero, that room may be lost to underflow.
template <class D, bool PerElement>
class float_step {
  using floats = hn::Repartition<float, D>;
  using words = hn::RebindToUnsigned<floats>;

 public:
  static constexpr std::size_t unit = hn::MaxLanes(floats());
  static constexpr std::int64_t block = 1024;

  HWY_INLINE explicit float_step(const reciprocals& r) : differ_(hn::Zero(words())), small_(r) {}

  template <bool Stream>
  HWY_INLINE void divide(const float* x, float* y, const reciprocals& r, std::int64_t i) {
    const floats d;
    const auto v = hn::LoadU(d, x + i);
    const auto h = reciprocal_at<PerElement>(d, r.h, i);
    const auto low = hn::MulAdd(v, h, hn::Mul(v, reciprocal_at<PerElement>(d, r.low, i)));
    const auto high = hn::MulAdd(v, h, hn::Mul(v, reciprocal_at<PerElement>(d, r.high, i)));
    store<Stream>(d, low, y + i);
    differ_ = hn::Or(differ_, hn::BitCast(words(), hn::Xor(low, high)));
    small_.take(v);
  }
  HWY_INLINE bool certain() const {
    return hn::AllTrue(words(), hn::Eq(differ_, hn::Zero(words()))) && small_.none();
  }

 private:
  hn::Vec<words> differ_;
  smallness<floats> small_;
};

// float64 by float64 in the same way. The second part of 1/N is at least 2^-55 of it, so that with
// an error below that by far none of the ends gives a zero the wrong sign.
template <class D, bool PerElement>
class double_step {
 public:
  static constexpr std::size_t unit = hn::MaxLanes(D());
  static constexpr std::int64_t block = 1024;

  HWY_INLINE explicit double_step(const reciprocals& r)
      : certain_(hn::FirstN(D(), r.error <= largest_error ? unit : 0)) {}

  template <bool Stream>
  HWY_INLINE void divide(const double* x, double* y, const reciprocals& r, std::int64_t i) {
    const D d;
    const auto v = hn::LoadU(d, x + i);
    const auto h = reciprocal_at<PerElement>(d, r.a, i);
    const auto l = reciprocal_at<PerElement>(d, r.b, i);
    const auto room = hn::Set(d, r.error + 0x1p-100);
    const auto low = hn::MulAdd(v, h, hn::Mul(v, hn::NegMulAdd(h, room, l)));
    const auto high = hn::MulAdd(v, h, hn::Mul(v, hn::MulAdd(h, room, l)));
    store<Stream>(d, low, y + i);
    const auto in_range =
        hn::Or(hn::Ge(hn::Abs(low), hn::Set(d, pair_range_lowest)), hn::Eq(v, hn::Zero(d)));
    certain_ = hn::And(certain_, hn::And(in_range, hn::Eq(low, high)));
  }
  HWY_INLINE bool certain() const { return hn::AllTrue(D(), certain_); }

 private:
  static constexpr double largest_error = 0x1p-60;
  hn::Mask<D> certain_;
};

// 16-bit types by the same type: y = RN(x h + RN(x low)) in float is less than one unit away from
// the quotient, so that rounding y rounds the quotient, unless y is itself a midpoint of the type:
// its low bits are then those of half a unit, or fewer of them of a subnormal.
template <bool PerElement, class F>
HWY_INLINE hn::Vec<F> quotient_in_floats(F d, hn::Vec<F> v, const reciprocals& r, std::int64_t i) {
  const auto t = hn::Mul(v, reciprocal_at<PerElement>(d, r.low, i));
  return hn::MulAdd(v, reciprocal_at<PerElement>(d, r.h, i), t);
}

// Midpoints of float16, subnormal or not, have 12 zeros at their end, and so has what is exact: one
// float in 4096, so that those around one are tested once more as they come, instead of all of the
// block in the end.
template <class D, bool PerElement>
class float16_step {
  using floats = hn::Repartition<float, D>;
  using halves = hn::Repartition<std::uint16_t, D>;
  using few_floats = hn::Rebind<float, D>;

 public:
  static constexpr std::size_t unit = hn::MaxLanes(halves());
  static constexpr std::int64_t block = 1024;

  HWY_INLINE explicit float16_step(const reciprocals&) : least_(none()) {}

  template <bool Stream>
  HWY_INLINE void divide(const float16* x, float16* y, const reciprocals& r, std::int64_t i) {
    constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(floats()));
    const auto lower = rounded_quotients(x, r, i);
    const auto upper = rounded_quotients(x, r, i + lanes);
    store<Stream>(halves(), hn::Combine(halves(), upper, lower),
                  reinterpret_cast<std::uint16_t*>(y + i));
  }

  // To be called after elements i to last, whole units, have been divided.
  HWY_INLINE void settle(const float16* x, float16* y, const reciprocals& r, std::int64_t i,
                         std::int64_t last) {
    if (HWY_LIKELY(!any_midpoint(floats(), least_))) return;
    certain_ = divide_midpoints(x, y, r, i, last) && certain_;
    least_ = none();
  }
  HWY_INLINE bool certain() const { return certain_; }

 private:
  template <class F>
  using words = hn::RebindToUnsigned<F>;

  static HWY_INLINE hn::Vec<words<floats>> none() { return hn::Set(words<floats>(), ~0u); }

  template <class F>
  static HWY_INLINE bool any_midpoint(F, hn::Vec<words<F>> least) {
    const words<F> du;
    return !hn::AllTrue(du, hn::Ne(least, hn::Zero(du)));
  }

  // The last 12 bits of quotients of v, more than that where v is 0.
  template <class F>
  static HWY_INLINE hn::Vec<words<F>> last_bits(F d, hn::Vec<F> v, hn::Vec<F> quotients) {
    const words<F> du;
    const auto last = hn::And(hn::BitCast(du, quotients), hn::Set(du, 0xfff));
    return hn::Or(last, hn::BitCast(du, hn::VecFromMask(d, hn::Eq(v, hn::Zero(d)))));
  }

  HWY_INLINE half_bits<floats> rounded_quotients(const float16* x, const reciprocals& r,
                                                 std::int64_t i) {
    const floats d;
    const auto v = float_values(d, x + i);
    const auto q = quotient_in_floats<PerElement>(d, v, r, i);
    least_ = hn::Min(least_, last_bits(d, v, q));
    return half_bits_of<float16>(d, q);
  }

  // Divides elements around midpoints once more; whether they are certain then.
  static HWY_NOINLINE bool divide_midpoints(const float16* x, float16* y, const reciprocals& r,
                                            std::int64_t i, std::int64_t last) {
    interval_step<D, float16, float16, PerElement> step(r);
    for (; i < last; i += static_cast<std::int64_t>(step.unit)) {
      const few_floats d;
      const auto v = float_values(d, x + i);
      const auto q = quotient_in_floats<PerElement>(d, v, r, i);
      if (any_midpoint(d, last_bits(d, v, q))) step.template divide<false>(x, y, r, i);
    }
    return step.certain();
  }

  hn::Vec<words<floats>> least_;  // of the last bits
  bool certain_ = true;
};

// A midpoint of bfloat16 plus half a unit ends in 16 zeros; only of those does it matter that
// halves are rounded up. By one norm, elements with even and with odd indices are taken apart; by
// one each, the lower and the upper half of a vector.
template <class D, bool PerElement>
class bfloat16_step {
  using floats = hn::Repartition<float, D>;
  using words = hn::RebindToUnsigned<floats>;
  using halves = hn::Repartition<std::uint16_t, D>;

 public:
  static constexpr std::size_t unit = hn::MaxLanes(halves());
  static constexpr std::int64_t block = 1024;

  HWY_INLINE explicit bfloat16_step(const reciprocals& r)
      : last_(hn::Set(halves(), 0xffff)),
        least_(hn::Set(halves(), 0xffff)),
        limit_(static_cast<std::uint16_t>(to_bits(r.least) >> 16)) {}

  template <bool Stream>
  HWY_INLINE void divide(const bfloat16* x, bfloat16* y, const reciprocals& r, std::int64_t i) {
    const floats d;
    const halves dh;
    const auto pairs = load_pairs(d, x + i);
    const auto magnitude = hn::And(hn::BitCast(dh, pairs), hn::Set(dh, 0x7fff));
    least_ = hn::Min(least_, hn::Sub(magnitude, hn::Set(dh, 1)));
    store<Stream>(dh, rounded_quotients(pairs, r, i), reinterpret_cast<std::uint16_t*>(y + i));
  }
  HWY_INLINE bool certain() const {
    const words du;
    const halves dh;
    const auto last = hn::And(hn::BitCast(du, last_), hn::Set(du, 0xffff));
    const auto limit = hn::Set(dh, limit_);
    return hn::AllTrue(du, hn::Ne(last, hn::Zero(du))) &&
           hn::AllTrue(dh, hn::Eq(hn::Min(least_, limit), limit));
  }

 private:
  HWY_INLINE hn::Vec<halves> rounded_quotients(hn::Vec<words> pairs, const reciprocals& r,
                                               std::int64_t i) {
    const floats d;
    const halves dh;
    if constexpr (PerElement) {
      constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(floats()));
      const hn::Half<halves> half;
      const auto bits = hn::BitCast(dh, pairs);
      const auto lower = to_floats<bfloat16>(d, hn::LowerHalf(half, bits));
      const auto upper = to_floats<bfloat16>(d, hn::UpperHalf(half, bits));
      return hn::ConcatOdd(dh, rounded_up(upper, r, i + lanes), rounded_up(lower, r, i));
    } else {
      const hn::Vec<words> even = hn::BitCast(words(), rounded_up(even_values(d, pairs), r, i));
      const auto odd = rounded_up(odd_values(d, pairs), r, i);
      return hn::OddEven(odd, hn::BitCast(dh, hn::ShiftRight<16>(even)));
    }
  }

  // The quotients are the upper halves of words.
  HWY_INLINE hn::Vec<halves> rounded_up(hn::Vec<floats> v, const reciprocals& r, std::int64_t i) {
    const words du;
    const auto q = quotient_in_floats<PerElement>(floats(), v, r, i);
    const auto sum = hn::BitCast(halves(), hn::Add(hn::BitCast(du, q), hn::Set(du, 0x8000)));
    last_ = hn::Min(last_, sum);
    return sum;
  }

  hn::Vec<halves> last_;   // the least halves, of which the lower ones of words are looked at
  hn::Vec<halves> least_;  // magnitudes as in `smallness`, of upper halves
  std::uint16_t limit_;
};

#endif  // HWY_NATIVE_FMA

// What settles most vectors of a pair of types, and what settles those that it leaves open.
template <class T, class Out, bool PerElement>
struct quotient_steps {
  template <class D>
  using sure = std::conditional_t<std::is_same_v<Out, double>, pair_step<D, T, PerElement>,
                                  interval_step<D, T, Out, PerElement>>;
  using quick = sure<wide>;
};

#if HWY_NATIVE_FMA
template <bool PerElement>
struct quotient_steps<float, float, PerElement> {
  template <class D>
  using sure = interval_step<D, float, float, PerElement>;
  using quick = float_step<wide, PerElement>;
};
template <bool PerElement>
struct quotient_steps<double, double, PerElement> {
  template <class D>
  using sure = pair_step<D, double, PerElement>;
  using quick = double_step<wide, PerElement>;
};
template <class T, bool PerElement>
  requires(sizeof(T) == 2)
struct quotient_steps<T, T, PerElement> {
  template <class D>
  using sure = interval_step<D, T, T, PerElement>;
  using quick = std::conditional_t<std::is_same_v<T, bfloat16>, bfloat16_step<wide, PerElement>,
                                   float16_step<wide, PerElement>>;
};
#endif

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
