/* The C interface, compiled as C.
 * SPDX-License-Identifier: Apache-2.0
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "halfulp/halfulp.h"

static int failures = 0;

#define CHECK(condition)                                                                           \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      ++failures;                                                                                  \
      printf("%s:%d: %s; last error: %s\n", __FILE__, __LINE__, #condition, halfulp_last_error()); \
    }                                                                                              \
  } while (0)

static int is_one_line_with(const char* message, const char* part) {
  return message[0] != '\0' && strchr(message, '\n') == NULL && strstr(message, part) != NULL;
}

static void reduces_rows(void) {
  const float data[2][3] = {{1, -2, 3}, {-4, 5, -6}};
  const int64_t shape[] = {2, 3};
  const int64_t axes[] = {-1};
  const halfulp_layout input = {HALFULP_FLOAT32, 2, shape, NULL};
  halfulp_options options;
  halfulp_plan* plan = NULL;
  halfulp_layout output;
  float sums[2] = {0, 0};

  halfulp_options_init(&options);
  options.axes = axes;
  options.axes_count = 1;
  options.keepdims = 0;
  CHECK(halfulp_plan_create(HALFULP_REDUCE_L1, &input, &options, NULL, &plan) == HALFULP_OK);
  CHECK(plan != NULL);
  CHECK(halfulp_plan_output(plan, &output) == HALFULP_OK);
  CHECK(output.type == HALFULP_FLOAT32);
  CHECK(output.rank == 1 && output.shape[0] == 2 && output.strides[0] == 4);
  CHECK(halfulp_plan_run(plan, data, sums, NULL) == HALFULP_OK);
  CHECK(sums[0] == 6 && sums[1] == 15);
  halfulp_plan_destroy(plan);
}

static void default_options(void) {
  halfulp_options options;
  memset(&options, 0xa5, sizeof options);
  halfulp_options_init(&options);
  CHECK(options.opset == 28);
  CHECK(options.axes == NULL && options.axes_count == 0);
  CHECK(options.keepdims == 1 && options.noop_with_empty_axes == 0);
  CHECK(options.axis == -1 && options.p == 2 && options.eps == 0);
  CHECK(options.output_type == -1);
}

/* NULL where NULL is allowed: options, shape of rank 0, strides, destroy. */
static void null_means_default(void) {
  const double value = -2.5;
  double norm = 0;
  const halfulp_layout scalar = {HALFULP_FLOAT64, 0, NULL, NULL};
  halfulp_layout output;
  halfulp_plan* plan = NULL;
  CHECK(halfulp_plan_create(HALFULP_REDUCE_L2, &scalar, NULL, NULL, &plan) == HALFULP_OK);
  CHECK(halfulp_plan_output(plan, &output) == HALFULP_OK);
  CHECK(output.type == HALFULP_FLOAT64 && output.rank == 0);
  CHECK(halfulp_plan_run(plan, &value, &norm, NULL) == HALFULP_OK);
  CHECK(norm == 2.5);
  halfulp_plan_destroy(plan);
  halfulp_plan_destroy(NULL);
}

/* Axes that are there but name none: with noop_with_empty_axes nothing is reduced. */
static void empty_axes_are_not_absent_ones(void) {
  const int32_t data[] = {-3, 4};
  int32_t squares[] = {0, 0};
  const int64_t shape[] = {2};
  const int64_t no_axis[] = {0};
  const halfulp_layout input = {HALFULP_INT32, 1, shape, NULL};
  halfulp_options options;
  halfulp_plan* plan = NULL;
  halfulp_options_init(&options);
  options.axes = no_axis;
  options.axes_count = 0;
  options.noop_with_empty_axes = 1;
  CHECK(halfulp_plan_create(HALFULP_REDUCE_SUM_SQUARE, &input, &options, NULL, &plan) ==
        HALFULP_OK);
  CHECK(halfulp_plan_run(plan, data, squares, NULL) == HALFULP_OK);
  CHECK(squares[0] == 9 && squares[1] == 16);
  halfulp_plan_destroy(plan);
}

