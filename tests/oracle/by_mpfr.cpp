// The oracle of MPFR and GMP.
// SPDX-License-Identifier: Apache-2.0
#include <gmp.h>

#include <cstdint>
#include <stdexcept>
// <mpfr.h> declares its functions of intmax_t only where <cstdint> came first and this is defined.
#define MPFR_USE_INTMAX_T
#include <mpfr.h>

#include "oracle/oracle.hpp"

namespace oracle {
namespace {

class real {
 public:
  explicit real(mpfr_prec_t precision) { mpfr_init2(value_, precision); }
  ~real() { mpfr_clear(value_); }
  real(const real&) = delete;
  real& operator=(const real&) = delete;
  operator mpfr_ptr() { return value_; }
  operator mpfr_srcptr() const { return value_; }

 private:
  mpfr_t value_;
};

class integer {
 public:
  integer() { mpz_init(value_); }
  ~integer() { mpz_clear(value_); }
  integer(const integer&) = delete;
  integer& operator=(const integer&) = delete;
  operator mpz_ptr() { return value_; }
  operator mpz_srcptr() const { return value_; }

 private:
  mpz_t value_;
};

// Every step that has to be exact passes its ternary value through here.
void exactly(int ternary) {
  if (ternary != 0) throw std::logic_error("an oracle's precision is too small");
}

void set_magnitude(real& to, const element& x) {
  exactly(mpfr_set_uj_2exp(to, x.mantissa, x.exponent, MPFR_RNDN));
}

// Room for any sum of up to 2^64 terms: from the smallest subnormal (squared) to the largest finite
// value (squared).
mpfr_prec_t sum_precision(const question& question) {
  int span = 64;  // of the integers
  if (is_floating(question.input)) {
    const float_format& format = format_of(question.input);
    span = format.max_exponent() - format.min_exponent();
  }
  return (question.sums_squares() ? 2 : 1) * span + 64;
}

void exact_sum(const question& question, std::span<const bits> slice, real& sum) {
  real term(128);
  mpfr_set_zero(sum, 1);
  for (const bits pattern : slice) {
    set_magnitude(term, decode(question.input, pattern));
    if (question.sums_squares()) exactly(mpfr_sqr(term, term, MPFR_RNDN));
    exactly(mpfr_add(sum, sum, term, MPFR_RNDN));
  }
}

// The pattern of a magnitude whose precision is the format's and which was rounded to nearest, with
// `ternary` telling how: brought into the format's exponent range by MPFR's emulation of IEEE 754.
bits into_format(const float_format& format, real& rounded, int ternary) {
  const mpfr_exp_t emin = mpfr_get_emin();
  const mpfr_exp_t emax = mpfr_get_emax();
  mpfr_set_emin(format.min_exponent() + 1);  // MPFR's significands are in [1/2, 1)
  mpfr_set_emax(format.max_exponent());
  ternary = mpfr_check_range(rounded, ternary, MPFR_RNDN);
  mpfr_subnormalize(rounded, ternary, MPFR_RNDN);
  mpfr_set_emin(emin);
  mpfr_set_emax(emax);
  if (mpfr_inf_p(rounded)) return format.infinity();
  if (mpfr_zero_p(rounded)) return 0;
  integer significand;
  const mpfr_exp_t exponent = mpfr_get_z_2exp(significand, rounded);
  return encode(format, false, mpz_get_ui(significand), static_cast<int>(exponent));
}

bits rounded_sum(const float_format& format, const real& sum) {
  real rounded(format.precision);
  const int ternary = mpfr_set(rounded, sum, MPFR_RNDN);
  return into_format(format, rounded, ternary);
}

bits rounded_root(const float_format& format, const real& sum) {
  real rounded(format.precision);
  const int ternary = mpfr_sqrt(rounded, sum, MPFR_RNDN);
  return into_format(format, rounded, ternary);
}

bits rounded_quotient(const float_format& format, const real& x, const real& divisor) {
  real rounded(format.precision);
  const int ternary = mpfr_div(rounded, x, divisor, MPFR_RNDN);
  return into_format(format, rounded, ternary);
}

// low <= sqrt(sum) <= high, next to each other, or the same where the root is exact.
struct enclosed_root {
  enclosed_root(const real& sum, mpfr_prec_t precision) : low(precision), high(precision) {
    const bool exact = mpfr_sqrt(low, sum, MPFR_RNDD) == 0;
    mpfr_set(high, low, MPFR_RNDN);
    if (!exact) mpfr_nextabove(high);
  }
  real low, high;
};

// RN(x / sqrt(sum)), where `root` is the root at a precision that nearly always suffices. Both ends
// of the interval around the quotient are rounded, and a longer root is taken until they agree.
// They do in the end: a tie would make the root rational, and short.
bits rounded_quotient_by_root(const float_format& format, const real& x, const real& sum,
                              const enclosed_root& root) {
  const bits rounded = rounded_quotient(format, x, root.high);
  if (rounded == rounded_quotient(format, x, root.low)) return rounded;
  const mpfr_prec_t precision = 2 * mpfr_get_prec(root.low);
  if (precision > 40000) throw std::logic_error("an oracle's quotient does not settle");
  return rounded_quotient_by_root(format, x, sum, enclosed_root(sum, precision));
}

std::vector<bits> normalized(const question& question, std::span<const bits> slice,
                             const real& sum) {
  const float_format& format = format_of(question.output);
  real eps(128), floor(128);
  mpfr_set_d(eps, question.eps, MPFR_RNDN);
  mpfr_set(floor, eps, MPFR_RNDN);
  if (question.p == 2) exactly(mpfr_sqr(floor, floor, MPFR_RNDN));
  const bool eps_wins = mpfr_greater_p(floor, sum) != 0;
  const enclosed_root root(sum, 256);
  std::vector<bits> outputs;
  real x(64);
  for (const bits pattern : slice) {
    const element parts = decode(question.input, pattern);
    set_magnitude(x, parts);
    const bits rounded = parts.mantissa == 0 ? 0
                         : eps_wins          ? rounded_quotient(format, x, eps)
                         : question.p == 2   ? rounded_quotient_by_root(format, x, sum, root)
                                             : rounded_quotient(format, x, sum);
    outputs.push_back(rounded | (parts.negative ? format.sign_bit() : 0));
  }
  return outputs;
}

bits integer_result(const question& question, const real& sum) {
  integer whole;
  exactly(mpfr_get_z(whole, sum, MPFR_RNDN));
  if (question.op == operation::l2) mpz_sqrt(whole, whole);
  mpz_fdiv_r_2exp(whole, whole, width_of(question.output));
  return mpz_get_ui(whole);
}

}  // namespace

std::vector<bits> by_mpfr(const question& question, std::span<const bits> slice) {
  if (auto outputs = without_arithmetic(question, slice); !outputs.empty() || slice.empty()) {
    return outputs;
  }
  real sum(sum_precision(question));
  exact_sum(question, slice, sum);
  if (question.op == operation::normalize) return normalized(question, slice, sum);
  if (!is_floating(question.output)) return {integer_result(question, sum)};
  const float_format& format = format_of(question.output);
  if (question.op == operation::l2) return {rounded_root(format, sum)};
  return {rounded_sum(format, sum)};
}

}  // namespace oracle
