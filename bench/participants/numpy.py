# SPDX-License-Identifier: Apache-2.0
"""numpy, with the memory of every step given to it beforehand. It runs on one thread."""

import data
import numpy

from participants.base import Job, Unsupported, repeated


class Numpy:
    name = "numpy"

    def __init__(self):
        self.version = numpy.__version__

    def prepare(self, task, threads):
        case, x = task.case, task.input
        if threads != 1:
            raise Unsupported("runs on one thread")
        if case.dtype == "bfloat16":
            raise Unsupported("has no bfloat16 of its own")
        if case.output_type:
            raise Unsupported("the case is not measured with it")
        term, root = (numpy.abs, False) if self.is_l1(case) else (numpy.square, self.is_l2(case))
        terms = data.allocate(x.dtype, x.shape)
        output = task.new_output()
        # The norm of a normalisation keeps its axis, to be divided by.
        norm = data.allocate(x.dtype, self.norm_shape(task)) if task.normalizes else output

        add = numpy.add.reduce  # what numpy.sum calls

        def compute():
            term(x, out=terms)
            add(terms, axis=case.axis, dtype=x.dtype, out=norm, keepdims=task.normalizes)
            if root:
                numpy.sqrt(norm, out=norm, casting="unsafe")
            if task.normalizes:
                numpy.divide(x, norm, out=output)

        return Job(repeated(compute), lambda: output)

    @staticmethod
    def is_l1(case):
        return case.operator == "ReduceL1" or (case.operator == "LpNormalization" and case.p == 1)

    @staticmethod
    def is_l2(case):
        return case.operator in ("ReduceL2", "LpNormalization")

    @staticmethod
    def norm_shape(task):
        shape = list(task.input.shape)
        shape[task.case.axis] = 1
        return tuple(shape)
