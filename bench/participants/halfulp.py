# SPDX-License-Identifier: Apache-2.0
"""halfulp, through its C interface (include/halfulp/halfulp.h) with plans made beforehand."""

import ctypes

from participants.base import Job

TYPES = ("bfloat16", "float16", "float32", "float64", "int32", "int64", "uint32", "uint64")
OPERATORS = ("ReduceL1", "ReduceL2", "ReduceSumSquare", "LpNormalization")

INT64S = ctypes.POINTER(ctypes.c_int64)


class Layout(ctypes.Structure):
    _fields_ = [
        ("type", ctypes.c_int),
        ("rank", ctypes.c_size_t),
        ("shape", INT64S),
        ("strides", INT64S),
    ]


class Options(ctypes.Structure):
    _fields_ = [
        ("opset", ctypes.c_int64),
        ("axes", INT64S),
        ("axes_count", ctypes.c_size_t),
        ("keepdims", ctypes.c_int64),
        ("noop_with_empty_axes", ctypes.c_int64),
        ("axis", ctypes.c_int64),
        ("p", ctypes.c_int64),
        ("eps", ctypes.c_double),
        ("output_type", ctypes.c_int32),
    ]


class RunStatistics(ctypes.Structure):
    _fields_ = [
        ("threads", ctypes.c_int),
        ("parts", ctypes.c_int64),
        ("target", ctypes.c_char_p),
        ("fast", ctypes.c_int64),
        ("extracted", ctypes.c_int64),
        ("exact", ctypes.c_int64),
    ]


class RunOptions(ctypes.Structure):
    _fields_ = [
        ("threads", ctypes.c_int),
        ("pool", ctypes.c_void_p),
        ("statistics", ctypes.POINTER(RunStatistics)),
    ]


def int64s(numbers):
    return (ctypes.c_int64 * len(numbers))(*numbers)


class Halfulp:
    name = "halfulp"

    def __init__(self, path, bench):
        """`bench`: libhalfulp_bench, which runs short calls without Python between them."""
        self.library = ctypes.CDLL(str(path))
        self.bench = bench
        self.library.halfulp_version.restype = ctypes.c_char_p
        self.library.halfulp_last_error.restype = ctypes.c_char_p
        self.library.halfulp_plan_destroy.argtypes = [ctypes.c_void_p]
        self.version = self.library.halfulp_version().decode()

    def check(self, status):
        if status != 0:
            raise RuntimeError(f"halfulp: {self.library.halfulp_last_error().decode()}")

    def plan(self, task):
        case, options = task.case, Options()
        self.library.halfulp_options_init(ctypes.byref(options))
        if task.normalizes:
            options.axis, options.p = case.axis, case.p
        else:
            axes = int64s(task.axes)
            options.axes, options.axes_count, options.keepdims = axes, len(axes), 0
        if case.output_type:
            options.output_type = TYPES.index(case.output_type)
        shape, strides = int64s(task.input.shape), int64s(task.input.strides)
        layout = Layout(TYPES.index(case.dtype), task.input.ndim, shape, strides)
        plan = ctypes.c_void_p()
        self.check(
            self.library.halfulp_plan_create(
                OPERATORS.index(case.operator), ctypes.byref(layout), ctypes.byref(options), None,
                ctypes.byref(plan),
            )
        )  # fmt: skip
        return plan

    def prepare(self, task, threads):
        plan = self.plan(task)
        output = task.new_output()
        source, target = task.input.ctypes.data, output.ctypes.data
        ordinary_run = RunOptions(threads=threads)

        def run(count, options=ordinary_run):
            repeat = self.bench.halfulp_bench_repeat
            self.check(repeat(plan, source, target, ctypes.byref(options), count))

        def tiers():
            counted = RunStatistics()
            run(1, RunOptions(threads=threads, statistics=ctypes.pointer(counted)))
            return {tier: getattr(counted, tier) for tier in ("parts", "fast", "extracted", "exact")}

        return Job(
            run=run,
            result=lambda: output,
            close=lambda: self.library.halfulp_plan_destroy(plan),
            tiers=tiers,
        )
