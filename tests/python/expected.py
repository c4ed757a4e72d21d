# SPDX-License-Identifier: Apache-2.0
"""What each function of the package gives, in exact arithmetic.

exact.py, the oracle, rounds to the type that the data has and knows no eps. Here results go to any
type: every one of them is the root of a fraction, which exact.rounded_root rounds.
"""

import math
from fractions import Fraction

import numpy as np

import exact

OPERATORS = {
    "reduce_l1": "ReduceL1",
    "reduce_l2": "ReduceL2",
    "reduce_sum_square": "ReduceSumSquare",
}


def dtype_of(given):
    """The dtype that a caller means: by the name of one of the eight types, or as numpy has it."""
    return exact.DTYPES.get(given) if isinstance(given, str) else np.dtype(given)


def magnitudes(data):
    """Of finite elements, as fractions."""
    if data.dtype not in exact.FORMATS:
        return [Fraction(abs(element)) for element in data.tolist()]
    fmt = exact.FORMATS[data.dtype]
    return [
        Fraction(exact.fixed_point(fmt, bits), 1 << exact.POINT) for bits in exact.bits_of(data)
    ]


def root(fmt, negative, square):
    return exact.rounded_root(fmt, negative, square.numerator, square.denominator)


def reduced(operator, elements, fmt):
    """The bits of one slice's result in a float type."""
    if elements.dtype in exact.FORMATS:
        source, bits = exact.FORMATS[elements.dtype], exact.bits_of(elements)
        if exact.has_nan(source, bits):
            return fmt.quiet_nan
        if exact.has_infinity(source, bits):
            return fmt.infinity
    terms = magnitudes(elements)
    if operator == "ReduceL1":
        return root(fmt, False, sum(terms, Fraction()) ** 2)
    sum_of_squares = sum((term * term for term in terms), Fraction())
    return root(fmt, False, sum_of_squares if operator == "ReduceL2" else sum_of_squares**2)


def slices_of(data, axes):
    """The slices as the rows of a matrix, and the shape that keeps the reduced axes."""
    kept = [axis for axis in range(data.ndim) if axis not in axes]
    count = math.prod(data.shape[axis] for axis in kept)
    length = math.prod(data.shape[axis] for axis in axes)
    shape = [1 if axis in axes else extent for axis, extent in enumerate(data.shape)]
    return np.ascontiguousarray(data.transpose(*kept, *axes)).reshape(count, length), shape


def reduction(operator, data, axes=None, keepdims=True, noop_with_empty_axes=False, dtype=None):
    if isinstance(axes, int):
        axes = (axes,)
    to = data.dtype if dtype is None else dtype_of(dtype)
    if to == data.dtype:
        return exact.reduce(operator, data, axes or (), keepdims, noop_with_empty_axes)
    if not axes:
        axes = () if noop_with_empty_axes else range(data.ndim)
    axes = sorted(axis % data.ndim for axis in axes)
    slices, shape = slices_of(data, axes)
    if not keepdims:
        shape = [extent for axis, extent in enumerate(data.shape) if axis not in axes]
    if to in exact.FORMATS:
        bits = [reduced(operator, elements, exact.FORMATS[to]) for elements in slices]
        return exact.from_bits(to, bits, shape)
    values = [exact.reduced_integer(operator, elements.tolist()) for elements in slices]
    return exact.wrapped(to, values, shape)


def quotients(elements, p, eps, fmt):
    """The bits of one slice, normalised, in a float type."""
    source, bits = exact.FORMATS[elements.dtype], exact.bits_of(elements)
    if exact.has_nan(source, bits):
        return [fmt.quiet_nan] * len(bits)
    signs = [exact.is_negative(source, element) for element in bits]
    if exact.has_infinity(source, bits):
        return [
            fmt.quiet_nan
            if exact.magnitude_bits(source, element) == source.infinity
            else root(fmt, negative, Fraction(0))
            for element, negative in zip(bits, signs)
        ]
    terms = magnitudes(elements)
    squared_norm = sum(terms) ** 2 if p == 1 else sum(term * term for term in terms)
    if squared_norm == 0:
        return [0] * len(bits)
    divisor = max(squared_norm, Fraction(eps) ** 2)
    return [root(fmt, negative, t * t / divisor) for t, negative in zip(terms, signs)]


def lp_normalize(data, axis=-1, p=2, eps=0, dtype=None):
    to = data.dtype if dtype is None else dtype_of(dtype)
    if to == data.dtype and not eps:
        return exact.lp_normalization(data, axis, p)
    rows = np.moveaxis(data, axis, -1)
    matrix = np.ascontiguousarray(rows).reshape(math.prod(rows.shape[:-1]), rows.shape[-1])
    bits = [b for row in matrix for b in quotients(row, p, eps, exact.FORMATS[to])]
    return np.moveaxis(exact.from_bits(to, bits, rows.shape), -1, axis)


def vector_norm(data, axis=None, keepdims=False, ord=2, dtype=None):
    if dtype is None and data.dtype not in exact.FORMATS:
        dtype = "float64"
    operator = "ReduceL1" if ord == 1 else "ReduceL2"
    return reduction(operator, data, axis, keepdims, axis == (), dtype)


def result(function, data, **arguments):
    """What halfulp's function of this name returns for a numpy array in native byte order."""
    data = np.array(data, order="C")
    if function in OPERATORS:
        return reduction(OPERATORS[function], data, **arguments)
    return {"lp_normalize": lp_normalize, "vector_norm": vector_norm}[function](data, **arguments)
