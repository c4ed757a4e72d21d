// How terms are added up: the three precisions of sum.hpp, along rows and down columns. Included
// once for each target. SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_ACCUMULATE_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_ACCUMULATE_INL_HPP
#undef HALFULP_KERNELS_ACCUMULATE_INL_HPP
#else
#define HALFULP_KERNELS_ACCUMULATE_INL_HPP
#endif

#include <type_traits>

#include "kernels/lanes-inl.hpp"
#include "kernels/prefetch-inl.hpp"
#include "kernels/sum.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// Floats that short runs are added in: two vectors of doubles hold what one vector of them does.
template <class D>
using run_tag =
    std::conditional_t<hn::MaxLanes(D()) == 1, hn::Rebind<float, D>, hn::Repartition<float, D>>;

// |x| or x^2: exact in D's type, or of 16-bit elements in float, but for squares of bfloat16 out of
// float's range (sum.hpp).
template <class D, power P, class T>
HWY_INLINE hn::Vec<D> terms(D d, const T* x) {
  if constexpr (P == power::abs) {
    return magnitudes(d, x);
  } else {
    const auto v = values(d, x);
    return hn::Mul(v, v);
  }
}

// sum + v, or sum + v^2, with one rounding where that is fast; of elements whose squares are exact,
// another one would change nothing.
template <power P, class D>
HWY_INLINE hn::Vec<D> plus_value(D, hn::Vec<D> sum, hn::Vec<D> v) {
  if constexpr (P == power::abs) {
    return hn::Add(sum, v);
  } else {
#if HWY_NATIVE_FMA
    return hn::MulAdd(v, v, sum);
#else
    return hn::Add(sum, hn::Mul(v, v));
#endif
  }
}

template <power P, class D, class T>
HWY_INLINE hn::Vec<D> plus_term(D d, hn::Vec<D> sum, const T* x) {
  if constexpr (P == power::abs) {
    return plus_value<P>(d, sum, magnitudes(d, x));
  } else {
    return plus_value<P>(d, sum, values(d, x));
  }
}

// Whether squares of Ts do not fit in one number of D's type.
template <class D, power P, class T>
inline constexpr bool splits_terms = P == power::square && sizeof(T) == sizeof(hn::TFromD<D>);

// The term of a magnitude, as a pair.
template <class D, power P, class T>
HWY_INLINE pair<D> pair_term_of(D d, hn::Vec<D> m) {
  if constexpr (P == power::abs) {
    return {m, hn::Zero(d)};
  } else if constexpr (splits_terms<D, P, T>) {
#if HWY_NATIVE_FMA
    return two_product(d, m, m);
#else
    static_assert(std::is_same_v<T, double>);
    // The part with 26 significant bits has an exact square, and the rest, (m - h)(m + h), is at
    // most 2^-24 m^2, so that its own rounding errors hardly matter.
    const hn::RebindToUnsigned<D> du;
    const auto upper = hn::Set(du, ~std::uint64_t{0} << 27);
    const auto h = hn::BitCast(d, hn::And(hn::BitCast(du, m), upper));
    return {hn::Mul(h, h), hn::Mul(hn::Sub(m, h), hn::Add(m, h))};
#endif
  } else {
    return {hn::Mul(m, m), hn::Zero(d)};
  }
}

template <class D, power P, class T>
HWY_INLINE pair<D> pair_terms(D d, const T* x) {
  return pair_term_of<D, P, T>(d, magnitudes(d, x));
}

// sum += the term at x.
template <class D, power P, class T>
HWY_INLINE void add_term(D d, pair<D> term, pair<D>& sum) {
  const pair<D> s = two_sum(d, sum.hi, term.hi);
  sum.hi = s.hi;
  if constexpr (splits_terms<D, P, T>) {
    sum.lo = hn::Add(sum.lo, hn::Add(s.lo, term.lo));
  } else {
    sum.lo = hn::Add(sum.lo, s.lo);
  }
}

// ---- along a row ----
//
// A row_sum takes a row in blocks, in units of what is left over, and one masked unit at the end.
// Rows of less than `few` units are taken as terms, added up one after the other. Elements are
// asked for `ahead` bytes before they are needed. `depth(n)` bounds the additions that a term
// passes through, total() included. Constructors are written out, since one that the compiler makes
// is not compiled for the target.

