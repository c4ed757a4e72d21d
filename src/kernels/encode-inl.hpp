// Rounding doubles to an output type. Included once for each target.
// SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_ENCODE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_ENCODE_INL_HPP
#undef HALFULP_KERNELS_ENCODE_INL_HPP
#else
#define HALFULP_KERNELS_ENCODE_INL_HPP
#endif

#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// RN(v) in float. Highway's targets without vectors turn what is beyond float's range into the
// largest float, not into infinity; where that is wrong, from half a unit above it on, the product
// overflows instead.
template <class D>
HWY_INLINE hn::Vec<hn::Rebind<float, D>> to_float([[maybe_unused]] D d, hn::Vec<D> v) {
  const hn::Rebind<float, D> df;
  const auto f = hn::DemoteTo(df, v);
#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128
  const auto beyond = hn::Ge(hn::Abs(v), hn::Set(d, 0x1.ffffffp127));
  return hn::Mul(f, hn::DemoteTo(df, hn::IfThenElse(beyond, hn::Set(d, 2.0), hn::Set(d, 1.0))));
#else
  return f;
#endif
}

// v float and not NaN: the upper half of the result has the bits of RN(v) in bfloat16.
template <class D>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> rounded_to_bfloat16(D, hn::Vec<D> v) {
  const hn::RebindToUnsigned<D> du;
  const auto bits = hn::BitCast(du, v);
  const auto odd = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 1));
  return hn::Add(bits, hn::Add(odd, hn::Set(du, 0x7fff)));
}
template <class D>
HWY_INLINE half_bits<D> bfloat16_bits(D d, hn::Vec<D> v) {
  const hn::RebindToSigned<D> di;
  const auto upper = hn::ShiftRight<16>(rounded_to_bfloat16(d, v));
  return hn::DemoteTo(hn::Rebind<std::uint16_t, D>(), hn::BitCast(di, upper));
}

// The bits of RN(v) in T, one of the 16-bit types, v float and not NaN. Of float16 only where
// converts_float16.
template <class T, class D>
HWY_INLINE half_bits<D> half_bits_of(D d, hn::Vec<D> v) {
  if constexpr (std::is_same_v<T, bfloat16>) {
    return bfloat16_bits(d, v);
  } else {
    return hn::BitCast(hn::Rebind<std::uint16_t, D>(),
                       hn::DemoteTo(hn::Rebind<hwy::float16_t, D>(), v));
  }
}

#if HWY_TARGET != HWY_SCALAR
// The same of twice as many.
template <class T, class D>
  requires std::same_as<T, bfloat16>
HWY_INLINE hn::Vec<hn::Repartition<std::uint16_t, D>> half_bits_of(D d, even_odd<D> v) {
  const hn::RebindToUnsigned<D> du;
  const auto even = hn::ShiftRight<16>(rounded_to_bfloat16(d, v.even));
  const auto odd = hn::And(rounded_to_bfloat16(d, v.odd), hn::Set(du, 0xffff0000));
  return hn::BitCast(hn::Repartition<std::uint16_t, D>(), hn::Or(even, odd));
}
#endif

// RN(v) in Out, as a double, for v >= 0. Needs rounding to nearest and gradual underflow. For the
// 16-bit types, adding and subtracting 1.5 * 2^52 units lets the processor round, once, to nearest
// even, in the normal and the subnormal range alike: the unit is 2^(E - fraction_bits), E the
// exponent of v, but not below the smallest subnormal. What is beyond Out's range comes out as
// 2^(bias + 1), which encode() takes for infinity. NaN comes out as anything.
template <class Out, class D>
HWY_INLINE hn::Vec<D> rounded(D d, hn::Vec<D> v) {
  if constexpr (std::is_same_v<Out, double>) {
    return v;
  } else if constexpr (std::is_same_v<Out, float>) {
    return hn::PromoteTo(d, to_float(d, v));
  } else {
    using format = float_format<Out>;
    const hn::RebindToUnsigned<D> du;
    const auto power = [](int exponent) {
      return static_cast<std::uint64_t>(1023 + exponent) << 52;
    };
    const auto smallest_normal = hn::BitCast(d, hn::Set(du, power(1 - format::bias)));
    const auto beyond = hn::BitCast(d, hn::Set(du, power(format::bias + 1)));
    const auto w = hn::Min(v, beyond);
    const auto floor = hn::Max(w, smallest_normal);
    const auto exponent =
        hn::And(hn::BitCast(du, floor), hn::Set(du, float_format<double>::infinity));
    const auto unit_shift =
        hn::Set(du, static_cast<std::uint64_t>(52 - format::fraction_bits) << 52);
    const auto shifter = hn::Mul(hn::Set(d, 1.5), hn::BitCast(d, hn::Add(exponent, unit_shift)));
    return hn::Sub(hn::Add(w, shifter), shifter);
  }
}

// Stores what rounded() gave, of either sign, as Outs.
template <class Out, class D>
HWY_INLINE void encode(D d, hn::Vec<D> v, Out* out) {
  if constexpr (std::is_same_v<Out, double>) {
    hn::StoreU(v, d, out);
  } else if constexpr (std::is_same_v<Out, float>) {
    const hn::Rebind<float, D> df;
    hn::StoreU(to_float(d, v), df, out);
  } else {
    const hn::Rebind<float, D> df;
    const hn::RebindToUnsigned<decltype(df)> du;
    const hn::RebindToSigned<decltype(df)> di;
    const hn::Rebind<std::uint16_t, D> d16;
    const auto f = to_float(d, v);
    auto bits = hn::BitCast(du, f);
    if constexpr (std::is_same_v<Out, bfloat16>) {
      bits = hn::ShiftRight<16>(bits);
    } else {
      // 2^-112 moves float16's exponent range to the bottom of float's: the bits then differ by a
      // shift only, subnormals and infinity (2^16) included, but for the sign.
      const auto sign = hn::And(hn::ShiftRight<16>(bits), hn::Set(du, 0x8000));
      const auto shifted = hn::ShiftRight<13>(hn::BitCast(du, hn::Mul(f, hn::Set(df, 0x1p-112f))));
      bits = hn::Or(hn::And(shifted, hn::Set(du, 0x7fff)), sign);
    }
    hn::StoreU(hn::DemoteTo(d16, hn::BitCast(di, bits)), d16,
               reinterpret_cast<std::uint16_t*>(out));
  }
}

// The same, with the signs of as many elements at x.
template <class Out, class T, class D>
HWY_INLINE void encode_with_signs(D d, hn::Vec<D> v, const T* x, Out* out) {
  if constexpr (std::is_same_v<T, double>) {
    encode<Out>(d, hn::CopySign(v, hn::LoadU(d, x)), out);
  } else {
    encode<Out>(d, hn::CopySign(v, hn::PromoteTo(d, float_values(hn::Rebind<float, D>(), x))), out);
  }
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
