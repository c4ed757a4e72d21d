// SPDX-License-Identifier: Apache-2.0
#include "numerics/support/construct.hpp"

#include <gmpxx.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace oracle {
namespace {

// What an input type can express. All numbers are integers in units of its smallest value.
struct range {
  explicit range(dtype of) : type(of) {
    if (is_floating(of)) {
      const float_format& format = format_of(of);
      unit = format.min_exponent();
      precision = format.precision;
      const element top = decode_magnitude(format, format.largest_finite());
      largest = mpz_class(top.mantissa) << (top.exponent - unit);
    } else {
      precision = static_cast<int>(width_of(of)) - (is_signed_integer(of) ? 1 : 0);
      largest = (mpz_class(1) << precision) - 1;
    }
  }
  dtype type;
  int unit = 0;
  int precision;
  mpz_class largest;
};

int length_of(const mpz_class& value) {
  return value == 0 ? 0 : static_cast<int>(mpz_sizeinbase(value.get_mpz_t(), 2));
}

mpz_class shifted(const mpz_class& value, int count) {
  return count >= 0 ? mpz_class(value << count) : mpz_class(value >> -count);
}

// The largest element that is not above `limit`.
mpz_class largest_element(const range& range, const mpz_class& limit) {
  if (limit >= range.largest) return range.largest;
  const int drop = std::max(0, length_of(limit) - range.precision);
  return (limit >> drop) << drop;
}

bits pattern_of(const range& range, const mpz_class& value, bool negative) {
  const int drop = std::max(0, length_of(value) - range.precision);
  const std::uint64_t mantissa = mpz_class(value >> drop).get_ui();
  if (is_floating(range.type)) {
    return encode(format_of(range.type), negative, mantissa, range.unit + drop);
  }
  const bits all = ~bits{0} >> (64 - width_of(range.type));
  return negative && is_signed_integer(range.type) ? (0 - mantissa) & all : mantissa;
}

// Elements whose magnitudes (or squares) have the sum `rest`: some at random, the others as large
// as possible.
void append_terms(const range& range, mpz_class rest, bool squares, random_source& random,
                  std::vector<bits>& slice) {
  std::uint64_t at_random = random.once_in(2) ? random.below(6) : 0;
  while (rest > 0) {
    mpz_class limit = rest;
    if (at_random > 0) {
      --at_random;
      limit /= 2 + random.below(20);
    }
    if (squares) limit = sqrt(limit);
    const mpz_class term = largest_element(range, limit);
    if (term == 0) continue;
    slice.push_back(pattern_of(range, term, random.once_in(2)));
    rest -= squares ? mpz_class(term * term) : term;
  }
}

bool in_reach(const range& range, const mpz_class& sum, bool squares) {
  const mpz_class most = squares ? mpz_class(range.largest * range.largest) : range.largest;
  return sum > 0 && sum <= 64 * most;
}

// mantissa * 2^exponent.
struct boundary {
  mpz_class mantissa;
  int exponent;
};

// The midpoint above a value of the format, or the value itself. `limit` is a pattern that the
// value is to be below.
boundary draw_boundary(const float_format& format, bits limit, random_source& random) {
  bits y = random.below(limit);
  switch (random.below(8)) {
    case 0:  // a power of two, whose neighbours are at different distances
      y &= ~((bits{1} << (format.precision - 1)) - 1);
      break;
    case 1:
      y = limit - 1;
      break;
    case 2:  // subnormal
      y &= (bits{1} << (format.precision - 1)) - 1;
      break;
    default:
      break;
  }
  const element below = decode_magnitude(format, y);
  const element above = decode_magnitude(format, y + 1);
  if (random.once_in(6)) return {mpz_class(below.mantissa), below.exponent};
  const mpz_class twice =
      mpz_class(below.mantissa) + (mpz_class(above.mantissa) << (above.exponent - below.exponent));
  return {twice, below.exponent - 1};
}

void nudge(mpz_class& sum, random_source& random) { sum += random.between(-1, 1); }

mpz_class magnitude_in_units(const range& range, bits pattern) {
  const element x = decode(range.type, pattern);
  return mpz_class(x.mantissa) << (x.exponent - range.unit);
}

// value * 2^exponent as a double, cut off.
double to_double(const mpz_class& value, int exponent) {
  const int drop = std::max({0, length_of(value) - 53, -1074 - exponent});
  const double cut =
      std::ldexp(static_cast<double>(mpz_class(value >> drop).get_ui()), exponent + drop);
  return std::min(cut, std::numeric_limits<double>::max());
}

}  // namespace

