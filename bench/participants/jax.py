# SPDX-License-Identifier: Apache-2.0
"""JAX on the processor, compiled. It makes a new output in every call, which is part of its time."""

import os

os.environ.setdefault("JAX_PLATFORMS", "cpu")

import jax
import numpy
from jax import numpy as jnp

from participants.base import Job, Unsupported, repeated

jax.config.update("jax_enable_x64", True)


class Jax:
    name = "JAX"

    def __init__(self):
        self.version = jax.__version__

    def prepare(self, task, threads):
        if not task.input.flags.c_contiguous:
            raise Unsupported("takes no strides")
        x = self.array(task.input)
        # XLA has no number of threads, only one or all.
        parallel = {"xla_cpu_multi_thread_eigen": threads != 1}
        function = jax.jit(self.function(task)).lower(x).compile(compiler_options=parallel)
        outputs = [None]

        def compute():
            outputs[0] = function(x)
            outputs[0].block_until_ready()

        return Job(repeated(compute), lambda: numpy.asarray(outputs[0]))

    @staticmethod
    def array(array):
        return jax.device_put(array, may_alias=True)

    @staticmethod
    def function(task):
        case = task.case
        l1 = case.operator == "ReduceL1" or (task.normalizes and case.p == 1)
        root = case.operator in ("ReduceL2", "LpNormalization") and not l1
        output_type = task.output_dtype

        def compute(x):
            terms = jnp.abs(x) if l1 else jnp.square(x)
            terms = terms.astype(jnp.promote_types(x.dtype, output_type))
            norm = jnp.sum(terms, axis=case.axis, keepdims=task.normalizes, dtype=terms.dtype)
            norm = jnp.sqrt(norm) if root else norm
            return (x / norm if task.normalizes else norm).astype(output_type)

        return compute
