// halfulp: ONNX's norm operators, correctly rounded. The C++ interface.
// SPDX-License-Identifier: Apache-2.0
//
// For each slice (the elements that are reduced or normalised together) let S be the exact real
// value of the formula on the stored inputs. The result is S rounded once to the output type, to
// nearest, ties to even:
//
//   reduce_l1            RN(sum |x|)
//   reduce_l2            RN(sqrt(sum x^2))
//   reduce_sum_square    RN(sum x^2)
//   lp_normalization     RN(x / N), N = sum |x| for p = 1, sqrt(sum x^2) for p = 2; with eps
//                        RN(x / max(N, eps))
//
// so the bits do not depend on threads, vector width, memory layout or machine. Integer outputs are
// the exact value (for reduce_l2 its floor) modulo 2^n. docs/operators.md has every rule.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "halfulp/types.hpp"

namespace halfulp {

enum class op : std::uint8_t { reduce_l1, reduce_l2, reduce_sum_square, lp_normalization };

// The ONNX name: "ReduceL1", "ReduceL2", "ReduceSumSquare", "LpNormalization".
HALFULP_API std::string_view name_of(op op) noexcept;

// The inverse of name_of(op), letter for letter. Throws error(invalid_argument) that lists the
// known names.
HALFULP_API op op_from_name(std::string_view name);

// The newest ONNX opset this library knows.
inline constexpr std::int64_t newest_opset = 28;

// "major.minor.patch".
HALFULP_API std::string_view version() noexcept;

// An operator's attributes. What an operator does not have must be left at its default.
struct options {
  // Selects the operator's version, as a model's opset import does: the newest not above it.
  std::int64_t opset = newest_opset;

  // Reductions. Absent or empty: all axes, or none if noop_with_empty_axes is 1 (from opset 18).
  // Negative axes count from the back.
  std::optional<std::vector<std::int64_t>> axes = {};
  std::int64_t keepdims = 1;
  std::int64_t noop_with_empty_axes = 0;

  // LpNormalization.
  std::int64_t axis = -1;
  std::int64_t p = 2;
  // Finite and not negative. Beyond ONNX.
  double eps = 0;

  // Default: the input's type. Beyond ONNX: any float type from a float input, any type from an
  // integer input.
  std::optional<dtype> output_type = {};
};

// A computation with everything settled but the data: made once, run many times, from many threads
// at once. Copies share one immutable state.
class HALFULP_API plan {
 public:
  // Throws error if the operator, version, attributes, types or shapes do not fit together.
  // `output_strides` (bytes, one per output axis, none of them zero where the extent exceeds 1)
  // says where run() is to write; empty means C order.
  plan(op op, const tensor_layout& input, const options& options = {},
       std::span<const std::int64_t> output_strides = {});

  const tensor_layout& input() const noexcept;   // strides filled in
  const tensor_layout& output() const noexcept;  // strides filled in

  // Reads the input at `input` and writes every element of the output at `output`. Both point at
  // the element whose index is all zeros, need no alignment, and are not kept. LpNormalization may
  // have output == input when both layouts are the same; any other overlap throws error(overlap)
  // before anything is written. Throws std::bad_alloc, and nothing else. Thread-safe. The caller's
  // floating-point environment (rounding mode, flush-to-zero, exception flags) has no influence and
  // is restored.
  void run(const void* input, void* output) const;

 private:
  struct state;
  std::shared_ptr<const state> state_;
};

// Memory of the caller's that is read. `data` points at the element whose index is all zeros.
struct const_view {
  const void* data;
  tensor_layout layout;
};

// Memory of the caller's that is written.
struct mutable_view {
  void* data;
  tensor_layout layout;
};

// A tensor that owns its elements: C order, aligned to 64 bytes, uninitialised when made.
class HALFULP_API tensor {
 public:
  // Throws error(invalid_shape) for a negative extent or a size that overflows. Strides are ignored
  // and replaced by those of C order.
  explicit tensor(const tensor_layout& layout);

  const tensor_layout& layout() const noexcept { return layout_; }
  std::size_t element_count() const noexcept { return count_; }
  void* data() noexcept { return data_.get(); }
  const void* data() const noexcept { return data_.get(); }

  // All elements in C order. Throws error(unsupported_type) unless dtype_of<T> is the tensor's
  // type.
  template <typename T>
  std::span<T> elements() {
    expect_type(dtype_of<T>);
    return {static_cast<T*>(data()), count_};
  }
  template <typename T>
  std::span<const T> elements() const {
    expect_type(dtype_of<T>);
    return {static_cast<const T*>(data()), count_};
  }

 private:
  void expect_type(dtype type) const;

  struct deleter {
    void operator()(std::byte* data) const noexcept;
  };
  tensor_layout layout_;
  std::size_t count_ = 0;
  std::unique_ptr<std::byte[], deleter> data_;
};

// A view of contiguous elements in C order. Throws error(invalid_shape) unless the shape has as
// many elements as the span.
HALFULP_API const_view view_of(dtype type, const void* data, std::size_t count,
                               std::vector<std::int64_t> shape);
template <typename T>
const_view view_of(std::span<const T> elements, std::vector<std::int64_t> shape) {
  return view_of(dtype_of<T>, elements.data(), elements.size(), std::move(shape));
}

// One call: makes a plan, runs it, returns a new tensor. Throws as plan and plan::run do.
HALFULP_API tensor compute(op op, const const_view& input, const options& options = {});

// One call into the caller's memory, whose type (unless options.output_type says another, which is
// an error) is the output type, and whose shape must be the output's.
HALFULP_API void compute(op op, const const_view& input, const mutable_view& output,
                         const options& options = {});

// compute() by name.
inline tensor reduce_l1(const const_view& data, const options& options = {}) {
  return compute(op::reduce_l1, data, options);
}
inline tensor reduce_l2(const const_view& data, const options& options = {}) {
  return compute(op::reduce_l2, data, options);
}
inline tensor reduce_sum_square(const const_view& data, const options& options = {}) {
  return compute(op::reduce_sum_square, data, options);
}
inline tensor lp_normalization(const const_view& input, const options& options = {}) {
  return compute(op::lp_normalization, input, options);
}

}  // namespace halfulp
