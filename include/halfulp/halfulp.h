/* halfulp: ONNX's norm operators, correctly rounded. The C interface.
 * SPDX-License-Identifier: Apache-2.0
 *
 * The same contract as halfulp.hpp, which describes it. Every function that can fail returns a
 * halfulp_status; halfulp_last_error() then has the one-line message. No function throws or aborts.
 */
#ifndef HALFULP_HALFULP_H_
#define HALFULP_HALFULP_H_

#include <stddef.h>
#include <stdint.h>

#if defined(HALFULP_STATIC)
#define HALFULP_C_API
#else
#define HALFULP_C_API __attribute__((visibility("default")))
#endif

/* In C++ an enumeration must have a fixed type to hold any number that a caller passes. */
#ifdef __cplusplus
#define HALFULP_ENUM_BASE : int
extern "C" {
#else
#define HALFULP_ENUM_BASE
#endif

typedef enum halfulp_status HALFULP_ENUM_BASE {
  HALFULP_OK = 0,
  HALFULP_INVALID_ARGUMENT = 1,
  HALFULP_UNSUPPORTED_TYPE = 2,
  HALFULP_INVALID_SHAPE = 3,
  HALFULP_OVERLAP = 4,
  HALFULP_INVALID_FILE = 5,
  HALFULP_IO = 6,
  HALFULP_OUT_OF_MEMORY = 7,
  HALFULP_INTERNAL = 8
} halfulp_status;

typedef enum halfulp_dtype HALFULP_ENUM_BASE {
  HALFULP_BFLOAT16 = 0,
  HALFULP_FLOAT16 = 1,
  HALFULP_FLOAT32 = 2,
  HALFULP_FLOAT64 = 3,
  HALFULP_INT32 = 4,
  HALFULP_INT64 = 5,
  HALFULP_UINT32 = 6,
  HALFULP_UINT64 = 7
} halfulp_dtype;

typedef enum halfulp_op HALFULP_ENUM_BASE {
  HALFULP_REDUCE_L1 = 0,
  HALFULP_REDUCE_L2 = 1,
  HALFULP_REDUCE_SUM_SQUARE = 2,
  HALFULP_LP_NORMALIZATION = 3
} halfulp_op;

/* Type, shape and byte strides of a tensor; strides == NULL means C order without gaps. The arrays
 * have `rank` elements, stay the caller's, and are copied. They may be NULL where rank is 0. */
typedef struct halfulp_layout {
  halfulp_dtype type;
  size_t rank;
  const int64_t* shape;
  const int64_t* strides;
} halfulp_layout;

/* An operator's attributes: fill with halfulp_options_init, then set what differs. */
typedef struct halfulp_options {
  int64_t opset;
  const int64_t* axes; /* NULL: absent; else axes_count elements, copied */
  size_t axes_count;
  int64_t keepdims;
  int64_t noop_with_empty_axes;
  int64_t axis;
  int64_t p;
  double eps;
  int32_t output_type; /* a halfulp_dtype, or -1 for the input's type */
} halfulp_options;

/* A host's own threads, in place of halfulp's: what halfulp::executor is in C++. */
typedef struct halfulp_executor {
  void* context; /* handed to parallel_for */
  int concurrency;
  /* Calls task(task_context, i) for each i from 0 to count - 1, and returns when the calls have
   * returned; neither throws. */
  void (*parallel_for)(void* context, int64_t count, void (*task)(void* task_context, int64_t i),
                       void* task_context);
} halfulp_executor;

/* What a run did: halfulp::run_statistics. */
typedef struct halfulp_run_statistics {
  int threads;
  int64_t parts;
  const char* target; /* static */
  int64_t fast;
  int64_t extracted;
  int64_t exact;
} halfulp_run_statistics;

/* How to run: halfulp::run_options. All zeros are the defaults. */
typedef struct halfulp_run_options {
  int threads;
  const halfulp_executor* pool;
  halfulp_run_statistics* statistics;
} halfulp_run_options;

/* An immutable computation; may be run from many threads at once. */
typedef struct halfulp_plan halfulp_plan;

/* "major.minor.patch"; static. */
HALFULP_C_API const char* halfulp_version(void);

/* The message of this thread's last failed call, or "". Valid until its next call to halfulp. */
HALFULP_C_API const char* halfulp_last_error(void);

/* Finds the default number of threads: halfulp::default_threads. */
HALFULP_C_API halfulp_status halfulp_default_threads(int* threads);

/* Nothing happens where options is NULL. */
HALFULP_C_API void halfulp_options_init(halfulp_options* options);

/* Makes a plan into *plan, which the caller destroys. `options` may be NULL for the defaults;
 * `output_strides` (bytes, as many as the output has axes) may be NULL for C order. On failure
 * *plan is NULL. */
HALFULP_C_API halfulp_status halfulp_plan_create(halfulp_op op, const halfulp_layout* input,
                                                 const halfulp_options* options,
                                                 const int64_t* output_strides,
                                                 halfulp_plan** plan);

/* Describes the output; its arrays live as long as the plan. */
HALFULP_C_API halfulp_status halfulp_plan_output(const halfulp_plan* plan, halfulp_layout* output);

/* How a plan goes through memory: halfulp::plan_description. The name is static. */
typedef struct halfulp_plan_description {
  const char* layout;
  int64_t slices;
  int64_t slice_length;
} halfulp_plan_description;

HALFULP_C_API halfulp_status halfulp_plan_describe(const halfulp_plan* plan,
                                                   halfulp_plan_description* description);

/* Computes. `input` and `output` as in halfulp::plan::run; `options` may be NULL for the defaults.
 */
HALFULP_C_API halfulp_status halfulp_plan_run(const halfulp_plan* plan, const void* input,
                                              void* output, const halfulp_run_options* options);

/* NULL is allowed. */
HALFULP_C_API void halfulp_plan_destroy(halfulp_plan* plan);

#ifdef __cplusplus
}
#endif

#undef HALFULP_ENUM_BASE

#endif /* HALFULP_HALFULP_H_ */
