// Rounding sums with a rounding test. Included once for each target.
// SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_FINISH_STEP_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_FINISH_STEP_INL_HPP
#undef HALFULP_KERNELS_FINISH_STEP_INL_HPP
#else
#define HALFULP_KERNELS_FINISH_STEP_INL_HPP
#endif

#include <algorithm>
#include <limits>

#include "accum/certificate.hpp"
#include "accum/exact_finish.hpp"
#include "kernels/encode-inl.hpp"
#include "kernels/pair-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// Whether value is in the certificate's range: NaN and what is not finite is not.
template <class D>
HWY_INLINE hn::Mask<D> in_range(D d, hn::Vec<D> value, const certificate& test) {
  using real = hn::TFromD<D>;
  const auto in_range = hn::And(hn::Ge(value, hn::Set(d, static_cast<real>(test.lowest))),
                                hn::Le(value, hn::Set(d, static_cast<real>(test.highest))));
  if (test.lowest == 0 || !test.exact_zero) return in_range;
  return hn::Or(in_range, hn::Eq(value, hn::Zero(d)));
}

// Rounds as many sums as D has lanes and stores them as Outs. Keeps whether that was certain of
// all. docs/numerics.md, "The rounding tests", proves it.
template <class Out, root R, bool Exact, class D>
class finish_step {
 public:
  HWY_INLINE finish_step()
      : settled_(hn::FirstN(D(), hn::MaxLanes(D()))), differ_(hn::Zero(words())) {}

  HWY_INLINE void finish(const pair<D>& s, const certificate& test, Out* out) {
    if constexpr (std::is_same_v<Out, double>) {
      finish_double(s, test, out);
    } else {
      finish(hn::Add(s.hi, s.lo), test, out);
    }
  }
  // Of sums in one part, for outputs narrower than double.
  HWY_INLINE void finish(hn::Vec<D> value, const certificate& test, Out* out) {
    const D d;
    settle(in_range(d, value, test));
    if constexpr (Exact) {
      encode(d, rounded<Out>(d, R == root::yes ? hn::Sqrt(value) : value), out);
    } else {
      finish_narrow(value, test, out);
    }
  }
  HWY_INLINE bool certain() const {
    return hn::AllTrue(D(), settled_) && hn::AllTrue(words(), hn::Eq(differ_, hn::Zero(words())));
  }

 private:
  using words = hn::Rebind<std::uint32_t, D>;

  HWY_INLINE void settle(hn::Mask<D> sure) { settled_ = hn::And(settled_, sure); }

  HWY_INLINE void finish_double(pair<D> s, const certificate& test, double* out) {
    const D d;
    s = fast_two_sum(d, s.hi, s.lo);
    const auto value = s.hi;
    settle(in_range(d, value, test));
    if constexpr (Exact) {
      hn::StoreU(value, d, out);
    } else {
      double error = test.bound + 0x1p-100;  // 2^-100: lo -+ error is rounded
      if constexpr (R == root::yes) {
        s = sqrt_pair(d, s);
        error = test.bound / 2 + test.bound * test.bound + 0x1p-100;
      }
      const auto width = hn::Mul(s.hi, hn::Set(d, error));
      auto low = hn::Add(s.hi, hn::Sub(s.lo, width));
      auto high = hn::Add(s.hi, hn::Add(s.lo, width));
      // The root of 0 has been divided by 0.
      if constexpr (R == root::yes) {
        const auto zero = hn::Eq(value, hn::Zero(d));
        low = hn::IfThenZeroElse(zero, low);
        high = hn::IfThenZeroElse(zero, high);
      }
      hn::StoreU(low, d, out);
      settle(hn::Eq(low, high));
    }
  }

  HWY_INLINE void finish_narrow(hn::Vec<D> value, const certificate& test, Out* out) {
    const D d;
    double slack = test.bound + test_slack;
    if constexpr (R == root::yes) {
      value = hn::Sqrt(value);
      slack = test.bound / 2 + test.bound * test.bound + test_slack;
    }
    const auto below = hn::Mul(value, hn::Set(d, 1 - slack));
    const auto above = hn::Mul(value, hn::Set(d, 1 + slack));
    if constexpr (std::is_same_v<Out, float>) {
      // In range, neither is NaN or a negative zero: different numbers have different bits.
      const auto low = to_float(d, below);
      hn::StoreU(low, hn::Rebind<float, D>(), out);
      differ_ = hn::Or(differ_, hn::BitCast(words(), hn::Xor(low, to_float(d, above))));
    } else {
      const auto low = rounded<Out>(d, below);
      encode(d, low, out);
      settle(hn::Eq(low, rounded<Out>(d, above)));
    }
  }

