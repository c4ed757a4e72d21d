# SPDX-License-Identifier: Apache-2.0
"""oneDNN's reduction primitives, which libhalfulp_bench calls. It has no LpNormalization."""

import ctypes

from participants.base import Job, Unsupported, repeated
from participants.halfulp import OPERATORS, TYPES, int64s


class OneDnn:
    name = "oneDNN"

    def __init__(self, bench):
        self.bench = bench
        self.version = bench.halfulp_bench_onednn_version().decode()
        if not self.version:
            raise ImportError(bench.halfulp_bench_onednn_error().decode() or "not in this build")

    def prepare(self, task, threads):
        case = task.case
        if case.output_type or not task.input.flags.c_contiguous:
            raise Unsupported("the case is not measured with it")
        output = task.new_output()
        reduction = self.bench.halfulp_bench_onednn_create(
            OPERATORS.index(case.operator), TYPES.index(case.dtype), task.input.ndim,
            int64s(task.input.shape), int64s(task.kept_shape()),
            task.input.ctypes.data, output.ctypes.data, threads,
        )  # fmt: skip
        if not reduction:
            raise Unsupported(self.bench.halfulp_bench_onednn_error().decode())
        reduction = ctypes.c_void_p(reduction)
        return Job(
            run=repeated(lambda: self.bench.halfulp_bench_onednn_run(reduction)),
            result=lambda: output,
            close=lambda: self.bench.halfulp_bench_onednn_destroy(reduction),
        )
