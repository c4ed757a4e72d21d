// Doubles times a power of two (sum.hpp). Included once for each target.
// SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_SCALE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_SCALE_INL_HPP
#undef HALFULP_KERNELS_SCALE_INL_HPP
#else
#define HALFULP_KERNELS_SCALE_INL_HPP
#endif

#include "kernels/lanes-inl.hpp"
#include "kernels/prefetch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

template <class D>
HWY_INLINE void scale_vector(D d, const double* x, double scale, double least, double* scaled) {
  const auto v = hn::LoadU(d, x);
  const auto small = hn::Lt(hn::Abs(v), hn::Set(d, least));
  hn::StoreU(hn::IfThenZeroElse(small, hn::Mul(v, hn::Set(d, scale))), d, scaled);
}

// See sum.hpp.
template <class T>
void scale_elements(const T* x, std::int64_t n, T scale, T least, T* scaled) {
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(wide()));
  // What comes next arrives while these are added up.
  constexpr std::ptrdiff_t ahead = 4 * prefetch_distance;
  std::int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    prefetch(x + i, ahead);
    scale_vector(wide(), x + i, scale, least, scaled + i);
  }
  for (; i < n; ++i) scale_vector(single(), x + i, scale, least, scaled + i);
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