static void normalizes_with_strides_and_types(void) {
  /* Every second element, backwards. */
  const float data[] = {4, 9, -3, 9};
  double quotients[] = {7, 7, 7};
  const int64_t shape[] = {2};
  const int64_t strides[] = {-8};
  const int64_t output_strides[] = {16};
  const halfulp_layout input = {HALFULP_FLOAT32, 1, shape, strides};
  halfulp_options options;
  halfulp_plan* plan = NULL;
  halfulp_options_init(&options);
  options.output_type = HALFULP_FLOAT64;
  options.eps = 8;
  CHECK(halfulp_plan_create(HALFULP_LP_NORMALIZATION, &input, &options, output_strides, &plan) ==
        HALFULP_OK);
  CHECK(halfulp_plan_run(plan, data + 2, quotients, NULL) == HALFULP_OK);
  CHECK(quotients[0] == -0.375 && quotients[1] == 7 && quotients[2] == 0.5);
  halfulp_plan_destroy(plan);
}

static void expect_failure(halfulp_status status, const char* part, halfulp_op op,
                           const halfulp_layout* input, const halfulp_options* options) {
  halfulp_plan* plan = (halfulp_plan*)&failures;
  const halfulp_status given = halfulp_plan_create(op, input, options, NULL, &plan);
  CHECK(given == status);
  CHECK(plan == NULL);
  CHECK(is_one_line_with(halfulp_last_error(), part));
}

static void errors_have_a_status_and_a_line(void) {
  const int64_t shape[] = {2, 3};
  const int64_t negative[] = {2, -3};
  const int64_t axes[] = {2};
  halfulp_layout input = {HALFULP_FLOAT32, 2, shape, NULL};
  halfulp_options options;
  halfulp_options_init(&options);

  options.axes = axes;
  options.axes_count = 1;
  expect_failure(HALFULP_INVALID_ARGUMENT, "axes", HALFULP_REDUCE_L1, &input, &options);
  halfulp_options_init(&options);
  options.p = 3;
  expect_failure(HALFULP_INVALID_ARGUMENT, "p", HALFULP_LP_NORMALIZATION, &input, &options);
  halfulp_options_init(&options);
  options.eps = NAN;
  expect_failure(HALFULP_INVALID_ARGUMENT, "eps", HALFULP_LP_NORMALIZATION, &input, &options);
  halfulp_options_init(&options);
  options.opset = 29;
  expect_failure(HALFULP_INVALID_ARGUMENT, "29", HALFULP_REDUCE_L1, &input, &options);
  halfulp_options_init(&options);
  options.output_type = HALFULP_INT32;
  expect_failure(HALFULP_UNSUPPORTED_TYPE, "int32", HALFULP_REDUCE_L1, &input, &options);
  input.type = HALFULP_INT64;
  expect_failure(HALFULP_UNSUPPORTED_TYPE, "int64", HALFULP_LP_NORMALIZATION, &input, NULL);
  input.type = HALFULP_FLOAT32;
  input.shape = negative;
  expect_failure(HALFULP_INVALID_SHAPE, "-3", HALFULP_REDUCE_L1, &input, NULL);
}

/* Numbers that are no enumerator, which C lets through. */
static void numbers_out_of_range(void) {
  const int64_t shape[] = {2};
  halfulp_layout input = {HALFULP_FLOAT32, 1, shape, NULL};
  halfulp_options options;
  expect_failure(HALFULP_INVALID_ARGUMENT, "4", (halfulp_op)4, &input, NULL);
  expect_failure(HALFULP_INVALID_ARGUMENT, "99", (halfulp_op)99, &input, NULL);
  input.type = (halfulp_dtype)8;
  expect_failure(HALFULP_INVALID_ARGUMENT, "8", HALFULP_REDUCE_L1, &input, NULL);
  input.type = HALFULP_FLOAT32;
  halfulp_options_init(&options);
  options.output_type = 8;
  expect_failure(HALFULP_INVALID_ARGUMENT, "8", HALFULP_REDUCE_L1, &input, &options);
  options.output_type = -2;
  expect_failure(HALFULP_INVALID_ARGUMENT, "-2", HALFULP_REDUCE_L1, &input, &options);
}