std::optional<std::vector<bits>> reduction_at_boundary(const question& question,
                                                       random_source& random) {
  const range range(question.input);
  const bool squares = question.sums_squares();
  mpz_class sum;
  if (!is_floating(question.output)) {
    const mpz_class root = mpz_class(random.word()) >> random.below(64);
    sum = root * root;
  } else {
    const float_format& format = format_of(question.output);
    const boundary at = draw_boundary(format, format.infinity(), random);
    const bool root = question.op == operation::l2;
    const int shift = (root ? 2 : 1) * at.exponent - (squares ? 2 : 1) * range.unit;
    if (shift < 0 || shift > 10000) return {};
    sum = (root ? mpz_class(at.mantissa * at.mantissa) : at.mantissa) << shift;
  }
  nudge(sum, random);
  if (!in_reach(range, sum, squares)) return {};
  std::vector<bits> slice;
  append_terms(range, sum, squares, random, slice);
  random.shuffle(slice);
  return slice;
}

std::optional<std::vector<bits>> quotient_at_boundary(const question& question,
                                                      random_source& random) {
  const range range(question.input);
  const bool squares = question.sums_squares();
  const boundary at = draw_boundary(format_of(question.output), encode(question.output, 1), random);
  if (at.mantissa == 0) return {};
  const bits pattern = random.below(format_of(question.input).infinity());
  mpz_class x = magnitude_in_units(range, pattern);
  mpz_class divisor = at.mantissa;
  int shift = -at.exponent;
  if (squares) {
    x *= x;
    divisor *= divisor;
    shift *= 2;
  }
  mpz_class sum = shifted(x, shift) / divisor;
  // Elements of full resolution, or of a coarser one as real data has.
  if (random.once_in(2) && length_of(sum) > 0) {
    const auto coarse = static_cast<int>(random.below(static_cast<bits>(length_of(sum))));
    sum = (sum >> coarse) << coarse;
  } else {
    nudge(sum, random);
  }
  if (sum < x || !in_reach(range, sum, squares)) return {};
  std::vector<bits> slice{pattern | (random.once_in(2) ? format_of(question.input).sign_bit() : 0)};
  append_terms(range, sum - x, squares, random, slice);
  random.shuffle(slice);
  return slice;
}

std::optional<std::vector<bits>> exact_quotient(const question& question, random_source& random) {
  const range range(question.input);
  const boundary at = draw_boundary(format_of(question.output), encode(question.output, 1), random);
  mpz_class mantissa = at.mantissa;
  if (mantissa == 0) return {};
  const auto zeros = static_cast<int>(mpz_scan1(mantissa.get_mpz_t(), 0));
  mantissa >>= zeros;
  const int exponent = at.exponent + zeros;
  const int room = range.precision - length_of(mantissa);
  if (room < 0) return {};
  const mpz_class factor = (random.word() >> (64 - std::max(1, room))) | 1;
  // x = mantissa * factor, norm = factor * 2^-exponent, both times any power of two in range.
  const int scale = static_cast<int>(random.below(static_cast<bits>(length_of(range.largest))));
  const mpz_class x = (mantissa * factor) << scale;
  if (scale < exponent) return {};
  const mpz_class norm = factor << (scale - exponent);
  const bool squares = question.sums_squares();
  const mpz_class sum = squares ? mpz_class(norm * norm) : norm;
  const mpz_class own = squares ? mpz_class(x * x) : x;
  if (x != largest_element(range, x) || sum < own || !in_reach(range, sum, squares)) return {};
  std::vector<bits> slice{pattern_of(range, x, random.once_in(2))};
  append_terms(range, sum - own, squares, random, slice);
  random.shuffle(slice);
  return slice;
}

double eps_for(const question& question, const std::vector<bits>& slice, random_source& random) {
  const range range(question.input);
  mpz_class norm = 0;
  for (const bits pattern : slice) {
    const mpz_class x = magnitude_in_units(range, pattern);
    norm += question.sums_squares() ? mpz_class(x * x) : x;
  }
  if (question.sums_squares()) norm = sqrt(norm);
  const double near = to_double(norm, range.unit);
  const double most = std::numeric_limits<double>::max();
  switch (random.below(9)) {
    case 0:
      return std::nextafter(near, 0.0);
    case 1:
      return near;
    case 2:
    case 3:
      return std::nextafter(near, most);
    case 4:
      return near / 2;
    case 5:
      return std::min(2 * near, most);
    case 6:
      return std::numeric_limits<double>::denorm_min();
    case 7:
      return most;
    default:
      return std::ldexp(1 + random.unit(), static_cast<int>(random.between(-1070, 1022)));
  }
}

std::optional<ties_by_eps> quotients_by_eps(const question& question, random_source& random) {
  const range range(question.input);
  const auto scale = static_cast<int>(random.between(range.unit, std::min(-range.unit, 1000)));
  ties_by_eps result{{}, std::ldexp(1.0, scale)};
  const std::uint64_t count = 1 + random.below(3);
  while (result.slice.size() < count) {
    const boundary at =
        draw_boundary(format_of(question.output), encode(question.output, 0.25), random);
    const int shift = at.exponent + scale - range.unit;
    if (at.mantissa == 0 || shift > 4000) return {};
    const mpz_class x = shifted(at.mantissa, shift);
    if (x == 0 || x != largest_element(range, x)) return {};
    result.slice.push_back(pattern_of(range, x, random.once_in(2)));
  }
  return result;
}

}  // namespace oracle
