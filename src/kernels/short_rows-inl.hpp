// The table of short_rows.hpp for HALFULP_ELEMENT, the element type that the including file
// defines. Included once for each target. SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_SHORT_ROWS_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_SHORT_ROWS_INL_HPP
#undef HALFULP_KERNELS_SHORT_ROWS_INL_HPP
#else
#define HALFULP_KERNELS_SHORT_ROWS_INL_HPP
#endif

#include <algorithm>
#include <cstring>

#include "kernels/finish_step-inl.hpp"
#include "kernels/interleaved-inl.hpp"
#include "kernels/row_sum-inl.hpp"
#include "kernels/short_rows.hpp"
#include "kernels/smallest-inl.hpp"
#include "kernels/sum_bound.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR

// The rows of a block.
template <class T>
struct short_block {
  const T* x;
  std::int64_t length;
  std::int64_t readable;  // elements at x
};

// Sums rows in numbers of D's type, with precision Q, and rounds them to T. L is the length of a
// row, or 0 for any.
template <class D, class T, power P, root R, precision Q, std::size_t L>
class short_rows {
  static constexpr bool in_floats = std::is_same_v<hn::TFromD<D>, float>;
  using sum = row_sum<D, T, P, Q>;
  using tag = std::conditional_t<L == 0, group_tag<D>, D>;  // of vectors of sums

 public:
  // Stores the results; whether they are certain.
  static HWY_INLINE bool settle(const short_block<T>& block, T* results) {
    const std::int64_t depth =
        L == 0 ? block.length / static_cast<std::int64_t>(sum::unit) + 1 + group_depth<D> : L;
    if constexpr (Q == precision::pair) {
      return settle_pairs(block, depth, results);
    } else {
      nearest_step<T, P, R, tag> step(static_cast<std::uint32_t>(places(block, depth)));
      for_each_sum(block, [&](std::int64_t j, const auto& sums)
                              HWY_ATTR { step.finish(sums, results + j); });
      // Floats have few more digits than squares of 16-bit elements.
      constexpr bool may_be_exact = !in_floats || R == root::no;
      return step.certain() || (may_be_exact && step.at_most(highest_exact(block)));
    }
  }

 private:
  // Calls take(j, sums) with the sums of some rows from the j-th on.
  template <class Take>
  static HWY_INLINE void for_each_sum(const short_block<T>& block, const Take& take) {
    if constexpr (L == 0) {
      const row_block rows{block.length, short_rows_at_once, block.length, block.readable};
      sum_rows_with<sum, false>(D(), block.x, rows,
                                [&](std::int64_t j, const auto& sums, std::int64_t)
                                    HWY_ATTR { take(j, sums); });
    } else {
      sum_interleaved<L, P, Q>(D(), block.x, short_rows_at_once, take);
    }
  }

  static HWY_INLINE std::int64_t places(const short_block<T>& block, std::int64_t depth) {
    if constexpr (in_floats) {
      return places_in_floats(depth, block.length);
    } else {
      const certificate test = certify<T, P, T>(Q, HWY_NATIVE_FMA != 0, depth, 0, block.length);
      return static_cast<std::int64_t>(test.bound * 0x1p53) + 2;
    }
  }

  static HWY_INLINE double highest_exact(const short_block<T>& block) {
    using bits = typename float_format<T>::bits_type;
    const bits least =
        smallest_of_run(reinterpret_cast<const bits*>(block.x), short_rows_at_once * block.length);
    return certify_exact<T, P, T>(in_floats ? precision::runs : Q, R, magnitude_above<T>(least),
                                  block.length)
        .highest;
  }

  static HWY_INLINE bool settle_pairs(const short_block<T>& block, std::int64_t depth, T* results) {
    if constexpr (P == power::abs) {
      exact_step<tag> step;
      for_each_sum(block, [&](std::int64_t j, const auto& sums)
                              HWY_ATTR { step.finish(sums, results + j); });
      if (step.at_most(highest_exact(block))) return true;
    }
#if HWY_NATIVE_FMA
    if constexpr (R == root::yes) {
      root_step<tag> step(certify_quick_root<T>(depth));
      for_each_sum(block, [&](std::int64_t j, const auto& sums)
                              HWY_ATTR { step.finish(sums, results + j); });
      if (in_floats || step.certain()) return step.certain();
    }
#endif
    if constexpr (!in_floats) {
      const certificate test = certify<T, P, T>(Q, HWY_NATIVE_FMA != 0, depth, 0, block.length);
      finish_step<T, R, false, tag> step;
      for_each_sum(block, [&](std::int64_t j, const auto& sums)
                              HWY_ATTR { step.finish(sums, test, results + j); });
      return step.certain();
    }
  }
};

