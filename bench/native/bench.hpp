// SPDX-License-Identifier: Apache-2.0
// The functions of libhalfulp_bench, which bench/native_library.py loads.
#pragma once

#include <cstddef>
#include <cstdint>

#include "halfulp/halfulp.h"

#define HALFULP_BENCH_API extern "C" __attribute__((visibility("default")))

// Plain read: the largest of the floats that the bytes are, so that each byte is loaded once. The
// bytes are divided into one contiguous part for each thread. Aligned to 4096 bytes.
HALFULP_BENCH_API float halfulp_bench_read(const void* source, std::size_t bytes, unsigned threads);

// Plain copy, divided the same way, with non-temporal stores. Both aligned to 4096 bytes.
HALFULP_BENCH_API void halfulp_bench_copy(const void* source, void* target, std::size_t bytes,
                                          unsigned threads);

// The vector instructions of the two, by Highway's name.
HALFULP_BENCH_API const char* halfulp_bench_target();

// halfulp_plan_run, `count` times: calls too short to be measured one by one, or from Python at
// all.
HALFULP_BENCH_API halfulp_status halfulp_bench_repeat(const halfulp_plan* plan, const void* input,
                                                      void* output,
                                                      const halfulp_run_options* options,
                                                      std::size_t count);

// A reduction by oneDNN, or null, with the reason in halfulp_bench_onednn_error(). The operator is
// a halfulp_op, and the output keeps the reduced axes. Everything it computes it does with the
// given number of threads.
struct halfulp_bench_onednn;
HALFULP_BENCH_API halfulp_bench_onednn* halfulp_bench_onednn_create(
    int op, int type, std::size_t rank, const std::int64_t* shape, const std::int64_t* output_shape,
    const void* input, void* output, int threads);
HALFULP_BENCH_API void halfulp_bench_onednn_run(halfulp_bench_onednn* reduction);
HALFULP_BENCH_API void halfulp_bench_onednn_destroy(halfulp_bench_onednn* reduction);
HALFULP_BENCH_API const char* halfulp_bench_onednn_error();

// "2.6.3", or "" without oneDNN.
HALFULP_BENCH_API const char* halfulp_bench_onednn_version();
