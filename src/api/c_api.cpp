// SPDX-License-Identifier: Apache-2.0
#include <new>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "halfulp/halfulp.h"
#include "halfulp/halfulp.hpp"

struct halfulp_plan {
  halfulp::plan plan;
};

namespace {

using halfulp::errc;
using halfulp::fail;

static_assert(HALFULP_UINT64 == static_cast<int>(halfulp::dtype::uint64));
static_assert(HALFULP_LP_NORMALIZATION == static_cast<int>(halfulp::op::lp_normalization));
static_assert(HALFULP_INTERNAL == static_cast<int>(errc::internal));

// A fixed array, so that a message can be kept when memory has run out.
thread_local char last_error[1024];

halfulp_status report(errc code, const char* message) noexcept {
  std::string_view text(message);
  text = text.substr(0, sizeof(last_error) - 1);
  text.copy(last_error, text.size());
  last_error[text.size()] = '\0';
  return static_cast<halfulp_status>(code);
}

template <typename F>
halfulp_status guarded(const F& f) noexcept {
  last_error[0] = '\0';
  try {
    f();
    return HALFULP_OK;
  } catch (const halfulp::error& e) {
    return report(e.code(), e.what());
  } catch (const std::bad_alloc&) {
    return report(errc::out_of_memory, "out of memory");
  } catch (const std::exception& e) {
    return report(errc::internal, e.what());
  }
}

void expect(const void* pointer, const char* name) {
  if (pointer == nullptr) fail(errc::invalid_argument, "{} is NULL", name);
}

// An enumerator out of `count`, from a caller who may pass any number.
template <typename To>
To checked_enum(long value, long count, const char* what) {
  if (value < 0 || value >= count) fail(errc::invalid_argument, "{} {} is not known", what, value);
  return static_cast<To>(value);
}

halfulp::dtype to_dtype(long value) {
  return checked_enum<halfulp::dtype>(value, HALFULP_UINT64 + 1, "element type");
}

std::vector<std::int64_t> to_vector(const std::int64_t* data, std::size_t count, const char* name) {
  if (count != 0) expect(data, name);
  return data == nullptr ? std::vector<std::int64_t>{}
                         : std::vector<std::int64_t>(data, data + count);
}

halfulp::tensor_layout to_layout(const halfulp_layout& layout) {
  halfulp::tensor_layout result;
  result.type = to_dtype(layout.type);
  result.shape = to_vector(layout.shape, layout.rank, "shape");
  if (layout.strides != nullptr) result.strides = to_vector(layout.strides, layout.rank, "strides");
  return result;
}

halfulp::options to_options(const halfulp_options& options) {
  halfulp::options result;
  result.opset = options.opset;
  if (options.axes != nullptr) result.axes = to_vector(options.axes, options.axes_count, "axes");
  result.keepdims = options.keepdims;
  result.noop_with_empty_axes = options.noop_with_empty_axes;
  result.axis = options.axis;
  result.p = options.p;
  result.eps = options.eps;
  if (options.output_type != -1) result.output_type = to_dtype(options.output_type);
  return result;
}

// The threads of a host in C, behind the interface of those in C++.
class c_executor : public halfulp::executor {
 public:
  explicit c_executor(const halfulp_executor& host) : host_(host) {
    expect(reinterpret_cast<const void*>(host.parallel_for), "pool->parallel_for");
  }

  int concurrency() const noexcept override { return host_.concurrency; }

  void parallel_for(std::int64_t count, const std::function<void(std::int64_t)>& task) override {
    const auto call = [](void* context, std::int64_t i) {
      (*static_cast<const std::function<void(std::int64_t)>*>(context))(i);
    };
    host_.parallel_for(host_.context, count, call,
                       const_cast<std::function<void(std::int64_t)>*>(&task));
  }

 private:
  const halfulp_executor& host_;
};

}  // namespace

extern "C" {

const char* halfulp_version(void) { return halfulp::version().data(); }

const char* halfulp_last_error(void) { return last_error; }

halfulp_status halfulp_default_threads(int* threads) {
  return guarded([&] {
    expect(threads, "threads");
    *threads = halfulp::default_threads();
  });
}

void halfulp_options_init(halfulp_options* options) {
  if (options == nullptr) return;
  const halfulp::options defaults;
  *options = {.opset = defaults.opset,
              .axes = nullptr,
              .axes_count = 0,
              .keepdims = defaults.keepdims,
              .noop_with_empty_axes = defaults.noop_with_empty_axes,
              .axis = defaults.axis,
              .p = defaults.p,
              .eps = defaults.eps,
              .output_type = -1};
}

halfulp_status halfulp_plan_create(halfulp_op op, const halfulp_layout* input,
                                   const halfulp_options* options,
                                   const std::int64_t* output_strides, halfulp_plan** plan) {
  return guarded([&] {
    expect(plan, "plan");
    *plan = nullptr;
    expect(input, "input");
    const auto checked_op = checked_enum<halfulp::op>(op, HALFULP_LP_NORMALIZATION + 1, "operator");
    const halfulp::tensor_layout layout = to_layout(*input);
    const halfulp::options wanted = options == nullptr ? halfulp::options{} : to_options(*options);
    halfulp::plan made(checked_op, layout, wanted);
    if (output_strides != nullptr) {
      made = halfulp::plan(checked_op, layout, wanted,
                           std::span(output_strides, made.output().shape.size()));
    }
    *plan = new halfulp_plan{std::move(made)};
  });
}

halfulp_status halfulp_plan_output(const halfulp_plan* plan, halfulp_layout* output) {
  return guarded([&] {
    expect(plan, "plan");
    expect(output, "output");
    const halfulp::tensor_layout& layout = plan->plan.output();
    *output = {.type = static_cast<halfulp_dtype>(layout.type),
               .rank = layout.shape.size(),
               .shape = layout.shape.data(),
               .strides = layout.strides.data()};
  });
}

halfulp_status halfulp_plan_describe(const halfulp_plan* plan,
                                     halfulp_plan_description* description) {
  return guarded([&] {
    expect(plan, "plan");
    expect(description, "description");
    const halfulp::plan_description said = plan->plan.describe();
    *description = {
        .layout = said.layout.data(), .slices = said.slices, .slice_length = said.slice_length};
  });
}

halfulp_status halfulp_plan_run(const halfulp_plan* plan, const void* input, void* output,
                                const halfulp_run_options* options) {
  return guarded([&] {
    expect(plan, "plan");
    halfulp::run_statistics statistics;
    halfulp::run_options wanted{.statistics = &statistics};
    std::optional<c_executor> pool;
    if (options != nullptr) {
      wanted.threads = options->threads;
      if (options->pool != nullptr) wanted.pool = &pool.emplace(*options->pool);
    }
    plan->plan.run(input, output, wanted);
    if (options == nullptr || options->statistics == nullptr) return;
    *options->statistics = {.threads = statistics.threads,
                            .parts = statistics.parts,
                            .target = statistics.target.data(),
                            .fast = statistics.fast,
                            .extracted = statistics.extracted,
                            .exact = statistics.exact};
  });
}

void halfulp_plan_destroy(halfulp_plan* plan) { delete plan; }

}  // extern "C"
