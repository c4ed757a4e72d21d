// The table of finish.hpp for HALFULP_OUTPUT, the output type that the including file defines.
// Included once for each target. SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_FINISH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_FINISH_INL_HPP
#undef HALFULP_KERNELS_FINISH_INL_HPP
#else
#define HALFULP_KERNELS_FINISH_INL_HPP
#endif

#include "kernels/encode-inl.hpp"
#include "kernels/finish.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

template <class D>
HWY_INLINE pair<D> fast_two_sum(D, hn::Vec<D> a, hn::Vec<D> b) {
  const auto s = hn::Add(a, b);
  return {s, hn::Sub(b, hn::Sub(s, a))};
}

// sqrt(hi + lo) by one Newton step (certificate.hpp: sqrt_pair).
template <class D>
HWY_INLINE pair<D> sqrt_pair(D d, pair<D> s) {
  const auto y = hn::Sqrt(s.hi);
  const pair<D> square = two_product(d, y, y);
  const auto rest = hn::Add(hn::Sub(hn::Sub(s.hi, square.hi), square.lo), s.lo);
  return fast_two_sum(d, y, hn::Div(rest, hn::Add(y, y)));
}

// Finishes as many sums as D has lanes; true where that is certain. docs/numerics.md, "The rounding
// tests", proves it.
template <class Out, root R, class D>
HWY_INLINE hn::Mask<D> finish(D d, const double* hi, const double* lo, const certificate& test,
                              Out* out) {
  pair<D> s{hn::LoadU(d, hi), lo == nullptr ? hn::Zero(d) : hn::LoadU(d, lo)};
  hn::Vec<D> low, high, value;
  if constexpr (std::is_same_v<Out, double>) {
    s = fast_two_sum(d, s.hi, s.lo);
    value = s.hi;
    // 2^-100: lo -+ error is rounded.
    double error = test.exact ? 0 : test.bound + 0x1p-100;
    if constexpr (R == root::yes) {
      s = sqrt_pair(d, s);
      error = test.bound / 2 + test.bound * test.bound + 0x1p-100;
    }
    const auto width = hn::Mul(s.hi, hn::Set(d, error));
    low = hn::Add(s.hi, hn::Sub(s.lo, width));
    high = hn::Add(s.hi, hn::Add(s.lo, width));
    // The root of 0 has been divided by 0.
    if constexpr (R == root::yes) {
      const auto zero = hn::Eq(value, hn::Zero(d));
      low = hn::IfThenZeroElse(zero, low);
      high = hn::IfThenZeroElse(zero, high);
    }
  } else {
    value = hn::Add(s.hi, s.lo);
    auto v = value;
    double slack = test.exact ? 0 : test.bound + test_slack;
    if constexpr (R == root::yes) {
      v = hn::Sqrt(v);
      slack = test.bound / 2 + test.bound * test.bound + test_slack;
    }
    low = rounded<Out>(d, hn::Mul(v, hn::Set(d, 1 - slack)));
    high = rounded<Out>(d, hn::Mul(v, hn::Set(d, 1 + slack)));
  }
  encode(d, low, out);
  const auto in_range =
      hn::And(hn::Ge(value, hn::Set(d, test.lowest)), hn::Le(value, hn::Set(d, test.highest)));
  // No sum is -1.
  const auto zero = hn::Eq(value, hn::Set(d, test.exact_zero ? 0.0 : -1.0));
  return hn::And(hn::Or(in_range, zero), hn::Eq(low, high));
}

template <class Out, root R>
bool finish_sums(const double* hi, const double* lo, std::int64_t n, const certificate& test,
                 Out* out, std::uint8_t* open) {
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(wide()));
  constexpr std::int64_t block = 4 * lanes;
  bool all = true;
  // Bytes of `open` before this are set; none are until one sum stays open.
  const auto open_one_by_one = [&](std::int64_t begin, std::int64_t end) HWY_ATTR {
    for (std::int64_t j = begin; j < end; ++j) {
      const double* low = lo == nullptr ? nullptr : lo + j;
      open[j] = hn::AllTrue(single(), finish<Out, R>(single(), hi + j, low, test, out + j)) ? 0 : 1;
      all = all && open[j] == 0;
    }
  };
  if (!(test.bound <= largest_bound)) {
    std::fill_n(open, n, std::uint8_t{1});
    return false;
  }
  std::int64_t j = 0;
  for (; j + block <= n; j += block) {
    auto settled = finish<Out, R>(wide(), hi + j, lo == nullptr ? lo : lo + j, test, out + j);
    for (std::int64_t k = j + lanes; k < j + block; k += lanes) {
      settled = hn::And(settled,
                        finish<Out, R>(wide(), hi + k, lo == nullptr ? lo : lo + k, test, out + k));
    }
    if (hn::AllTrue(wide(), settled)) {
      std::memset(open + j, 0, static_cast<std::size_t>(block));
    } else {
      open_one_by_one(j, j + block);
    }
  }
  open_one_by_one(j, n);
  return all;
}

static const finish_kernels<HALFULP_OUTPUT>* finish_kernels_here() {
  static constexpr finish_kernels<HALFULP_OUTPUT> kernels = {
      {finish_sums<HALFULP_OUTPUT, root::no>, finish_sums<HALFULP_OUTPUT, root::yes>}};
  return &kernels;
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfulp::kernels {

HWY_EXPORT(finish_kernels_here);

template <>
const finish_kernels<HALFULP_OUTPUT>& finish_kernels_of<HALFULP_OUTPUT>() noexcept {
  return *HWY_DYNAMIC_DISPATCH(finish_kernels_here)();
}

}  // namespace halfulp::kernels
#endif  // HWY_ONCE

#endif