template <class D, class T, power P, precision Q>
struct row_sum;

template <class D, class T, power P>
struct row_sum<D, T, P, precision::plain> {
  using sum = hn::Vec<D>;
  using mask_tag = D;
  static constexpr std::size_t unit = hn::MaxLanes(D());
  static constexpr std::size_t block = 8 * unit;
  static constexpr int few = 8;
  static constexpr std::ptrdiff_t ahead = prefetch_distance;
  static constexpr std::int64_t depth(std::int64_t n) {
    return 2 * (n / static_cast<std::int64_t>(block)) + 1 + 8 + 2;
  }

  HWY_INLINE row_sum()
      : a_(hn::Zero(D())), b_(hn::Zero(D())), c_(hn::Zero(D())), e_(hn::Zero(D())) {}
  HWY_INLINE void add_block(const T* x) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (std::is_same_v<T, bfloat16> && std::is_same_v<hn::TFromD<D>, double> &&
                  unit > 1) {
      add_pairs(x, a_, b_);
      add_pairs(x + 4 * unit, c_, e_);
      return;
    }
#endif
    add_to(a_, x);
    add_to(b_, x + unit);
    add_to(c_, x + 2 * unit);
    add_to(e_, x + 3 * unit);
    add_to(a_, x + 4 * unit);
    add_to(b_, x + 5 * unit);
    add_to(c_, x + 6 * unit);
    add_to(e_, x + 7 * unit);
  }
  HWY_INLINE void add_unit(const T* x) { add_to(a_, x); }
  HWY_INLINE void add(sum term) { b_ = hn::Add(b_, term); }
  HWY_INLINE sum total() const { return hn::Add(hn::Add(a_, b_), hn::Add(c_, e_)); }

  static HWY_INLINE sum term(const T* x) { return terms<D, P>(D(), x); }
  template <class M>
  static HWY_INLINE sum masked_term(const T* x, M mask) {
    return hn::IfThenElseZero(mask, term(x));
  }
  static HWY_INLINE sum plus(sum a, sum b) { return hn::Add(a, b); }
  static HWY_INLINE sum total_of(sum terms) { return terms; }

 private:
  static HWY_INLINE void add_to(sum& s, const T* x) { s = plus_term<P>(D(), s, x); }

#if HWY_TARGET != HWY_SCALAR
  // Of four units of bfloat16 elements, two each.
  static HWY_INLINE void add_pairs(const T* x, sum& s, sum& t) {
    using floats = hn::Repartition<float, D>;
    const auto pairs = load_pairs(floats(), x);
    add_halves(even_values(floats(), pairs), s, t);
    add_halves(odd_values(floats(), pairs), s, t);
  }
  template <class V>
  static HWY_INLINE void add_halves(V v, sum& s, sum& t) {
    using half = hn::Rebind<float, D>;
    if constexpr (P == power::abs) v = hn::Abs(v);
    s = plus_value<P>(D(), s, hn::PromoteTo(D(), hn::LowerHalf(half(), v)));
    t = plus_value<P>(D(), t, hn::PromoteTo(D(), hn::UpperHalf(half(), v)));
  }
#endif

  sum a_, b_, c_, e_;
};

template <class D, class T, power P>
struct row_sum<D, T, P, precision::runs> {
  using sum = hn::Vec<D>;
  using mask_tag = run_tag<D>;
  static constexpr std::size_t unit = hn::MaxLanes(mask_tag());
  static constexpr std::size_t block = 8 * unit;
  static constexpr int few = 4;  // with what is left over, a run of four terms
  static constexpr std::ptrdiff_t ahead = prefetch_distance;
  // In double; runs_depth more in float.
  static constexpr std::int64_t depth(std::int64_t n) {
    return n / static_cast<std::int64_t>(block) + 8 + 1;
  }

  HWY_INLINE row_sum() : a_(hn::Zero(D())), b_(hn::Zero(D())) {}
  HWY_INLINE void add_block(const T* x) {
    add_floats(hn::Add(sum_of_four(x), sum_of_four(x + 4 * unit)));
  }
  HWY_INLINE void add_half_block(const T* x) { add_floats(sum_of_four(x)); }
  HWY_INLINE void add_unit(const T* x) { add_floats(term(x)); }
  HWY_INLINE void add(hn::Vec<mask_tag> term) { add_floats(term); }
  HWY_INLINE sum total() const { return hn::Add(a_, b_); }

