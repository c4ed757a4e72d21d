// Error-free extraction along rows and down columns (sum.hpp). Included once for each target.
// SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_EXTRACT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_EXTRACT_INL_HPP
#undef HALFULP_KERNELS_EXTRACT_INL_HPP
#else
#define HALFULP_KERNELS_EXTRACT_INL_HPP
#endif

#include <algorithm>
#include <cstring>

#include "kernels/accumulate-inl.hpp"
#include "kernels/prefetch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// A term, exactly: hi + lo, and for squares of doubles a mark, -1, where underflow makes that
// wrong. A negative bit among those of the residues then keeps the sum from passing for exact.
template <class D>
struct exact_term {
  hn::Vec<D> hi, lo, mark;
};

template <class T, power P>
inline constexpr bool needs_pair = P == power::square && std::is_same_v<T, double>;

template <power P, class D, class T>
HWY_INLINE exact_term<D> exact_terms(D d, const T* x) {
  if constexpr (needs_pair<T, P>) {
    const auto m = magnitudes(d, x);
    const pair<D> product = two_product(d, m, m);
    const auto tiny = hn::And(hn::Lt(m, hn::Set(d, smallest_exact_factor)), hn::Gt(m, hn::Zero(d)));
    return {product.hi, product.lo, hn::IfThenElseZero(tiny, hn::Set(d, -1.0))};
  } else {
    return {terms<D, P>(d, x), hn::Zero(d), hn::Zero(d)};
  }
}

// The state of an extraction, lane by lane: extracted_sum's fields.
template <class D>
struct extraction {
  hn::Vec<D> grid, residue, residue_bits;

  // A = `grid` grows by the term rounded to its unit; r = t - (A' - A) is what that left, exactly,
  // as A exceeds the term (Fast2Sum).
  template <power P, class T>
  HWY_INLINE void add(const T* x) {
    const exact_term<D> t = exact_terms<P>(D(), x);
    const auto next = hn::Add(grid, t.hi);
    auto r = hn::Sub(t.hi, hn::Sub(next, grid));
    grid = next;
    residue_bits = hn::Or(residue_bits, r);
    if constexpr (needs_pair<T, P>) {
      residue_bits = hn::Or(residue_bits, hn::Or(t.lo, t.mark));
      r = hn::Add(r, t.lo);
    }
    residue = hn::Add(residue, r);
  }
};

// Adds the lanes' states to a sum.
template <class D>
HWY_INLINE void gather_lanes(D d, const extraction<D> e, extracted_sum& sum) {
  constexpr std::size_t lanes = hn::MaxLanes(D());
  HWY_ALIGN double grid[lanes], residue[lanes], residue_bits[lanes];
  hn::Store(e.grid, d, grid);
  hn::Store(e.residue, d, residue);
  hn::Store(e.residue_bits, d, residue_bits);
  for (std::size_t i = 0; i < lanes; ++i) {
    sum.hi += grid[i] - sum.base;
    sum.lo += residue[i];
    sum.residue_bits |= to_bits(residue_bits[i]);
  }
}

template <class T, power P>
void extract_row(const T* x, std::int64_t length, extracted_sum& sum) {
  constexpr std::size_t lanes = hn::MaxLanes(wide());
  const wide d;
  const auto base = hn::Set(d, sum.base);
  // Three chains, since each addition to one waits for the one before.
  extraction<wide> a{base, hn::Zero(d), hn::Zero(d)}, b = a, c = a;
  auto n = static_cast<std::size_t>(length);
  for (; n >= 3 * lanes; n -= 3 * lanes, x += 3 * lanes) {
    prefetch_block<static_cast<std::ptrdiff_t>(3 * lanes * sizeof(T))>(x, prefetch_distance);
    a.template add<P>(x);
    b.template add<P>(x + lanes);
    c.template add<P>(x + 2 * lanes);
  }
  for (; n >= lanes; n -= lanes, x += lanes) a.template add<P>(x);
  gather_lanes(d, a, sum);
  gather_lanes(d, b, sum);
  gather_lanes(d, c, sum);
  if (n == 0) return;
  const single one;
  extraction<single> rest{hn::Set(one, sum.base), hn::Zero(one), hn::Zero(one)};
  for (; n > 0; --n, ++x) rest.template add<P>(x);
  gather_lanes(one, rest, sum);
}

template <class D, power P, class T>
HWY_INLINE void extract_columns_step(D d, const T* x, std::int64_t step, std::int64_t rows,
                                     const column_extraction& state, std::int64_t j) {
  extraction<D> e{hn::LoadU(d, state.grid + j), hn::LoadU(d, state.residue + j),
                  hn::LoadU(d, state.residue_bits + j)};
  for (std::int64_t i = 0; i < rows; ++i) {
    e.template add<P>(x + i * step + j);
  }
  hn::StoreU(e.grid, d, state.grid + j);
  hn::StoreU(e.residue, d, state.residue + j);
  hn::StoreU(e.residue_bits, d, state.residue_bits + j);
}

template <class T, power P>
void extract_columns(const T* x, std::int64_t step, std::int64_t rows, std::int64_t width,
                     const column_extraction& state) {
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(wide()));
  const rows_prefetch<T> ahead(rows_at_a_time, step, width);
  for (std::int64_t i = 0; i < rows; i += rows_at_a_time) {
    const std::int64_t count = std::min<std::int64_t>(rows_at_a_time, rows - i);
    std::int64_t j = 0;
    for (; j + lanes <= width; j += lanes) {
      if (j * static_cast<std::int64_t>(sizeof(T)) % cache_line == 0) {
        ahead.line(x + i * step, j, count);
      }
      extract_columns_step<wide, P>(wide(), x + i * step, step, count, state, j);
    }
    for (; j < width; ++j) {
      extract_columns_step<single, P>(single(), x + i * step, step, count, state, j);
    }
  }
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
