// The oracle of integers and midpoints.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <compare>

#include "oracle/natural.hpp"
#include "oracle/oracle.hpp"

namespace oracle {
namespace {

// value * 2^exponent.
struct dyadic {
  natural value;
  int exponent = 0;

  // Without trailing zeros, which keeps products and comparisons short.
  dyadic reduced() const {
    if (value.is_zero()) return {};
    const std::size_t zeros = value.trailing_zero_bits();
    return {value >> zeros, exponent + static_cast<int>(zeros)};
  }
};

dyadic operator*(const dyadic& a, const dyadic& b) {
  return {a.value * b.value, a.exponent + b.exponent};
}

dyadic times_power_of_two(dyadic a, int exponent) {
  a.exponent += exponent;
  return a;
}

std::strong_ordering compare(const dyadic& a, const dyadic& b) {
  if (a.value.is_zero() || b.value.is_zero()) return a.value <=> b.value;
  const auto top = [](const dyadic& x) {
    return static_cast<long>(x.value.bit_length()) + x.exponent;
  };
  if (top(a) != top(b)) return top(a) <=> top(b);
  const int common = std::min(a.exponent, b.exponent);
  return (a.value << static_cast<std::size_t>(a.exponent - common)) <=>
         (b.value << static_cast<std::size_t>(b.exponent - common));
}

dyadic magnitude(const element& x) { return dyadic{natural(x.mantissa), x.exponent}.reduced(); }

// The sum of |x| or of x^2, exactly.
dyadic exact_sum(const question& question, std::span<const bits> slice) {
  const int unit = is_floating(question.input) ? format_of(question.input).min_exponent() : 0;
  dyadic sum;
  for (const bits pattern : slice) {
    const element x = decode(question.input, pattern);
    const auto shift = static_cast<std::size_t>(x.exponent - unit);
    if (question.sums_squares()) {
      sum.value.add_square_shifted(x.mantissa, 2 * shift);
    } else {
      sum.value.add_shifted(x.mantissa, shift);
    }
  }
  sum.exponent = question.sums_squares() ? 2 * unit : unit;
  return sum.reduced();
}

// The value nearest to an exact result that is not negative, where `against` compares the result
// with half of its argument: the smallest value whose midpoint to the next one is above the result,
// or equal to it if the value is even. Past the largest finite value the search ends at infinity,
// whose pattern is even, which is IEEE 754's rule of overflow. `hint` is tried first.
template <typename Compare>
bits nearest(const float_format& format, bits hint, Compare against) {
  const auto is_enough = [&](bits value) {
    if (value == format.infinity()) return true;
    const element below = decode_magnitude(format, value);
    const element above = decode_magnitude(format, value + 1);
    dyadic both{natural(below.mantissa), below.exponent};
    both.value.add_shifted(above.mantissa,
                           static_cast<std::size_t>(above.exponent - below.exponent));
    const std::strong_ordering order = against(both);
    return order < 0 || (order == 0 && value % 2 == 0);
  };
  bits low = 0;
  bits high = format.infinity();
  if (hint > high || !is_enough(hint)) {
    low = hint < high ? hint + 1 : 0;
  } else if (hint == 0 || !is_enough(hint - 1)) {
    return hint;
  } else {
    high = hint - 1;
  }
  while (low < high) {
    const bits middle = low + (high - low) / 2;
    if (is_enough(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

bits nearest_to_sum(const float_format& format, bits hint, const dyadic& sum) {
  const dyadic doubled = times_power_of_two(sum, 1);
  return nearest(format, hint, [&](const dyadic& twice) { return compare(doubled, twice); });
}

bits nearest_to_root(const float_format& format, bits hint, const dyadic& sum) {
  const dyadic quadrupled = times_power_of_two(sum, 2);
  return nearest(format, hint,
                 [&](const dyadic& twice) { return compare(quadrupled, twice * twice); });
}

bits nearest_to_quotient(const float_format& format, bits hint, const dyadic& x,
                         const dyadic& norm) {
  const dyadic doubled = times_power_of_two(x, 1);
  return nearest(format, hint, [&](const dyadic& twice) { return compare(doubled, twice * norm); });
}

bits nearest_to_quotient_by_root(const float_format& format, bits hint, const dyadic& x,
                                 const dyadic& sum) {
  const dyadic quadrupled = times_power_of_two(x * x, 2);
  return nearest(format, hint,
                 [&](const dyadic& twice) { return compare(quadrupled, twice * twice * sum); });
}

// The integer part of the root of an integer, bit by bit from the top.
natural floor_of_root(const dyadic& sum) {
  const natural whole = sum.value << static_cast<std::size_t>(sum.exponent);
  natural root;
  for (std::size_t bit = whole.bit_length() / 2 + 1; bit-- > 0;) {
    natural candidate = root;
    candidate.add_shifted(1, bit);
    if (candidate * candidate <= whole) root = candidate;
  }
  return root;
}

bits modulo_width(dtype type, std::uint64_t value) {
  return width_of(type) == 64 ? value : value & ((std::uint64_t{1} << width_of(type)) - 1);
}

bits integer_result(const question& question, const dyadic& sum) {
  const natural whole = question.op == operation::l2
                            ? floor_of_root(sum)
                            : sum.value << static_cast<std::size_t>(sum.exponent);
  return modulo_width(question.output, whole.low_64_bits());
}

std::vector<bits> normalized(const question& question, std::span<const bits> slice,
                             std::span<const bits> hints, const dyadic& sum) {
  const float_format& format = format_of(question.output);
  const dyadic eps = magnitude(decode(dtype::float64, std::bit_cast<bits>(question.eps)));
  const bool by_root = question.p == 2;
  const bool eps_wins = compare(by_root ? eps * eps : eps, sum) > 0;
  std::vector<bits> outputs;
  for (std::size_t i = 0; i < slice.size(); ++i) {
    const element parts = decode(question.input, slice[i]);
    const dyadic x = magnitude(parts);
    const bits hint = i < hints.size() ? hints[i] & ~format.sign_bit() : 0;
    const bits rounded = eps_wins  ? nearest_to_quotient(format, hint, x, eps)
                         : by_root ? nearest_to_quotient_by_root(format, hint, x, sum)
                                   : nearest_to_quotient(format, hint, x, sum);
    outputs.push_back(rounded | (parts.negative ? format.sign_bit() : 0));
  }
  return outputs;
}

}  // namespace

std::vector<bits> by_midpoints(const question& question, std::span<const bits> slice) {
  return by_midpoints(question, slice, {});
}

std::vector<bits> by_midpoints(const question& question, std::span<const bits> slice,
                               std::span<const bits> hints) {
  if (auto outputs = without_arithmetic(question, slice); !outputs.empty() || slice.empty()) {
    return outputs;
  }
  const dyadic sum = exact_sum(question, slice);
  if (question.op == operation::normalize) return normalized(question, slice, hints, sum);
  if (!is_floating(question.output)) return {integer_result(question, sum)};
  const float_format& format = format_of(question.output);
  const bits hint = hints.empty() ? 0 : hints.front();
  if (question.op == operation::l2) return {nearest_to_root(format, hint, sum)};
  return {nearest_to_sum(format, hint, sum)};
}

}  // namespace oracle
