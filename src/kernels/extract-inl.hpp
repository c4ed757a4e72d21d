// Error-free extraction along rows and down columns (sum.hpp). Included once for each target.
// SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_EXTRACT_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_EXTRACT_INL_HPP
#undef HALFULP_KERNELS_EXTRACT_INL_HPP
#else
#define HALFULP_KERNELS_EXTRACT_INL_HPP
#endif

#include <algorithm>

#include "kernels/accumulate-inl.hpp"
#include "kernels/prefetch-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// Cuts t at the unit of `grid`, which grows by t rounded to a multiple of that. Returns what this
// leaves, exactly where the grid exceeds the term (Fast2Sum): where it does not, the base has been
// too small, which extracted_sum::is_valid() tells.
template <class D>
HWY_INLINE hn::Vec<D> cut(D, hn::Vec<D>& grid, hn::Vec<D> t) {
  const auto next = hn::Add(grid, t);
  const auto rest = hn::Sub(t, hn::Sub(next, grid));
  grid = next;
  return rest;
}

// The state of an extraction, lane by lane: extracted_sum's fields, the parts on their grids. Terms
// of 16-bit types are cut in D's type, float or double, others in double.
template <class D, class T, power P>
class extraction {
  using real = hn::TFromD<D>;
  static constexpr std::size_t count = cuts<T, P, real>;
  static constexpr bool loses_squares = P == power::square && smallest_square_root<T, real> > 0;

 public:
  HWY_INLINE explicit extraction(const extracted_sum& sum)
      : residue_(hn::Zero(D())), residue_bits_(hn::Zero(D())) {
    for (std::size_t i = 0; i < count; ++i) {
      grids_[i] = hn::Set(D(), static_cast<real>(sum.start(i)));
    }
  }
  HWY_INLINE extraction(const column_extraction<real>& state, std::int64_t j)
      : residue_(hn::LoadU(D(), state.residue + j)),
        residue_bits_(hn::LoadU(D(), state.residue_bits + j)) {
    for (std::size_t i = 0; i < count; ++i) grids_[i] = hn::LoadU(D(), state.grids[i] + j);
  }

  HWY_INLINE void store(const column_extraction<real>& state, std::int64_t j) const {
    for (std::size_t i = 0; i < count; ++i) hn::StoreU(grids_[i], D(), state.grids[i] + j);
    hn::StoreU(residue_, D(), state.residue + j);
    hn::StoreU(residue_bits_, D(), state.residue_bits + j);
  }

  // The terms of elements x.
  HWY_INLINE void add(hn::Vec<D> x) {
    const D d;
    if constexpr (P == power::abs) {
      add_term<0>(hn::Abs(x));
    } else {
      if constexpr (loses_squares) {
        // What has no exact square leaves its own bits, without a sign, among those of the
        // residues.
        x = hn::Abs(x);
        const auto lost = hn::Lt(x, hn::Set(d, smallest_square_root<T, real>));
        residue_bits_ = hn::Or(residue_bits_, hn::IfThenElseZero(lost, x));
        x = hn::IfThenZeroElse(lost, x);
      }
      if constexpr (std::is_same_v<T, double>) {
        const pair<D> square = two_product(d, x, x);
        add_term<0>(square.hi);
        add_term<1>(square.lo);
      } else {
        add_term<0>(hn::Mul(x, x));
      }
    }
  }

  // Goes on with what another one has added up to the same bases. Exact but for the residues.
  HWY_INLINE void merge(const extraction& other, const extracted_sum& start) {
    const D d;
    for (std::size_t i = 0; i < count; ++i) {
      const auto from = hn::Set(d, static_cast<real>(start.start(i)));
      grids_[i] = hn::Add(grids_[i], hn::Sub(other.grids_[i], from));
    }
    residue_ = hn::Add(residue_, other.residue_);
    residue_bits_ = hn::Or(residue_bits_, other.residue_bits_);
  }

  // Adds the lanes to a sum to the same bases.
  HWY_INLINE void gather(extracted_sum& sum) const {
    const D d;
    for (std::size_t i = 0; i < count; ++i) {
      const auto from = hn::Set(d, static_cast<real>(sum.start(i)));
      const auto part = hn::SumOfLanes(d, hn::Sub(grids_[i], from));
      sum.parts[i] += static_cast<double>(hn::GetLane(part));
    }
    sum.lo += static_cast<double>(hn::GetLane(hn::SumOfLanes(d, residue_)));
    HWY_ALIGN real bits[hn::MaxLanes(D())];
    hn::Store(residue_bits_, d, bits);
    for (const real b : bits) sum.residue_bits |= extracted_sum::bits_of(b);
  }

