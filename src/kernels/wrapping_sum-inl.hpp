// The tables of wrapping_sum.hpp for HALFULP_ELEMENT, the element type that the including file
// defines. Included once for each target. SPDX-License-Identifier: Apache-2.0

#if defined(HALFULP_KERNELS_WRAPPING_SUM_INL_HPP) == defined(HWY_TARGET_TOGGLE)
#ifdef HALFULP_KERNELS_WRAPPING_SUM_INL_HPP
#undef HALFULP_KERNELS_WRAPPING_SUM_INL_HPP
#else
#define HALFULP_KERNELS_WRAPPING_SUM_INL_HPP
#endif

#include <cstring>

#include "kernels/interleaved-inl.hpp"
#include "kernels/row_sum-inl.hpp"
#include "kernels/wrapping_sum.hpp"

HWY_BEFORE_NAMESPACE();
namespace halfulp::kernels::HWY_NAMESPACE {

// The low bits of a square: of 64 bits by three products of 32.
template <class D>
HWY_INLINE hn::Vec<D> low_square(D d, hn::Vec<D> x) {
#if HWY_TARGET == HWY_SCALAR
  (void)d;
  return hn::Mul(x, x);
#else
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    return hn::Mul(x, x);
  } else if constexpr (hn::MaxLanes(D()) == 1) {
    const auto lane = hn::GetLane(x);
    return hn::Set(d, lane * lane);
  } else {
    const hn::Repartition<std::uint32_t, D> halves;
    const auto low = hn::BitCast(halves, x);
    const auto high = hn::BitCast(halves, hn::ShiftRight<32>(x));
    return hn::Add(hn::MulEven(low, low), hn::ShiftLeft<33>(hn::MulEven(low, high)));
  }
#endif
}

// |v| or v^2 modulo 2^n, n the bits of a Word, v the elements as Words, of the signed type T or
// not. |INT_MIN| is 2^31 or 2^63.
template <class T, power P, class D>
HWY_INLINE hn::Vec<D> wrapping_terms_of(D d, hn::Vec<D> v) {
  if constexpr (P == power::square) {
    return low_square(d, v);
  } else if constexpr (std::is_signed_v<T>) {
    const hn::RebindToSigned<D> ds;
    const auto sign = hn::BitCast(d, hn::BroadcastSignBit(hn::BitCast(ds, v)));
    return hn::Sub(hn::Xor(v, sign), sign);
  } else {
    return v;
  }
}

template <power P, class D, class T>
HWY_INLINE hn::Vec<D> wrapping_terms(D d, const T* x) {
  hn::Vec<D> v;
  if constexpr (sizeof(T) == sizeof(hn::TFromD<D>)) {
    v = hn::BitCast(d, hn::LoadU(hn::Rebind<T, D>(), x));
  } else {
    const hn::Rebind<std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>, D> dw;
    v = hn::BitCast(d, hn::PromoteTo(dw, hn::LoadU(hn::Rebind<T, D>(), x)));
  }
  return wrapping_terms_of<T, P>(d, v);
}

template <class Word>
using words = hn::ScalableTag<Word>;

// 64-bit lanes whose low 32 bits add up to the sum modulo 2^32, or the lanes themselves.
template <class Word>
HWY_INLINE hn::Vec<words<std::uint64_t>> wide_lanes(hn::Vec<words<Word>> v) {
#if HWY_TARGET == HWY_SCALAR
  return hn::Set(words<std::uint64_t>(), hn::GetLane(v));
#else
  if constexpr (sizeof(Word) == 8) {
    return v;
  } else {
    const auto pairs = hn::BitCast(words<std::uint64_t>(), v);
    return hn::Add(pairs, hn::ShiftRight<32>(pairs));
  }
#endif
}

// The sum of a row, as row_sum (accumulate-inl.hpp).
template <class T, class Word, power P>
struct wrapping_row_sum {
  using sum = hn::Vec<words<std::uint64_t>>;
  using terms = hn::Vec<words<Word>>;
  using mask_tag = words<Word>;
  static constexpr std::size_t unit = hn::MaxLanes(mask_tag());
  static constexpr std::size_t block = 4 * unit;
  static constexpr int few = 4;
  // Measured: 2 to 14 percent faster than twice that.
  static constexpr std::ptrdiff_t ahead = prefetch_distance / 2;