  hn::Mask<D> settled_;
  hn::Vec<words> differ_;
};

#if HWY_NATIVE_FMA
// The same of roots of pairs, to the type that the pairs are of: quicker, since nothing is divided,
// and a little wider. docs/numerics.md, "Quick roots of pairs", proves it.
template <class D>
class root_step {
  using real = hn::TFromD<D>;

 public:
  HWY_INLINE explicit root_step(const certificate& test)
      : test_(test), settled_(hn::FirstN(D(), hn::MaxLanes(D()))), differ_(hn::Zero(words())) {}

  HWY_INLINE void finish(const pair<D>& s, real* out) {
    const D d;
    settled_ = hn::And(settled_, in_range(d, s.hi, test_));
    const auto y = hn::Sqrt(s.hi);
    const auto rest = hn::Add(hn::NegMulAdd(y, y, s.hi), s.lo);
    const auto step = hn::Mul(rest, half_reciprocal(y));
    const auto width = hn::Mul(y, hn::Set(d, static_cast<real>(test_.bound)));
    const auto low = hn::Add(y, hn::Sub(step, width));
    hn::StoreU(low, d, out);
    differ_ = hn::Or(differ_, hn::BitCast(words(), hn::Xor(low, hn::Add(y, hn::Add(step, width)))));
  }
  HWY_INLINE bool certain() const {
    return hn::AllTrue(D(), settled_) && hn::AllTrue(words(), hn::Eq(differ_, hn::Zero(words())));
  }

 private:
  using words = hn::RebindToUnsigned<D>;

  // 1 / (2 y), with a relative error of at most 2^-21, where that is in float's range.
  static HWY_INLINE hn::Vec<D> half_reciprocal(hn::Vec<D> y) {
    const D d;
    const auto half = hn::Mul(y, hn::Set(d, real{0.5}));
#if HWY_ARCH_X86
    // Of estimates that are good to 2^-11, and one Newton step.
    hn::Vec<D> estimate;
    if constexpr (std::is_same_v<real, float>) {
      estimate = hn::ApproximateReciprocal(y);
    } else {
      estimate =
          hn::PromoteTo(d, hn::ApproximateReciprocal(hn::DemoteTo(hn::Rebind<float, D>(), y)));
    }
    // With r = 1 / y (1 + e), r (1 - r y / 2) = 1 / (2 y) (1 - e^2).
    return hn::Mul(estimate, hn::NegMulAdd(half, estimate, hn::Set(d, real{1})));
#else
    return hn::Div(hn::Set(d, real{0.25}), half);
#endif
  }

  certificate test_;
  hn::Mask<D> settled_;
  hn::Vec<words> differ_;
};
#endif

// Rounds sums in one part to types of fewer digits, as if they were exact, and keeps what tells
// whether they or their roots are far enough from midpoints, or small enough to be exact.
// docs/numerics.md, "Distances from midpoints", proves it.
template <class Out, power P, root R, class D>
class nearest_step {
  using real = hn::TFromD<D>;
  using words = hn::Repartition<std::uint32_t, D>;
  static constexpr bool in_floats = std::is_same_v<real, float>;

  // A midpoint's bits below Out's last place: a one, and zeros. Of doubles they are sought in the
  // lower 32 bits, or, where these are not all, in the upper ones.
  static constexpr int spare_bits =
      float_format<real>::fraction_bits - float_format<Out>::fraction_bits;
  static constexpr bool in_upper = !in_floats && spare_bits > 32;
  static constexpr int tested_bits = in_upper ? spare_bits - 32 : spare_bits;
  static constexpr std::uint32_t midpoint = std::uint32_t{1} << (tested_bits - 1);

 public:
  // Sums, or roots, are off by so many places of D's type at most.
  HWY_INLINE explicit nearest_step(std::uint32_t places)
      : places_(in_upper ? 1 : places),
        nearest_(hn::Set(words(), ~std::uint32_t{0})),
        most_(hn::Zero(D())),
        settled_(hn::FirstN(D(), hn::MaxLanes(D()))) {}