 private:
  // Adds a term that is so small that cuts before `First` would take nothing of it.
  template <std::size_t First>
  HWY_INLINE void add_term(hn::Vec<D> t) {
    const auto residue = cut_from<First>(t);
    residue_bits_ = hn::Or(residue_bits_, residue);
    residue_ = hn::Add(residue_, residue);
  }

  // Not a loop, for which GCC would keep the grids in memory.
  template <std::size_t First>
  HWY_INLINE hn::Vec<D> cut_from(hn::Vec<D> t) {
    if constexpr (First < count) {
      return cut_from<First + 1>(cut(D(), grids_[First], t));
    } else {
      return t;
    }
  }

  hn::Vec<D> grids_[count];
  hn::Vec<D> residue_, residue_bits_;
};

// Two vectors of elements, one for each: their order does not matter.
template <class D, class T, power P>
HWY_INLINE void add_vectors(D d, const T* x, extraction<D, T, P>& a, extraction<D, T, P>& b) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (std::is_same_v<T, bfloat16> && std::is_same_v<hn::TFromD<D>, float>) {
    const auto pairs = load_pairs(d, x);
    a.add(even_values(d, pairs));
    b.add(odd_values(d, pairs));
    return;
  }
#endif
  a.add(values(d, x));
  b.add(values(d, x + hn::MaxLanes(d)));
}

template <class F, class T, power P>
void extract_row(const T* x, std::int64_t length, extracted_sum& sum) {
  using vector = hn::ScalableTag<F>;
  using one = hn::CappedTag<F, 1>;
  const vector d;
  constexpr std::size_t lanes = hn::MaxLanes(d);
  // Two chains, since each addition to one waits for the one before.
  extraction<vector, T, P> a(sum), b(sum);
  auto n = static_cast<std::size_t>(length);
  for (; n >= 2 * lanes; n -= 2 * lanes, x += 2 * lanes) {
    prefetch_block<static_cast<std::ptrdiff_t>(2 * lanes * sizeof(T))>(x, prefetch_distance);
    add_vectors(d, x, a, b);
  }
  for (; n >= lanes; n -= lanes, x += lanes) a.add(values(d, x));
  a.merge(b, sum);
  a.gather(sum);
  if (n == 0) return;
  extraction<one, T, P> rest(sum);
  for (; n > 0; --n, ++x) rest.add(values(one(), x));
  rest.gather(sum);
}

template <class D, power P, class T>
HWY_INLINE void extract_columns_step(D d, const T* x, std::int64_t step, std::int64_t rows,
                                     const column_extraction<hn::TFromD<D>>& state,
                                     std::int64_t j) {
  extraction<D, T, P> e(state, j);
  for (std::int64_t i = 0; i < rows; ++i) e.add(values(d, x + i * step + j));
  e.store(state, j);
}

template <class F, class T, power P>
HWY_INLINE void extract_rows(const T* x, const row_streams<T>& streams, bool last,
                             std::int64_t rows, std::int64_t width,
                             const column_extraction<F>& state) {
  using vector = hn::ScalableTag<F>;
  using one = hn::CappedTag<F, 1>;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(vector()));
  std::int64_t j = 0;
  for (; j + lanes <= width; j += lanes) {
    if (j * static_cast<std::int64_t>(sizeof(T)) % cache_line == 0) {
      streams.prefetch_line(x, j, rows, last);
    }
    extract_columns_step<vector, P>(vector(), x, streams.step(), rows, state, j);
  }
  for (; j < width; ++j) {
    extract_columns_step<one, P>(one(), x, streams.step(), rows, state, j);
  }
}

template <class F, class T, power P>
void extract_columns(const T* x, std::int64_t step, std::int64_t rows, std::int64_t width,
                     const column_extraction<F>& state) {
  // So many that loading and storing the state of a column costs little.
  constexpr std::int64_t at_a_time = 2 * rows_at_a_time;
  const row_streams<T> streams(at_a_time, step, rows, width);
  std::int64_t i = 0;
  for (; i < streams.length(); ++i) {
    extract_rows<F, T, P>(x + i * step, streams, i + 1 == streams.length(), at_a_time, width,
                          state);
  }
  for (i *= at_a_time; i < rows; ++i) {
    extract_rows<F, T, P>(x + i * step, streams, false, 1, width, state);
  }
}

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
