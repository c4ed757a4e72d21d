// The library under test, asked about single slices and whole tensors, and compared with the
// oracle. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "halfulp/halfulp.hpp"
#include "numerics/support/random_source.hpp"
#include "oracle/tensor_reference.hpp"

namespace oracle {

// `count` times HALFULP_TEST_SCALE percent, at least once. The environment may choose the Highway
// target with HALFULP_TEST_TARGET=NAME; then a tenth of that.
int scaled(int count);

// Whether to try one of many cases that are there in any number: true for as many of them.
bool sampled(random_source& random);

inline const std::vector<dtype> float_types{dtype::bfloat16, dtype::float16, dtype::float32,
                                            dtype::float64};
inline const std::vector<dtype> integer_types{dtype::int32, dtype::int64, dtype::uint32,
                                              dtype::uint64};
inline const std::vector<dtype> all_types{dtype::bfloat16, dtype::float16, dtype::float32,
                                          dtype::float64,  dtype::int32,   dtype::int64,
                                          dtype::uint32,   dtype::uint64};
inline const std::vector<operation> reductions{operation::l1, operation::l2, operation::sum_square};

// The output types of a reduction of `input`.
const std::vector<dtype>& outputs_of(dtype input);

// Every question of a type: reductions into every output type, and for floats LpNormalization into
// every float type for both p.
std::vector<question> questions_of(dtype input);

halfulp::op op_of(operation op);

// The elements of `patterns` one after the other.
std::vector<std::byte> pack(dtype type, std::span<const bits> patterns);

// What the library gives for a contiguous slice, and for a contiguous tensor.
std::vector<bits> computed(const question& question, std::span<const bits> slice);
tensor computed(halfulp::op op, const tensor& input, const halfulp::options& options);

// Adds a test failure that says what is needed to reproduce it unless the library gives `expected`.
// `origin` is where the slice comes from: a seed and what was drawn.
void expect_outputs(const question& question, std::span<const bits> slice,
                    const std::vector<bits>& expected, const std::string& origin);

// The same where `expected` is what both oracles say.
void expect_correct(const question& question, std::span<const bits> slice,
                    const std::string& origin);

// Hexadecimal patterns, cut off after some.
std::string text_of(dtype type, std::span<const bits> patterns);

}  // namespace oracle
