# SPDX-License-Identifier: Apache-2.0
"""ONNX's norm operators, correctly rounded.

Every floating-point result is the exact value of the formula on the stored inputs, rounded once, so
its bits depend on the input alone: on no order, thread, memory layout or machine.

>>> import numpy as np
>>> import halfulp
>>> x = np.array([[3, 4], [6, 8]], np.float32)
>>> halfulp.reduce_l2(x, axes=1)
array([[ 5.],
       [10.]], dtype=float32)
>>> halfulp.lp_normalize(x)
array([[0.6, 0.8],
       [0.6, 0.8]], dtype=float32)

Arrays of numpy, PyTorch, JAX and of whatever else has DLPack or the buffer protocol are read where
they are, with any strides. Results are arrays of the same library where it can make them by
DLPack, else of numpy. The types are bfloat16 (by the package ml_dtypes, in numpy), float16,
float32, float64, int32, int64, uint32 and uint64.

`halfulp.onnx` runs ONNX models.
"""

from . import onnx as onnx
from ._core import version as __version__
from ._functions import (
    lp_normalize,
    reduce_l1,
    reduce_l2,
    reduce_sum_square,
    vector_norm,
)
from ._plan import Plan, plan

__all__ = [
    "Plan",
    "__version__",
    "lp_normalize",
    "plan",
    "reduce_l1",
    "reduce_l2",
    "reduce_sum_square",
    "vector_norm",
]
