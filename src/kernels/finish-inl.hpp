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
#include "kernels/pair-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// Whether value is in the certificate's range: NaN and what is not finite is not.
template <class D>
HWY_INLINE hn::Mask<D> in_range(D d, hn::Vec<D> value, const certificate& test) {
  const auto in_range =
      hn::And(hn::Ge(value, hn::Set(d, test.lowest)), hn::Le(value, hn::Set(d, test.highest)));
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

  HWY_INLINE void finish(const double* hi, const double* lo, const certificate& test, Out* out) {
    const D d;
    const pair<D> s{hn::LoadU(d, hi), lo == nullptr ? hn::Zero(d) : hn::LoadU(d, lo)};
    if constexpr (std::is_same_v<Out, double>) {
      finish_double(s, test, out);
    } else {
      const auto value = hn::Add(s.hi, s.lo);
      settle(in_range(d, value, test));
      if constexpr (Exact) {
        encode(d, rounded<Out>(d, value), out);
      } else {
        finish_narrow(value, test, out);
      }
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

// Finishes n sums, block by block; a block that is not all certain once more, one by one. The
// certificate is a copy, which what is stored cannot change: it stays in registers.
template <class Out, root R, bool Exact>
HWY_INLINE bool finish_all(const double* hi, const double* lo, std::int64_t n,
                           const certificate test, Out* out, std::uint8_t* open) {
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(wide()));
  constexpr std::int64_t block = 4 * lanes;
  const auto low_at = [lo](std::int64_t j) { return lo == nullptr ? nullptr : lo + j; };
  bool all = true;
  const auto one_by_one = [&](std::int64_t begin, std::int64_t end) HWY_ATTR {
    for (std::int64_t j = begin; j < end; ++j) {
      finish_step<Out, R, Exact, single> step;
      step.finish(hi + j, low_at(j), test, out + j);
      open[j] = step.certain() ? 0 : 1;
      all = all && open[j] == 0;
    }
  };
  std::int64_t j = 0;
  for (; j + block <= n; j += block) {
    finish_step<Out, R, Exact, wide> step;
    for (std::int64_t k = j; k < j + block; k += lanes) {
      step.finish(hi + k, low_at(k), test, out + k);
    }
    if (step.certain()) {
      std::memset(open + j, 0, static_cast<std::size_t>(block));
    } else {
      one_by_one(j, j + block);
    }
  }
  one_by_one(j, n);
  return all;
}

template <class Out, root R>
bool finish_sums(const double* hi, const double* lo, std::int64_t n, const certificate& test,
                 Out* out, std::uint8_t* open) {
  if (!(test.bound <= largest_bound) || (test.exact && R == root::yes)) {
    std::fill_n(open, n, std::uint8_t{1});
    return false;
  }
  if constexpr (R == root::no) {
    if (test.exact) return finish_all<Out, R, true>(hi, lo, n, test, out, open);
  }
  return finish_all<Out, R, false>(hi, lo, n, test, out, open);
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
