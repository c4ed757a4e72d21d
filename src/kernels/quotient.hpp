// Quotients x / N with a rounding test: LpNormalization's second half.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "accum/reciprocal.hpp"
#include "base/float_format.hpp"

namespace halfulp::kernels {

// y[i] = RN(x[i] / N) for i < n, where the reciprocal of N is r[0] for all i, or r[i] for each with
// `PerElement`. Returns whether the test settled every one; if not, some y[i] may be wrong. x is
// finite; `error` is the largest relative error of the reciprocals (for pairs). x and y do not
// overlap.
template <float_element T, float_element Out, bool PerElement>
bool quotients(const T* x, Out* y, std::int64_t n, const reciprocal<Out>* r, double error) noexcept;

}  // namespace halfulp::kernels