  HWY_INLINE wrapping_row_sum() : a_(hn::Zero(mask_tag())), b_(hn::Zero(mask_tag())) {}
  HWY_INLINE void add_block(const T* x) {
    a_ = hn::Add(a_, hn::Add(term(x), term(x + unit)));
    b_ = hn::Add(b_, hn::Add(term(x + 2 * unit), term(x + 3 * unit)));
  }
  HWY_INLINE void add_unit(const T* x) { a_ = hn::Add(a_, term(x)); }
  HWY_INLINE void add(terms term) { b_ = hn::Add(b_, term); }
  HWY_INLINE sum total() const { return total_of(hn::Add(a_, b_)); }

  static HWY_INLINE terms term(const T* x) { return wrapping_terms<P>(mask_tag(), x); }
  template <class M>
  static HWY_INLINE terms masked_term(const T* x, M mask) {
    return hn::IfThenElseZero(mask, term(x));
  }
  static HWY_INLINE terms plus(terms a, terms b) { return hn::Add(a, b); }
  static HWY_INLINE sum total_of(terms v) { return wide_lanes<Word>(v); }

 private:
  terms a_, b_;
};

// Of `count` sums, as lanes of 64 bits, the low bits that a Word has.
template <bool Stream, class D, class Word>
HWY_INLINE void store_words(D d, hn::Vec<D> sums, std::int64_t count, Word* to) {
  const hn::Rebind<Word, D> dw;
  hn::Vec<decltype(dw)> low;
  if constexpr (sizeof(Word) == 8) {
    low = sums;
  } else {
    low = hn::TruncateTo(dw, sums);
  }
  if (count == static_cast<std::int64_t>(hn::MaxLanes(d))) {
    store<Stream>(dw, low, to);
  } else {
    Word some[hn::MaxLanes(dw)];
    hn::StoreU(low, dw, some);
    std::memcpy(to, some, static_cast<std::size_t>(count) * sizeof(Word));
  }
}

#if HWY_TARGET != HWY_SCALAR
// The sums of rows of L elements without gaps, for as many as whole vectors have room for. Returns
// their number.
template <std::size_t L, bool Stream, power P, class T, class Word>
HWY_INLINE std::int64_t sum_interleaved_words(const T* x, std::int64_t rows, Word* sums) {
  const words<Word> d;
  constexpr auto lanes = static_cast<std::int64_t>(hn::MaxLanes(d));
  std::int64_t j = 0;
  for (; j + lanes <= rows; j += lanes, x += lanes * L) {
    prefetch_block<lanes * L * sizeof(T)>(x, prefetch_distance);
    hn::Vec<decltype(d)> v[L];
    load_rows(d, reinterpret_cast<const Word*>(x), v);
    auto sum = wrapping_terms_of<T, P>(d, v[0]);
    for (std::size_t i = 1; i < L; ++i) sum = hn::Add(sum, wrapping_terms_of<T, P>(d, v[i]));
    store<Stream>(d, sum, sums + j);
  }
  return j;
}
#endif

template <bool Stream, power P, class T, class Word>
HWY_INLINE void sum_word_rows(const T* x, std::int64_t step, std::int64_t rows, std::int64_t length,
                              Word* sums) {
#if HWY_TARGET != HWY_SCALAR
  if constexpr (sizeof(T) == sizeof(Word)) {
    if (step == length && length >= 2 && length <= 4) {
      const std::int64_t done = length == 2   ? sum_interleaved_words<2, Stream, P>(x, rows, sums)
                                : length == 3 ? sum_interleaved_words<3, Stream, P>(x, rows, sums)
                                              : sum_interleaved_words<4, Stream, P>(x, rows, sums);
      x += done * step;
      sums += done;
      rows -= done;
      if (rows == 0) return;
    }
  }
#endif
  using wide_words = words<std::uint64_t>;
  const auto take = [&](std::int64_t j, const auto& lanes, std::int64_t count) HWY_ATTR {
    store_words<Stream>(group_tag<wide_words>(), lanes, count, sums + j);
  };
  sum_rows_with<wrapping_row_sum<T, Word, P>, true>(wide_words(), x,
                                                    whole_block(step, rows, length), take);
}

template <class T, class Word, power P>
void wrapping_rows(const T* x, std::int64_t step, std::int64_t rows, std::int64_t length,
                   Word* sums, bool stream) {
  if (stream && is_aligned(sums)) {
    sum_word_rows<true, P>(x, step, rows, length, sums);
  } else {
    sum_word_rows<false, P>(x, step, rows, length, sums);
  }
}

