# SPDX-License-Identifier: Apache-2.0
"""A case with its data in memory: what the participants get to work on."""

import math
from dataclasses import dataclass

import data
import numpy as np
from cases import LARGEST_FIXED, Case


@dataclass
class Task:
    case: Case
    memory: np.ndarray  # what the input's elements lie in: contiguous, from a page's start
    input: np.ndarray  # in most cases all of the memory, else a strided view of it
    output_shape: tuple  # of a reduction: without the reduced axes
    output_dtype: np.dtype

    @property
    def normalizes(self):
        return self.case.operator == "LpNormalization"

    @property
    def axes(self):
        """The reduced axes, never None."""
        axis = self.case.axis
        return tuple(range(self.input.ndim)) if axis is None else (axis,)

    def kept_shape(self):
        """The output's shape with the reduced axes in it, as 1."""
        if self.normalizes:
            return self.input.shape
        axes = {axis % self.input.ndim for axis in self.axes}
        return tuple(1 if i in axes else extent for i, extent in enumerate(self.input.shape))

    def new_output(self):
        return data.allocate(self.output_dtype, self.output_shape)


class Tasks:
    """Makes tasks one after the other in the same memory, which it fills anew where that is needed."""

    def __init__(self, target_bytes, small_bytes):
        self.target_bytes = target_bytes
        self.small_bytes = small_bytes
        size = (max(target_bytes, LARGEST_FIXED),)
        # Ordinary data, hard data, and what the plain copy writes.
        names = ("plain", "hard", "copy")
        self.buffers = {name: data.allocate(np.dtype(np.uint8), size) for name in names}
        self.filled = None  # what the plain buffer holds
        self.blocks = {}

    def of(self, case):
        shape = case.sized(self.small_bytes if case.small else self.target_bytes)
        memory = self.take("hard" if case.data != "ordinary" else "plain", case.dtype, shape)
        if case.data == "ordinary":
            self.fill_ordinary(case, memory)
        else:
            slices = data.slices_of(memory, case.axis)
            data.fill_hard(case.data, slices, case.dtype, case.operator, np.random.default_rng(1))
        return self.task(case, memory)

    def ordinary_twin(self, case):
        """A task with ordinary data, else the same as that of a case with hard data."""
        memory = self.take("plain", case.dtype, case.sized(self.target_bytes))
        self.fill_ordinary(case, memory)
        return self.task(case, memory)

    def take(self, buffer, dtype_name, shape):
        dtype = data.DTYPES[dtype_name]
        size = math.prod(shape) * dtype.itemsize
        return self.buffers[buffer][:size].view(dtype).reshape(shape)

    def task(self, case, memory):
        array = data.STRIDED[case.strided](memory) if case.strided else memory
        output_shape = array.shape
        if case.operator != "LpNormalization":
            axes = range(array.ndim) if case.axis is None else (case.axis % array.ndim,)
            output_shape = tuple(n for i, n in enumerate(array.shape) if i not in axes)
        output_dtype = data.DTYPES[case.output_type or case.dtype]
        return Task(case, memory, array, output_shape, output_dtype)

    def fill_ordinary(self, case, memory):
        shift = self.shift(case, memory.shape)
        key = (case.dtype, shift)
        if key not in self.blocks:
            block = data.ordinary_block(case.dtype, np.random.default_rng(0))
            self.blocks[key] = block if shift == 0 else (block * 2.0**-shift).astype(block.dtype)
        if self.filled != key:
            whole = self.buffers["plain"]
            data.repeat_into(whole[: whole.size // 8 * 8].view(memory.dtype), self.blocks[key])
            self.filled = key

    @staticmethod
    def shift(case, shape):
        """The power of two that keeps a sum of float16 finite."""
        if case.dtype != "float16" or case.operator == "LpNormalization":
            return 0
        length = math.prod(shape) if case.axis is None else shape[case.axis]
        return max(0, math.ceil(math.log2(length)) - 14)