  HWY_INLINE void finish(hn::Vec<D> value, Out* out) {
    const D d;
    value = take(value);
    if constexpr (in_floats) {
      hn::StoreU(half_bits_of<Out>(d, value), hn::Rebind<std::uint16_t, D>(),
                 reinterpret_cast<std::uint16_t*>(out));
    } else {
      encode(d, rounded<Out>(d, value), out);
    }
  }
#if HWY_TARGET != HWY_SCALAR
  HWY_INLINE void finish(const even_odd<D>& v, Out* out) {
    const even_odd<D> values{take(v.even), take(v.odd)};
    hn::StoreU(half_bits_of<Out>(D(), values), hn::Repartition<std::uint16_t, D>(),
               reinterpret_cast<std::uint16_t*>(out));
  }
#endif

  // Whether the rounding of all is certain, since none is near a midpoint.
  HWY_INLINE bool certain() const {
    const auto limit = hn::Set(words(), 2 * places_ << (32 - tested_bits));
    return at_most(std::numeric_limits<real>::max()) && hn::AllTrue(D(), settled_) &&
           hn::AllTrue(words(), hn::Gt(nearest_, limit));
  }
  // Whether no sum was more, nor NaN.
  HWY_INLINE bool at_most(double highest) const {
    constexpr double largest = std::numeric_limits<real>::max();
    const auto limit = hn::Set(D(), static_cast<real>(std::min(highest, largest)));
    return hn::AllTrue(D(), hn::Le(most_, limit));
  }

 private:
  HWY_INLINE hn::Vec<D> take(hn::Vec<D> value) {
    const D d;
    if constexpr (in_floats) {
      // Bits are ordered like values, and those of NaN are above infinity's.
      most_ = hn::BitCast(d, hn::Max(hn::BitCast(words(), most_), hn::BitCast(words(), value)));
    } else {
      // The sum of them all is more than any, and shows NaN and infinity, too. There are digits
      // enough for that.
      most_ = hn::Add(most_, value);
    }
    if constexpr (R == root::yes) value = hn::Sqrt(value);
    // Below Out's normal range, midpoints are elsewhere. Sums of magnitudes are exact there, and
    // multiples of the smallest element.
    if constexpr (P == power::square) {
      settled_ = hn::And(settled_, hn::Ge(value, hn::Set(d, static_cast<real>(lowest))));
    }
    auto bits = hn::BitCast(words(), value);
    bits = hn::ShiftLeft<32 - tested_bits>(hn::Sub(bits, hn::Set(words(), midpoint - places_)));
    if constexpr (!in_floats) {
      const std::uint64_t others = in_upper ? 0xffffffff : ~std::uint64_t{0xffffffff};
      const hn::RebindToUnsigned<D> du;
      bits = hn::BitCast(words(), hn::Or(hn::BitCast(du, bits), hn::Set(du, others)));
    }
    nearest_ = hn::Min(nearest_, bits);
    return value;
  }

  // In float, squares of bfloat16 may have underflowed into what is below.
  static constexpr double lowest =
      in_floats && R == root::yes && std::is_same_v<Out, bfloat16>
          ? in_floats_lowest
          : from_bits<double>(
                static_cast<std::uint64_t>(float_format<double>::bias + 1 - float_format<Out>::bias)
                << float_format<double>::fraction_bits);

  std::uint32_t places_;
  hn::Vec<words> nearest_;
  hn::Vec<D> most_;
  hn::Mask<D> settled_;
};

// Rounds sums in pairs as if they were exact, and keeps what they have to be at most for that.
template <class D>
class exact_step {
 public:
  HWY_INLINE exact_step() : most_(hn::Zero(D())) {}

  HWY_INLINE void finish(const pair<D>& s, double* out) {
    const auto value = hn::Add(s.hi, s.lo);
    // As in nearest_step.
    most_ = hn::Add(most_, value);
    hn::StoreU(value, D(), out);
  }
  HWY_INLINE bool at_most(double highest) const {
    return hn::AllTrue(D(), hn::Le(most_, hn::Set(D(), highest)));
  }

 private:
  hn::Vec<D> most_;
};

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
