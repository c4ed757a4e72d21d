// SPDX-License-Identifier: Apache-2.0
#include "oracle/oracle.hpp"

#include <cstdio>
#include <stdexcept>

namespace oracle {

std::string text_of(const question& question) {
  std::string text;
  switch (question.op) {
    case operation::l1:
      text = "ReduceL1";
      break;
    case operation::l2:
      text = "ReduceL2";
      break;
    case operation::sum_square:
      text = "ReduceSumSquare";
      break;
    case operation::normalize:
      text = "LpNormalization p=" + std::to_string(question.p);
      break;
  }
  text += std::string(" ") + text_of(question.input) + " -> " + text_of(question.output);
  if (question.eps != 0) {
    char eps[64];
    std::snprintf(eps, sizeof eps, " eps=%a", question.eps);
    text += eps;
  }
  return text;
}

std::vector<bits> without_arithmetic(const question& question, std::span<const bits> slice) {
  const bool normalizes = question.op == operation::normalize;
  const std::size_t count = normalizes ? slice.size() : 1;
  bool nan = false, infinite = false, zero = true;
  for (const bits pattern : slice) {
    const element x = decode(question.input, pattern);
    nan |= x.kind == element::kind::nan;
    infinite |= x.kind == element::kind::infinite;
    zero &= x.kind == element::kind::finite && x.mantissa == 0;
  }
  if (zero) return std::vector<bits>(count, 0);
  if (!nan && !infinite) return {};

  const float_format& format = format_of(question.output);
  if (nan) return std::vector<bits>(count, format.quiet_nan());
  if (!normalizes) return {format.infinity()};
  std::vector<bits> outputs;
  for (const bits pattern : slice) {
    const element x = decode(question.input, pattern);
    const bits signed_zero = x.negative ? format.sign_bit() : 0;
    outputs.push_back(x.kind == element::kind::infinite ? format.quiet_nan() : signed_zero);
  }
  return outputs;
}

std::vector<bits> answer(const question& question, std::span<const bits> slice) {
  std::vector<bits> first = by_mpfr(question, slice);
  if (first != by_midpoints(question, slice, first)) {
    throw std::logic_error("the two oracles differ: " + text_of(question));
  }
  return first;
}

}  // namespace oracle