// Of a row with fewer elements than a vector of 16 floats has, or few times as many, most work
// would be to add up the lanes.
template <std::size_t L>
using short_floats = hn::CappedTag<float, L == 0 ? 8 : hn::MaxLanes(hn::ScalableTag<float>())>;

template <class T, power P, root R, std::size_t L>
HWY_INLINE bool settle_short_block(const short_block<T>& block, T* results) {
  if constexpr (sizeof(T) == 2) {
    using in_floats = short_rows<short_floats<L>, T, P, R, precision::plain, L>;
    if (in_floats::settle(block, results)) return true;
  }
#if HWY_NATIVE_FMA
  if constexpr (std::is_same_v<T, float> && R == root::yes) {
    using in_floats = short_rows<short_floats<L>, T, P, R, precision::pair, L>;
    if (in_floats::settle(block, results)) return true;
  }
#endif
  constexpr precision q = sizeof(T) == 8 ? precision::pair : precision::plain;
  return short_rows<wide, T, P, R, q, L>::settle(block, results);
}

template <bool Stream, class T>
HWY_INLINE void store_results(const T* results, T* out) {
  const hn::ScalableTag<std::uint32_t> d;
  constexpr std::size_t bytes = static_cast<std::size_t>(short_rows_at_once) * sizeof(T);
  constexpr std::size_t lanes = hn::MaxLanes(d);
  static_assert(bytes % (lanes * sizeof(std::uint32_t)) == 0);
  const auto* from = reinterpret_cast<const std::uint32_t*>(results);
  auto* to = reinterpret_cast<std::uint32_t*>(out);
  for (std::size_t i = 0; i < bytes / sizeof(std::uint32_t); i += lanes) {
    store<Stream>(d, hn::Load(d, from + i), to + i);
  }
}

template <class T, power P, root R, std::size_t L>
HWY_INLINE bool reduce_rows_of(const T* x, std::int64_t blocks, std::int64_t length, T* out,
                               bool stream, std::uint8_t* open) {
  stream = stream && is_aligned(out);
  bool all = true;
  for (std::int64_t b = 0; b < blocks; ++b) {
    HWY_ALIGN T results[short_rows_at_once];
    const short_block<T> block{x, length, (blocks - b) * short_rows_at_once * length};
    const bool certain = settle_short_block<T, P, R, L>(block, results);
    open[b] = certain ? 0 : 1;
    all = all && certain;
    stream ? store_results<true>(results, out) : store_results<false>(results, out);
    x += short_rows_at_once * length;
    out += short_rows_at_once;
  }
  return all;
}

// See short_rows.hpp.
template <class T, power P, root R>
bool reduce_short_rows(const T* x, std::int64_t blocks, std::int64_t length, T* out, bool stream,
                       std::uint8_t* open) {
  switch (length) {
    case 2:
      return reduce_rows_of<T, P, R, 2>(x, blocks, 2, out, stream, open);
    case 3:
      return reduce_rows_of<T, P, R, 3>(x, blocks, 3, out, stream, open);
    case 4:
      return reduce_rows_of<T, P, R, 4>(x, blocks, 4, out, stream, open);
    default:
      return reduce_rows_of<T, P, R, 0>(x, blocks, length, out, stream, open);
  }
}

#endif  // HWY_TARGET != HWY_SCALAR

static const short_row_kernels<HALFULP_ELEMENT>* short_row_kernels_here() {
#if HWY_TARGET != HWY_SCALAR
  using element = HALFULP_ELEMENT;
  if constexpr (converts_float16 || !std::is_same_v<element, float16>) {
    static constexpr short_row_kernels<element> kernels = {
        {{{reduce_short_rows<element, power::abs, root::no>, nullptr},
          {reduce_short_rows<element, power::square, root::no>,
           reduce_short_rows<element, power::square, root::yes>}}}};
    return &kernels;
  }
#endif
  static constexpr short_row_kernels<HALFULP_ELEMENT> none = {};
  return &none;
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfulp::kernels {

HWY_EXPORT(short_row_kernels_here);

template <>
const short_row_kernels<HALFULP_ELEMENT>& short_row_kernels_of<HALFULP_ELEMENT>() noexcept {
  return *HWY_DYNAMIC_DISPATCH(short_row_kernels_here)();
}

}  // namespace halfulp::kernels
#endif  // HWY_ONCE

#endif