  using floats = hn::Vec<mask_tag>;
  static HWY_INLINE floats term(const T* x) { return terms<mask_tag, P>(mask_tag(), x); }
  template <class M>
  static HWY_INLINE floats masked_term(const T* x, M mask) {
    return hn::IfThenElseZero(mask, term(x));
  }
  static HWY_INLINE floats plus(floats a, floats b) { return hn::Add(a, b); }
  static HWY_INLINE sum total_of(floats terms) {
    row_sum s;
    s.add_floats(terms);
    return s.total();
  }

 private:
  static HWY_INLINE floats sum_of_four(const T* x) {
    return hn::Add(hn::Add(term(x), term(x + unit)),
                   hn::Add(term(x + 2 * unit), term(x + 3 * unit)));
  }
  HWY_INLINE void add_floats(floats v) {
#if HWY_TARGET == HWY_SCALAR
    a_ = hn::Add(a_, hn::PromoteTo(D(), v));
#else
    const hn::Half<mask_tag> half;
    a_ = hn::Add(a_, hn::PromoteTo(D(), hn::LowerHalf(half, v)));
    b_ = hn::Add(b_, hn::PromoteTo(D(), hn::UpperHalf(half, v)));
#endif
  }
  sum a_, b_;
};

template <class D, class T, power P>
struct row_sum<D, T, P, precision::pair> {
  using sum = pair<D>;
  using mask_tag = D;
  static constexpr std::size_t unit = hn::MaxLanes(D());
  static constexpr std::size_t block = 4 * unit;
  static constexpr int few = 8;
  static constexpr std::ptrdiff_t ahead = prefetch_distance;
  static constexpr std::int64_t depth(std::int64_t n) {
    return 2 * (n / static_cast<std::int64_t>(block) + 1) + 4 + 1;
  }

  HWY_INLINE row_sum() : a_{hn::Zero(D()), hn::Zero(D())}, b_{hn::Zero(D()), hn::Zero(D())} {}
  HWY_INLINE void add_block(const T* x) {
    add_to(a_, term(x));
    add_to(b_, term(x + unit));
    add_to(a_, term(x + 2 * unit));
    add_to(b_, term(x + 3 * unit));
  }
  HWY_INLINE void add_unit(const T* x) { add_to(a_, term(x)); }
  HWY_INLINE void add(sum term) { add_to(b_, term); }
  HWY_INLINE sum total() const { return combine(D(), a_, b_); }

  static HWY_INLINE sum term(const T* x) { return pair_terms<D, P>(D(), x); }
  template <class M>
  static HWY_INLINE sum masked_term(const T* x, M mask) {
    const sum t = term(x);
    return {hn::IfThenElseZero(mask, t.hi), hn::IfThenElseZero(mask, t.lo)};
  }
  static HWY_INLINE sum plus(sum a, sum b) {
    add_to(a, b);
    return a;
  }
  static HWY_INLINE sum total_of(sum terms) { return terms; }

 private:
  static HWY_INLINE void add_to(sum& s, sum t) { add_term<D, P, T>(D(), t, s); }
  sum a_, b_;
};

// ---- down columns ----
//
// A column_step adds R rows' elements of `unit` neighbouring columns to their sums, or, with Fresh,
// starts the sums with them. `rows` at a time are best.

template <class D, class T, power P, precision Q>
struct column_step;

// The sum of terms of R rows by a tree.
template <int R, class D, power P, class T>
HWY_INLINE hn::Vec<D> rows_sum(D d, const T* x, std::int64_t step) {
  if constexpr (R == 1) {
    return terms<D, P>(d, x);
  } else if constexpr (R == 2) {
    return plus_term<P>(d, terms<D, P>(d, x), x + step);
  } else {
    return hn::Add(rows_sum<R / 2, D, P>(d, x, step),
                   rows_sum<R / 2, D, P>(d, x + R / 2 * step, step));
  }
}

