// The kernels of sum.hpp, to be instantiated for one type at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "kernels/sum.hpp"
#include "kernels/term.hpp"

namespace halfulp::kernels {

namespace detail {

// Squares of doubles do not fit in a double. The part of x with 26 significant bits has an exact
// square; what is left, (x - h)(x + h), is at most 2^-24 x^2, so that its own rounding errors, a
// few 2^-53 of that, hardly matter.
struct split_square {
  double leading, rest;
};
inline split_square square(double x) noexcept {
  constexpr std::uint64_t low_bits = (std::uint64_t{1} << 27) - 1;
  const double h = from_bits<double>(to_bits(x) & ~low_bits);
  return {h * h, (x - h) * (x + h)};
}

template <typename T, power P>
constexpr bool splits_terms = std::same_as<T, double> && P == power::square;

// sum += term(x), in a pair whose second part is not normalised.
template <typename T, power P>
inline void add_to_pair(T x, double& s, double& c) noexcept {
  const double m = magnitude(x);
  if constexpr (splits_terms<T, P>) {
    const split_square t = square(m);
    const double_pair r = two_sum(s, t.leading);
    s = r.hi;
    c += r.lo + t.rest;
  } else {
    const double_pair r = two_sum(s, P == power::abs ? m : m * m);
    s = r.hi;
    c += r.lo;
  }
}

template <typename T, power P>
inline double term(T x) noexcept {
  const double m = magnitude(x);
  return P == power::abs ? m : m * m;
}

inline void add_to_sum(double value, approximate_sum& sum) noexcept {
  const double_pair r = two_sum(sum.hi, value);
  sum.hi = r.hi;
  sum.lo += r.lo;
}

// |S - S^| <= b S, for small b, gives |S - S^| <= b (1 + 2 b) S^.
constexpr double relative_to_approximation(double b) { return b * (1 + 2 * b); }

// The bound of a sum that went through pairs: `depth` two_sums lie on the way of a term at most,
// each followed by at most two additions to the second part.
//
// The second part adds up errors of at most 2^-53 of the sum each, and of a split square at most
// 2^-24 of it: |lo| <= (depth 2^-53 + 2^-24 [split]) S. Each of its 2 depth additions rounds by
// 2^-53 of that; the rest of a split square brings three roundings of its own. 1.25 pays for the
// higher-order terms, 2^-100 for products that underflow in the pair range.
constexpr double pair_bound(double depth, bool split) {
  const double lo = depth * 0x1p-53 + (split ? 0x1p-24 : 0);
  const double b = 1.25 * 2 * depth * 0x1p-53 * lo + (split ? 3 * 0x1p-77 : 0) + 0x1p-100;
  return relative_to_approximation(b);
}

}  // namespace detail

template <float_element T, power P, precision Q>
void row_sum<T, P, Q>::add(const T* x, std::int64_t n, approximate_sum& sum) noexcept {
  while (n > 0) {
    const std::int64_t count = std::min(n, chunk);
    const std::int64_t whole = count - count % lanes;
    double s[lanes] = {};
    if constexpr (Q == precision::plain) {
      for (std::int64_t i = 0; i < whole; i += lanes) {
        for (int l = 0; l < lanes; ++l) s[l] += detail::term<T, P>(x[i + l]);
      }
      for (std::int64_t i = whole; i < count; ++i) s[i - whole] += detail::term<T, P>(x[i]);
      for (int half = lanes / 2; half > 0; half /= 2) {
        for (int l = 0; l < half; ++l) s[l] += s[l + half];
      }
      detail::add_to_sum(s[0], sum);
    } else {
      double c[lanes] = {};
      for (std::int64_t i = 0; i < whole; i += lanes) {
        for (int l = 0; l < lanes; ++l) detail::add_to_pair<T, P>(x[i + l], s[l], c[l]);
      }
      for (std::int64_t i = whole; i < count; ++i) {
        detail::add_to_pair<T, P>(x[i], s[i - whole], c[i - whole]);
      }
      for (int l = 0; l < lanes; ++l) {
        detail::add_to_sum(s[l], sum);
        sum.lo += c[l];
      }
    }
    x += count;
    n -= count;
  }
}

template <float_element T, power P, precision Q>
double row_sum<T, P, Q>::bound(run_shape shape) noexcept {
  const std::int64_t steps_in_lane = std::min(shape.length / lanes + 1, chunk_steps);
  const std::int64_t chunks = shape.length / chunk + 1;
  const auto steps = static_cast<double>(steps_in_lane);
  const double foldings = static_cast<double>(shape.runs) * static_cast<double>(chunks) *
                          (Q == precision::plain ? 1 : lanes);
  if constexpr (Q == precision::plain) {
    // A term passes through `steps` additions in its lane and four in the tree of 16 lanes; the
    // foldings are a pair sum.
    const double b = (steps + 4) * 0x1p-53 * (1 + 0x1p-40);
    return detail::relative_to_approximation(b + detail::pair_bound(foldings, false));
  } else {
    return detail::pair_bound(steps + foldings, detail::splits_terms<T, P>);
  }
}

template <float_element T, power P, precision Q>
void column_sum<T, P, Q>::add(const T* x) noexcept {
  const int width = width_;
  if constexpr (Q == precision::plain) {
    for (int j = 0; j < width; ++j) partial_[j] += detail::term<T, P>(x[j]);
    if (++steps_ == chunk_steps) fold();
  } else {
    for (int j = 0; j < width; ++j) detail::add_to_pair<T, P>(x[j], hi_[j], lo_[j]);
  }
}

template <float_element T, power P, precision Q>
void column_sum<T, P, Q>::fold() noexcept {
  for (int j = 0; j < width_; ++j) {
    const double_pair r = two_sum(hi_[j], partial_[j]);
    hi_[j] = r.hi;
    lo_[j] += r.lo;
    partial_[j] = 0;
  }
  steps_ = 0;
}

template <float_element T, power P, precision Q>
approximate_sum column_sum<T, P, Q>::result(int j) noexcept {
  if (Q == precision::plain && steps_ != 0) fold();
  return {hi_[j], lo_[j]};
}

template <float_element T, power P, precision Q>
double column_sum<T, P, Q>::bound(run_shape shape) noexcept {
  const double rows = static_cast<double>(shape.runs) * static_cast<double>(shape.length);
  if constexpr (Q == precision::plain) {
    const double steps = std::min(rows, static_cast<double>(chunk_steps));
    const double b = steps * 0x1p-53 * (1 + 0x1p-40);
    return detail::relative_to_approximation(
        b + detail::pair_bound(rows / static_cast<double>(chunk_steps) + 1, false));
  } else {
    return detail::pair_bound(rows, detail::splits_terms<T, P>);
  }
}

#define HALFULP_INSTANTIATE_SUMS(T, Q)                     \
  template struct row_sum<T, power::abs, precision::Q>;    \
  template struct row_sum<T, power::square, precision::Q>; \
  template class column_sum<T, power::abs, precision::Q>;  \
  template class column_sum<T, power::square, precision::Q>;

}  // namespace halfulp::kernels
