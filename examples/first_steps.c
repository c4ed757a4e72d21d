/* The L2 norms of the rows of a matrix.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>

#include "halfulp/halfulp.h"

int main(void) {
  const float matrix[2][3] = {{3, 4, 12}, {0.1F, 0.2F, 0.3F}};
  float norms[2];

  const int64_t shape[] = {2, 3};
  const halfulp_layout rows = {.type = HALFULP_FLOAT32, .rank = 2, .shape = shape};
  const int64_t last_axis = -1;
  halfulp_options options;
  halfulp_options_init(&options);
  options.axes = &last_axis;
  options.axes_count = 1;
  options.keepdims = 0;

  /* A plan holds everything but the data, so it can be run on many matrices of this shape. */
  halfulp_plan* plan;
  halfulp_status status = halfulp_plan_create(HALFULP_REDUCE_L2, &rows, &options, NULL, &plan);
  if (status == HALFULP_OK) status = halfulp_plan_run(plan, matrix, norms, NULL);
  if (status == HALFULP_OK) {
    printf("norms: %.9g %.9g\n", norms[0], norms[1]);
  } else {
    fprintf(stderr, "first_steps: error: %s\n", halfulp_last_error());
  }
  halfulp_plan_destroy(plan);
  return status == HALFULP_OK ? 0 : 1;
}