#if HWY_TARGET != HWY_SCALAR
// The same of bfloat16 elements of twice as many columns, those of even and of odd index apart.
template <int R, class DF, power P>
HWY_INLINE even_odd<DF> even_odd_rows_sum(DF df, const bfloat16* x, std::int64_t step) {
  if constexpr (R == 1) {
    const auto pairs = load_pairs(df, x);
    const auto even = hn::Abs(even_values(df, pairs)), odd = hn::Abs(odd_values(df, pairs));
    if constexpr (P == power::abs) return {even, odd};
    return {hn::Mul(even, even), hn::Mul(odd, odd)};
  } else {
    const auto a = even_odd_rows_sum<R / 2, DF, P>(df, x, step);
    const auto b = even_odd_rows_sum<R / 2, DF, P>(df, x + R / 2 * step, step);
    return {hn::Add(a.even, b.even), hn::Add(a.odd, b.odd)};
  }
}
#endif

template <bool Fresh, class D>
HWY_INLINE void add_to_sums(D d, hn::Vec<D> v, double* sums) {
  hn::StoreU(Fresh ? v : hn::Add(hn::LoadU(d, sums), v), d, sums);
}

template <class D, class T, power P>
struct column_step<D, T, P, precision::plain> {
  static constexpr int rows = rows_at_a_time;
  static constexpr std::size_t unit = hn::MaxLanes(D());
  template <int R, bool Fresh>
  static HWY_INLINE void add(const T* x, std::int64_t step, double* hi, double*) {
    add_to_sums<Fresh>(D(), rows_sum<R, D, P>(D(), x, step), hi);
  }
};

template <class D, class T, power P>
struct column_step<D, T, P, precision::runs> {
  using floats = run_tag<D>;
  static constexpr bool by_pairs = HWY_TARGET != HWY_SCALAR && std::is_same_v<T, bfloat16> &&
                                   hn::MaxLanes(floats()) > hn::MaxLanes(D());
  static constexpr int rows = 8;  // a tree of them is as deep as the bound allows
  static constexpr std::size_t unit = (by_pairs ? 2 : 1) * hn::MaxLanes(floats());
  template <int R, bool Fresh>
  static HWY_INLINE void add(const T* x, std::int64_t step, double* hi, double*) {
#if HWY_TARGET != HWY_SCALAR
    if constexpr (by_pairs) {
      const auto v = even_odd_rows_sum<R, floats, P>(floats(), x, step);
      HWY_ALIGN float in_order[unit];
      hn::StoreInterleaved2(v.even, v.odd, floats(), in_order);
      add_floats<Fresh>(hn::Load(floats(), in_order), hi);
      add_floats<Fresh>(hn::Load(floats(), in_order + unit / 2), hi + unit / 2);
      return;
    }
#endif
    add_floats<Fresh>(rows_sum<R, floats, P>(floats(), x, step), hi);
  }

 private:
  template <bool Fresh>
  static HWY_INLINE void add_floats(hn::Vec<floats> v, double* hi) {
    constexpr std::size_t lanes = hn::MaxLanes(floats());
    if constexpr (lanes == hn::MaxLanes(D())) {
      add_to_sums<Fresh>(D(), hn::PromoteTo(D(), v), hi);
    } else {
#if HWY_TARGET != HWY_SCALAR
      const hn::Half<floats> half;
      add_to_sums<Fresh>(D(), hn::PromoteTo(D(), hn::LowerHalf(half, v)), hi);
      add_to_sums<Fresh>(D(), hn::PromoteTo(D(), hn::UpperHalf(half, v)), hi + lanes / 2);
#endif
    }
  }
};

template <class D, class T, power P>
struct column_step<D, T, P, precision::pair> {
  static constexpr int rows = rows_at_a_time;
  static constexpr std::size_t unit = hn::MaxLanes(D());
  template <int R, bool Fresh>
  static HWY_INLINE void add(const T* x, std::int64_t step, double* hi, double* lo) {
    const D d;
    pair<D> sum = Fresh ? pair_terms<D, P>(d, x) : pair<D>{hn::LoadU(d, hi), hn::LoadU(d, lo)};
    for (int r = Fresh ? 1 : 0; r < R; ++r) {
      add_term<D, P, T>(d, pair_terms<D, P>(d, x + r * step), sum);
    }
    hn::StoreU(sum.hi, d, hi);
    hn::StoreU(sum.lo, d, lo);
  }
};

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
