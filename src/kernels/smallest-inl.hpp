// The smallest magnitude of a block but zero (sum.hpp). Included once for each target.
// SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_SMALLEST_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_SMALLEST_INL_HPP
#undef HALFULP_KERNELS_SMALLEST_INL_HPP
#else
#define HALFULP_KERNELS_SMALLEST_INL_HPP
#endif

#include <algorithm>
#include <limits>

#include "kernels/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// The least of all lanes: halves of a vector against each other, before that of 16 bytes.
template <class D>
HWY_INLINE hn::TFromD<D> least_lane(D d, hn::Vec<D> v) {
#if HWY_TARGET == HWY_SCALAR
  (void)d;
  return hn::GetLane(v);
#else
  if constexpr (hn::MaxLanes(D()) == 1) {
    return hn::GetLane(v);
  } else if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) > 16) {
    const hn::Half<D> half;
    return least_lane(half, hn::Min(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  } else {
    return hn::GetLane(hn::MinOfLanes(d, v));
  }
#endif
}

// Keeps the smallest magnitudes, lane by lane. Bits of magnitudes are ordered like the magnitudes;
// one less, zero becomes the largest of all.
template <class D>
class smallest_lanes {
  using bits = hn::TFromD<D>;
  static constexpr bits largest = std::numeric_limits<bits>::max();

 public:
  static constexpr std::size_t unit = hn::MaxLanes(D());

  HWY_INLINE smallest_lanes() : least_(hn::Set(D(), largest)) {}
  HWY_INLINE void take(const bits* x) {
    const auto magnitude = hn::And(hn::LoadU(D(), x), hn::Set(D(), static_cast<bits>(largest / 2)));
    least_ = hn::Min(least_, hn::Sub(magnitude, hn::Set(D(), bits{1})));
  }
  HWY_INLINE void take(const smallest_lanes& other) { least_ = hn::Min(least_, other.least_); }
  HWY_INLINE bits least() const { return least_lane(D(), least_); }

 private:
  hn::Vec<D> least_;
};

// Elements without gaps. Returns one less than the smallest magnitude's bits.
template <class Bits>
HWY_INLINE Bits smallest_of_run(const Bits* x, std::int64_t length) {
  using lanes = smallest_lanes<hn::ScalableTag<Bits>>;
  constexpr auto unit = static_cast<std::int64_t>(lanes::unit);
  if (length < unit) {
    smallest_lanes<hn::CappedTag<Bits, 1>> one_by_one;
    for (std::int64_t i = 0; i < length; ++i) one_by_one.take(x + i);
    return one_by_one.least();
  }
  lanes a, b;
  std::int64_t i = 0;
  for (; i + 2 * unit <= length; i += 2 * unit) {
    a.take(x + i);
    b.take(x + i + unit);
  }
  for (; i + unit <= length; i += unit) a.take(x + i);
  // The last one begins where it ends with the last element.
  b.take(x + length - unit);
  a.take(b);
  return a.least();
}

// What smallest_of_run() means: infinity where all are zero.
template <class T, class Bits>
HWY_INLINE T magnitude_above(Bits least) {
  if (least == std::numeric_limits<Bits>::max()) return infinity<T>();
  return from_bits<T>(static_cast<Bits>(least + 1));
}

// See sum.hpp.
template <class T>
T smallest_magnitude(const T* x, std::int64_t step, std::int64_t rows, std::int64_t length) {
  using bits = typename float_format<T>::bits_type;
  const auto* from = reinterpret_cast<const bits*>(x);
  if (step == length) {
    length *= rows;
    rows = 1;
  }
  bits least = std::numeric_limits<bits>::max();
  for (std::int64_t i = 0; i < rows; ++i) {
    least = std::min(least, smallest_of_run(from + i * step, length));
  }
  return magnitude_above<T>(least);
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
