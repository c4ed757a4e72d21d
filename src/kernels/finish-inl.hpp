// The table of finish.hpp for HALFULP_OUTPUT, the output type that the including file defines.
// Included once for each target. SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_FINISH_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_FINISH_INL_HPP
#undef HALFULP_KERNELS_FINISH_INL_HPP
#else
#define HALFULP_KERNELS_FINISH_INL_HPP
#endif

#include "kernels/finish.hpp"
#include "kernels/finish_step-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// Finishes n sums, block by block; a block that is not all certain once more, one by one. The
// certificate is a copy, which what is stored cannot change: it stays in registers.
template <class Out, root R, bool Exact>
HWY_INLINE bool finish_all(const double* hi, const double* lo, std::int64_t n,
                           const certificate test, Out* out, std::uint8_t* open) {
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(wide()));
  constexpr std::int64_t block = 4 * lanes;
  const auto sums_at = [hi, lo](auto d, std::int64_t j) HWY_ATTR {
    return pair<decltype(d)>{hn::LoadU(d, hi + j),
                             lo == nullptr ? hn::Zero(d) : hn::LoadU(d, lo + j)};
  };
  bool all = true;
  const auto one_by_one = [&](std::int64_t begin, std::int64_t end) HWY_ATTR {
    for (std::int64_t j = begin; j < end; ++j) {
      finish_step<Out, R, Exact, single> step;
      step.finish(sums_at(single(), j), test, out + j);
      open[j] = step.certain() ? 0 : 1;
      all = all && open[j] == 0;
    }
  };
  std::int64_t j = 0;
  for (; j + block <= n; j += block) {
    finish_step<Out, R, Exact, wide> step;
    for (std::int64_t k = j; k < j + block; k += lanes) {
      step.finish(sums_at(wide(), k), test, out + k);
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
  constexpr bool may_be_exact = R == root::no || !std::is_same_v<Out, double>;
  if (!(test.bound <= largest_bound) || (test.exact && !may_be_exact)) {
    std::fill_n(open, n, std::uint8_t{1});
    return false;
  }
  if constexpr (may_be_exact) {
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
