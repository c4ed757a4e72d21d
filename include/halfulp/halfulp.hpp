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
#include <functional>
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

// The threads of a host that has its own, in place of halfulp's: derive from it, and hand it to
// plan::run in run_options. May be used by many runs at once, if its functions allow that.
class HALFULP_API executor {
 public:
  virtual ~executor();

  // How many threads may work on one run, the calling one included if it takes part; at least 1.
  virtual int concurrency() const noexcept = 0;

  // Calls task(i) once for each i from 0 to count - 1, in any order, on any threads, also on the
  // calling one, and returns when the calls have returned, whose effects the calling thread then
  // sees. `count` is at most concurrency(). Tasks are independent: they may run one after the
  // other, never wait for each other, never call the executor, and do not throw. A call may be left
  // out where no thread is free, since run() does itself what the tasks have left over. What this
  // function throws, once no call is running any more, leaves run().
  virtual void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& task) = 0;
};

// What a run did.
struct run_statistics {
  // Threads that the work was shared out to, 1 where it stayed on the caller's. Fewer may have
  // found something to do.
  int threads = 0;
  // Parts that the work was cut into, which threads take one after another.
  std::int64_t parts = 0;
  // The instruction set of the kernels that ran, the best one the processor has, by Highway's name
  // for it: "AVX2", "NEON", ... Static. A model without any of the operators leaves it empty.
  std::string_view target;

  // Slices, by the tier that settled them; together they are all slices. A sum of integers into an
  // integer, modulo 2^n, counts as fast, and so does an empty slice.
  std::int64_t fast = 0;       // a sum in floating point, and a test that certifies its rounding
  std::int64_t extracted = 0;  // a sum by error-free extraction
  std::int64_t exact = 0;      // the exact sum, in integers
};

// How to run. Nothing here changes a bit of the result.
struct run_options {
  // At most so many threads, the caller's included: 1 to max_threads. 0 is default_threads(), or
  // the concurrency() of `pool`. Little work stays on the caller's thread all the same.
  int threads = 0;
  // nullptr: oneTBB, in the arena the caller is in, which never has more threads than its slots.
  executor* pool = nullptr;
  // Where not nullptr, filled in when run() returns.
  run_statistics* statistics = nullptr;
};

inline constexpr int max_threads = 4096;

// The value of the environment variable HALFULP_NUM_THREADS where it is set, else the processors
// that this process may use: those of its affinity mask, and no more than a container's share of
// them. Found once. Throws error(invalid_argument) where the variable is no number from 1 to
// max_threads.
HALFULP_API int default_threads();

// How a plan goes through memory, for people to read: it is chosen for speed and changes no bit,
// and other versions may choose otherwise.
struct plan_description {
  // "row": vectors run along a slice. "column": across slices, one in each lane.
  std::string_view layout;
  std::int64_t slices = 0;        // that are computed independently of each other
  std::int64_t slice_length = 0;  // elements of each
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

  plan_description describe() const noexcept;

  // Reads the input at `input` and writes every element of the output at `output`. Both point at
  // the element whose index is all zeros, need no alignment, and are not kept. LpNormalization may
  // have output == input when both layouts are the same; any other overlap throws error(overlap)
  // before anything is written; so does error(invalid_argument) for `options`. Throws
  // std::bad_alloc, what options.pool throws, and nothing else; what was written then is
  // unspecified. Thread-safe. May be called from a task of oneTBB, whose other tasks it does not
  // run meanwhile. The caller's floating-point environment (rounding mode, flush-to-zero, exception
  // flags) has no influence and is restored.
  void run(const void* input, void* output, const run_options& options = {}) const;

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
HALFULP_API tensor compute(op op, const const_view& input, const options& options = {},
                           const run_options& run = {});

// One call into the caller's memory, whose type (unless options.output_type says another, which is
// an error) is the output type, and whose shape must be the output's.
HALFULP_API void compute(op op, const const_view& input, const mutable_view& output,
                         const options& options = {}, const run_options& run = {});

// compute() by name.
inline tensor reduce_l1(const const_view& data, const options& options = {},
                        const run_options& run = {}) {
  return compute(op::reduce_l1, data, options, run);
}
inline tensor reduce_l2(const const_view& data, const options& options = {},
                        const run_options& run = {}) {
  return compute(op::reduce_l2, data, options, run);
}
inline tensor reduce_sum_square(const const_view& data, const options& options = {},
                                const run_options& run = {}) {
  return compute(op::reduce_sum_square, data, options, run);
}
inline tensor lp_normalization(const const_view& input, const options& options = {},
                               const run_options& run = {}) {
  return compute(op::lp_normalization, input, options, run);
}

}  // namespace halfulp
