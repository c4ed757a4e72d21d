# SPDX-License-Identifier: Apache-2.0
"""The operators as functions. They check nothing themselves: the module in C++ does."""

from . import _core

_REDUCTION = """
    x: an array (numpy, PyTorch, JAX, DLPack, the buffer protocol), a number or a list. Arrays are
        not copied unless their bytes are in another order than the machine's.
    axes: the axes to reduce, an int or a tuple of ints; negative ones count from the back. None and
        () are all axes, or none where noop_with_empty_axes is true.
    keepdims: whether the reduced axes stay, with extent 1.
    noop_with_empty_axes: see axes.
    dtype: the result's type, by default that of x: any float type from floats, any type from
        integers. The sum is exact either way, and rounded once.
    out: where the result goes, a numpy array or a PyTorch tensor of its type and shape, with any
        strides, whose memory does not overlap that of x. It is also what is returned.
    threads: at most so many; by default HALFULP_NUM_THREADS, else the processors there are.

    Returns an array of the library that x is from, if that can have it, else of numpy; without
    axes left, one of no dimensions.

    Raises TypeError for types, ValueError for other arguments that do not fit.
"""


def reduce_l1(
    x, axes=None, keepdims=True, *, noop_with_empty_axes=False, dtype=None, out=None, threads=None
):
    """The sum of absolute values, as ONNX's ReduceL1.

    An integer result is the exact sum modulo 2^n.
    {arguments}
    >>> reduce_l1([[1.5, -2.0], [0.25, 0.25]], axes=1, keepdims=False)
    array([3.5, 0.5])

    A tie between two floats, broken by one far bit, and no other order of additions helps:

    >>> import numpy as np
    >>> reduce_l1(np.array([2**24, 1, 2**-149], np.float32))
    array([1.6777218e+07], dtype=float32)
    """
    return _core.reduce_l1(x, axes, keepdims, noop_with_empty_axes, dtype, out, threads)


def reduce_l2(
    x, axes=None, keepdims=True, *, noop_with_empty_axes=False, dtype=None, out=None, threads=None
):
    """The square root of the sum of squares, as ONNX's ReduceL2.

    Squares neither overflow nor underflow on the way. An integer result is the root of the exact
    sum, rounded down, modulo 2^n.
    {arguments}
    >>> reduce_l2([3e200, 4e200])
    array([5.e+200])
    """
    return _core.reduce_l2(x, axes, keepdims, noop_with_empty_axes, dtype, out, threads)


def reduce_sum_square(
    x, axes=None, keepdims=True, *, noop_with_empty_axes=False, dtype=None, out=None, threads=None
):
    """The sum of squares, as ONNX's ReduceSumSquare.

    An integer result is the exact sum modulo 2^n.
    {arguments}
    >>> reduce_sum_square([1, 2, 3])
    array([14])
    >>> reduce_sum_square([1, 2, 3], dtype="float32")
    array([14.], dtype=float32)
    """
    return _core.reduce_sum_square(x, axes, keepdims, noop_with_empty_axes, dtype, out, threads)


def lp_normalize(x, axis=-1, p=2, *, eps=0, dtype=None, out=None, threads=None):
    """x divided by its norms along an axis, as ONNX's LpNormalization.

    The exact quotient is rounded, not one by a rounded norm. Where the norm is zero, the result is
    zero.

    x: an array of floats, as reduce_l1 takes it.
    axis: an int; negative ones count from the back.
    p: the order of the norm: 1, the sum of absolute values, or 2, the root of the sum of squares.
    eps: the divisor is the greater of this and the norm.
    dtype: the result's type, by default that of x: any float type.
    out: where the result goes, as reduce_l1 has it; may be x itself.
    threads: at most so many; by default HALFULP_NUM_THREADS, else the processors there are.

    Returns an array of the library that x is from, if that can have it, else of numpy.

    Raises TypeError for types, ValueError for other arguments that do not fit.

    >>> lp_normalize([[3.0, 4.0], [0.0, 0.0]])
    array([[0.6, 0.8],
           [0. , 0. ]])
    >>> lp_normalize([3.0, 4.0, 1.0], p=1)
    array([0.375, 0.5  , 0.125])
    """
    return _core.lp_normalize(x, axis, p, eps, dtype, out, threads)


def vector_norm(x, /, *, axis=None, keepdims=False, ord=2, dtype=None):
    """A vector norm, as the Python array API standard's linalg.vector_norm.

    x: an array, as reduce_l1 takes it. Norms of integers are float64 unless dtype says otherwise.
    axis: None for all axes, an int, or a tuple of ints; () gives the norms of single elements.
    keepdims: whether the reduced axes stay, with extent 1.
    ord: the order of the norm: 1 or 2.
    dtype: the result's type; x is not converted to it first.

    Returns an array of the library that x is from, if that can have it, else of numpy.

    Raises TypeError for types, ValueError for other arguments that do not fit.

    >>> vector_norm([[3.0, 4.0], [6.0, 8.0]], axis=1)
    array([ 5., 10.])
    >>> vector_norm([3, 4])
    array(5.)
    """
    return _core.vector_norm(x, axis, keepdims, ord, dtype)


for _function in (reduce_l1, reduce_l2, reduce_sum_square):
    # None where Python runs without docstrings.
    if _function.__doc__:
        _function.__doc__ = _function.__doc__.replace("    {arguments}\n", _REDUCTION)