template <int R, power P, class D, class T>
HWY_INLINE hn::Vec<D> wrapping_rows_sum(D d, const T* x, std::int64_t step) {
  auto v = wrapping_terms<P>(d, x);
  for (int r = 1; r < R; ++r) v = hn::Add(v, wrapping_terms<P>(d, x + r * step));
  return v;
}

// Adds R rows' elements of columns from the j-th on to their sums, as long as D's vectors are
// filled.
template <int R, power P, class D, class T, class Word>
HWY_INLINE void add_wrapping_vectors(D d, const T* x, std::int64_t step, std::int64_t width,
                                     std::int64_t& j, Word* sums) {
  constexpr auto unit = static_cast<std::int64_t>(hn::MaxLanes(D()));
  for (; j + unit <= width; j += unit) {
    const auto v = wrapping_rows_sum<R, P>(d, x + j, step);
    hn::StoreU(hn::Add(hn::LoadU(d, sums + j), v), d, sums + j);
  }
}

template <int R, power P, class T, class Word>
HWY_INLINE void add_wrapping_rows(const T* x, const row_streams<T>& streams, bool last,
                                  std::int64_t width, Word* sums) {
  using vector = words<Word>;
  constexpr std::int64_t line = cache_line / static_cast<std::int64_t>(sizeof(T));
  static_assert(line % static_cast<std::int64_t>(hn::MaxLanes(vector())) == 0);
  const std::int64_t step = streams.step();
  std::int64_t j = 0;
  while (j + line <= width) {
    streams.prefetch_line(x, j, R, last);
    add_wrapping_vectors<R, P>(vector(), x, step, j + line, j, sums);
  }
  add_wrapping_vectors<R, P>(vector(), x, step, width, j, sums);
  // What is left over by short vectors, then one by one.
  add_wrapping_vectors<R, P>(hn::CappedTag<Word, 16 / sizeof(Word)>(), x, step, width, j, sums);
  add_wrapping_vectors<R, P>(hn::CappedTag<Word, 1>(), x, step, width, j, sums);
}

template <class T, class Word, power P>
void wrapping_columns(const T* x, std::int64_t step, std::int64_t rows, std::int64_t width,
                      Word* sums) {
  const row_streams<T> streams(rows_at_a_time, step, rows, width);
  std::int64_t i = 0;
  for (; i < streams.length(); ++i) {
    add_wrapping_rows<rows_at_a_time, P>(x + i * step, streams, i + 1 == streams.length(), width,
                                         sums);
  }
  for (i *= rows_at_a_time; i < rows; ++i) {
    add_wrapping_rows<1, P>(x + i * step, streams, false, width, sums);
  }
}

template <class T, class Word>
const wrapping_kernels<T, Word>* wrapping_kernels_here() {
  static constexpr wrapping_kernels<T, Word> kernels = {
      {wrapping_rows<T, Word, power::abs>, wrapping_rows<T, Word, power::square>},
      {wrapping_columns<T, Word, power::abs>, wrapping_columns<T, Word, power::square>}};
  return &kernels;
}

static const wrapping_kernels<HALFULP_ELEMENT, std::uint64_t>* wrapping_kernels_64() {
  return wrapping_kernels_here<HALFULP_ELEMENT, std::uint64_t>();
}
#ifdef HALFULP_ELEMENT_HAS_32_BITS
static const wrapping_kernels<HALFULP_ELEMENT, std::uint32_t>* wrapping_kernels_32() {
  return wrapping_kernels_here<HALFULP_ELEMENT, std::uint32_t>();
}
#endif

}  // namespace halfulp::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace halfulp::kernels {

HWY_EXPORT(wrapping_kernels_64);
template <>
const wrapping_kernels<HALFULP_ELEMENT, std::uint64_t>&
wrapping_kernels_of<HALFULP_ELEMENT, std::uint64_t>() noexcept {
  return *HWY_DYNAMIC_DISPATCH(wrapping_kernels_64)();
}

#ifdef HALFULP_ELEMENT_HAS_32_BITS
HWY_EXPORT(wrapping_kernels_32);
template <>
const wrapping_kernels<HALFULP_ELEMENT, std::uint32_t>&
wrapping_kernels_of<HALFULP_ELEMENT, std::uint32_t>() noexcept {
  return *HWY_DYNAMIC_DISPATCH(wrapping_kernels_32)();
}
#endif

}  // namespace halfulp::kernels
#endif  // HWY_ONCE

#endif
