// Doubles times a power of two (sum.hpp). Included once for each target.
// SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_SCALE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_SCALE_INL_HPP
#undef HALFULP_KERNELS_SCALE_INL_HPP
#else
#define HALFULP_KERNELS_SCALE_INL_HPP
#endif

#include <limits>

#include "kernels/lanes-inl.hpp"
#include "kernels/prefetch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// Some processors take a hundred times as long for a product that has a subnormal factor or is
// subnormal. So what is left out is left out before, and without All, nothing subnormal is left;
// with it, subnormal elements are first taken as integers, in units of the smallest one.
template <bool All, class D>
HWY_INLINE void scale_vector(D d, const double* x, double scale, double least, double* scaled) {
  const auto m = hn::Abs(hn::LoadU(d, x));
  const auto factor = hn::Set(d, scale);
  if constexpr (All) {
    const auto subnormal = hn::Lt(m, hn::Set(d, std::numeric_limits<double>::min()));
    const auto shift = hn::Set(d, 0x1p52);
    const auto units = hn::Sub(hn::Or(m, shift), shift);
    const auto unit = hn::Set(d, scale * std::numeric_limits<double>::denorm_min());
    hn::StoreU(
        hn::Mul(hn::IfThenElse(subnormal, units, m), hn::IfThenElse(subnormal, unit, factor)), d,
        scaled);
  } else {
    const auto small = hn::Lt(m, hn::Set(d, least));
    hn::StoreU(hn::Mul(hn::IfThenZeroElse(small, m), factor), d, scaled);
  }
}

template <bool All>
HWY_INLINE void scale_run(const double* x, std::int64_t n, double scale, double least,
                          double* scaled) {
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(wide()));
  // What comes next arrives while these are added up.
  constexpr std::ptrdiff_t ahead = 4 * prefetch_distance;
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    prefetch(x + i, ahead);
    scale_vector<All>(wide(), x + i, scale, least, scaled + i);
  }
  for (; i < n; ++i) scale_vector<All>(single(), x + i, scale, least, scaled + i);
}

// See sum.hpp.
template <class T>
void scale_elements(const T* x, std::int64_t n, T scale, T least, T* scaled) {
  least == 0 ? scale_run<true>(x, n, scale, least, scaled)
             : scale_run<false>(x, n, scale, least, scaled);
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