static void overlap_is_refused(void) {
  float data[] = {1, 2, 3, 4};
  const int64_t shape[] = {3};
  const halfulp_layout input = {HALFULP_FLOAT32, 1, shape, NULL};
  halfulp_plan* plan = NULL;
  CHECK(halfulp_plan_create(HALFULP_LP_NORMALIZATION, &input, NULL, NULL, &plan) == HALFULP_OK);
  CHECK(halfulp_plan_run(plan, data, data + 1, NULL) == HALFULP_OVERLAP);
  CHECK(is_one_line_with(halfulp_last_error(), "overlap"));
  CHECK(data[0] == 1 && data[1] == 2 && data[2] == 3 && data[3] == 4);
  CHECK(halfulp_plan_run(plan, data, data, NULL) == HALFULP_OK);
  halfulp_plan_destroy(plan);
}

/* Runs the last half of the tasks, first the last one. */
static void run_some_backwards(void* context, int64_t count, void (*task)(void*, int64_t),
                               void* task_context) {
  *(int64_t*)context += count;
  for (int64_t i = count - 1; i >= count / 2; --i) task(task_context, i);
}

static void threads_of_the_host(void) {
  enum { rows = 1000, columns = 256 };
  static float data[rows][columns];
  static float norms[2][rows];
  const int64_t shape[] = {rows, columns};
  const int64_t axes[] = {1};
  const halfulp_layout input = {HALFULP_FLOAT32, 2, shape, NULL};
  halfulp_options options;
  halfulp_plan* plan = NULL;
  halfulp_plan_description description;
  int64_t tasks = 0;
  halfulp_executor pool = {&tasks, 4, run_some_backwards};
  halfulp_run_statistics statistics;
  halfulp_run_options run = {0, &pool, &statistics};
  int threads = 0;

  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) data[i][j] = (float)(i + j) / 16;
  }
  halfulp_options_init(&options);
  options.axes = axes;
  options.axes_count = 1;
  CHECK(halfulp_plan_create(HALFULP_REDUCE_L2, &input, &options, NULL, &plan) == HALFULP_OK);
  CHECK(halfulp_plan_describe(plan, &description) == HALFULP_OK);
  CHECK(description.layout != NULL && description.layout[0] != '\0');
  CHECK(description.slices == rows && description.slice_length == columns);

  CHECK(halfulp_plan_run(plan, data, norms[0], &run) == HALFULP_OK);
  CHECK(tasks > 1 && tasks <= 4 && statistics.threads == tasks);
  CHECK(statistics.parts >= tasks);
  CHECK(statistics.target != NULL && statistics.target[0] != '\0');
  CHECK(statistics.fast + statistics.extracted + statistics.exact == rows);
  memset(&run, 0, sizeof run);
  CHECK(halfulp_plan_run(plan, data, norms[1], &run) == HALFULP_OK);
  CHECK(memcmp(norms[0], norms[1], sizeof norms[0]) == 0);

  run.threads = -1;
  CHECK(halfulp_plan_run(plan, data, norms[0], &run) == HALFULP_INVALID_ARGUMENT);
  CHECK(is_one_line_with(halfulp_last_error(), "threads is -1"));
  run.threads = 0;
  run.pool = &pool;
  pool.parallel_for = NULL;
  CHECK(halfulp_plan_run(plan, data, norms[0], &run) == HALFULP_INVALID_ARGUMENT);
  CHECK(is_one_line_with(halfulp_last_error(), "parallel_for is NULL"));
  halfulp_plan_destroy(plan);

  CHECK(halfulp_default_threads(&threads) == HALFULP_OK);
  CHECK(threads >= 1);
}

int main(void) {
  CHECK(strcmp(halfulp_last_error(), "") == 0);
  CHECK(strcmp(halfulp_version(), "0.1.0") == 0);
  reduces_rows();
  default_options();
  null_means_default();
  empty_axes_are_not_absent_ones();
  normalizes_with_strides_and_types();
  errors_have_a_status_and_a_line();
  numbers_out_of_range();
  overlap_is_refused();
  threads_of_the_host();
  if (failures == 0) printf("all checks passed\n");
  return failures == 0 ? 0 : 1;
}
