// SPDX-License-Identifier: Apache-2.0
#include <string>

#include "bench.hpp"

namespace {

// NOLINTNEXTLINE(*-avoid-non-const-global-variables): read by the next call, like errno.
std::string last_error;

}  // namespace

const char* halfulp_bench_onednn_error() { return last_error.c_str(); }

#ifdef HALFULP_BENCH_HAS_ONEDNN

#include <omp.h>

#include <memory>
#include <oneapi/dnnl/dnnl.hpp>
#include <optional>
#include <unordered_map>
#include <vector>

namespace {

std::optional<dnnl::memory::data_type> onednn_type(int type) {
  switch (type) {
    case HALFULP_FLOAT32:
      return dnnl::memory::data_type::f32;
    case HALFULP_BFLOAT16:
      return dnnl::memory::data_type::bf16;
    case HALFULP_FLOAT16:
      return dnnl::memory::data_type::f16;
    default:
      return {};
  }
}

}  // namespace

struct halfulp_bench_onednn {
  dnnl::stream stream;
  dnnl::primitive primitive;
  std::unordered_map<int, dnnl::memory> arguments;
  int threads;
};

halfulp_bench_onednn* halfulp_bench_onednn_create(int op, int type, std::size_t rank,
                                                  const std::int64_t* shape,
                                                  const std::int64_t* output_shape,
                                                  const void* input, void* output, int threads) {
  const auto element = onednn_type(type);
  if (!element || op == HALFULP_LP_NORMALIZATION) {
    last_error = "no reduction of that type or operator";
    return nullptr;
  }
  try {
    // Kernels are made for the number of threads that there is when they are made.
    omp_set_num_threads(threads);
    const auto describe = [&](const std::int64_t* extents) {
      const dnnl::memory::dims dims(extents, extents + rank);
      dnnl::memory::dims strides(rank, 1);
      for (std::size_t axis = rank; axis-- > 1;) {
        strides[axis - 1] = strides[axis] * dims[axis];
      }
      return dnnl::memory::desc(dims, *element, strides);
    };
    const dnnl::memory::desc from = describe(shape);
    const dnnl::memory::desc to = describe(output_shape);
    const auto algorithm = op == HALFULP_REDUCE_SUM_SQUARE
                               ? dnnl::algorithm::reduction_norm_lp_power_p_sum
                               : dnnl::algorithm::reduction_norm_lp_sum;
    const float p = op == HALFULP_REDUCE_L1 ? 1.0F : 2.0F;
    const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
    const dnnl::reduction::desc descriptor(algorithm, from, to, p, 0.0F);
    return std::make_unique<halfulp_bench_onednn>(
               halfulp_bench_onednn{
                   .stream = dnnl::stream(engine),
                   .primitive =
                       dnnl::reduction(dnnl::reduction::primitive_desc(descriptor, engine)),
                   .arguments = {{DNNL_ARG_SRC,
                                  dnnl::memory(from, engine, const_cast<void*>(input))},
                                 {DNNL_ARG_DST, dnnl::memory(to, engine, output)}},
                   .threads = threads})
        .release();
  } catch (const dnnl::error& error) {
    last_error = error.what();
    return nullptr;
  }
}

void halfulp_bench_onednn_run(halfulp_bench_onednn* reduction) {
  omp_set_num_threads(reduction->threads);
  reduction->primitive.execute(reduction->stream, reduction->arguments);
  reduction->stream.wait();
}

void halfulp_bench_onednn_destroy(halfulp_bench_onednn* reduction) { delete reduction; }

const char* halfulp_bench_onednn_version() {
  static const std::string version = [] {
    const dnnl_version_t& v = *dnnl::version();
    return std::to_string(v.major) + "." + std::to_string(v.minor) + "." + std::to_string(v.patch);
  }();
  return version.c_str();
}

#else

halfulp_bench_onednn* halfulp_bench_onednn_create(int /*op*/, int /*type*/, std::size_t /*rank*/,
                                                  const std::int64_t* /*shape*/,
                                                  const std::int64_t* /*output_shape*/,
                                                  const void* /*input*/, void* /*output*/,
                                                  int /*threads*/) {
  last_error = "this build has no oneDNN";
  return nullptr;
}

void halfulp_bench_onednn_run(halfulp_bench_onednn* /*reduction*/) {}

void halfulp_bench_onednn_destroy(halfulp_bench_onednn* /*reduction*/) {}

const char* halfulp_bench_onednn_version() { return ""; }

#endif
