# SPDX-License-Identifier: Apache-2.0
"""The operators in exact arithmetic, each result rounded once: the oracle of these tests.

Integers of Python carry every intermediate value, and one function rounds: every result that has to
be rounded is plus or minus the square root of a fraction (a sum is the root of its square), which
integers decide without approximation. It is written from docs/operators.md and IEEE 754, and shares
no code with what it judges.
"""

import math
from dataclasses import dataclass

import ml_dtypes
import numpy as np


@dataclass(frozen=True)
class FloatFormat:
    precision: int  # bits of the significand, the hidden one included
    width: int

    @property
    def largest_exponent(self):
        return (1 << (self.width - self.precision - 1)) - 1

    @property
    def smallest_exponent(self):
        """Of the normal numbers."""
        return 1 - self.largest_exponent

    @property
    def infinity(self):
        return ((1 << (self.width - self.precision)) - 1) << (self.precision - 1)

    @property
    def quiet_nan(self):
        return self.infinity | 1 << (self.precision - 2)


DTYPES = {
    "bfloat16": np.dtype(ml_dtypes.bfloat16),
    "float16": np.dtype(np.float16),
    "float32": np.dtype(np.float32),
    "float64": np.dtype(np.float64),
    "int32": np.dtype(np.int32),
    "int64": np.dtype(np.int64),
    "uint32": np.dtype(np.uint32),
    "uint64": np.dtype(np.uint64),
}
FORMATS = {
    DTYPES["bfloat16"]: FloatFormat(8, 16),
    DTYPES["float16"]: FloatFormat(11, 16),
    DTYPES["float32"]: FloatFormat(24, 32),
    DTYPES["float64"]: FloatFormat(53, 64),
}
FLOATS = [name for name, dtype in DTYPES.items() if dtype in FORMATS]
INTEGERS = [name for name in DTYPES if name not in FLOATS]

# Every finite value of the four formats is an integer times 2^-POINT.
POINT = 1074


class CastError(Exception):
    """An element that has no value in the type it is cast to."""


def floor_log2(numerator, denominator):
    exponent = numerator.bit_length() - denominator.bit_length()
    if exponent >= 0:
        return exponent if numerator >= denominator << exponent else exponent - 1
    return exponent if numerator << -exponent >= denominator else exponent - 1


def rounded_root(fmt, negative, numerator, denominator):
    """The bits of the root of a fraction, rounded to nearest, ties to even, with a sign."""
    sign = negative << (fmt.width - 1)
    if numerator == 0:
        return sign
    exponent = max(floor_log2(numerator, denominator) // 2, fmt.smallest_exponent)
    # Counted in units in the last place, the root is that of numerator / denominator:
    ulp = exponent - (fmt.precision - 1)
    if ulp >= 0:
        denominator <<= 2 * ulp
    else:
        numerator <<= -2 * ulp
    count = math.isqrt(numerator // denominator)
    # The root against count + 1/2, both squared and times 4.
    beyond_half = 4 * numerator - (2 * count + 1) ** 2 * denominator
    if beyond_half > 0 or (beyond_half == 0 and count & 1):
        count += 1
    # Consecutive floats have consecutive bits, so a carry into the exponent needs no case of its
    # own, and the first number past the largest finite one is infinity.
    bits = ((exponent - fmt.smallest_exponent) << (fmt.precision - 1)) + count
    return sign | min(bits, fmt.infinity)


def bits_of(array):
    return array.reshape(-1).view(f"u{array.dtype.itemsize}").tolist()


def from_bits(dtype, bits, shape):
    return np.array(bits, f"u{dtype.itemsize}").view(dtype).reshape(shape)


def fixed_point(fmt, bits):
    """A finite number's magnitude as an integer times 2^-POINT."""
    fraction = bits & ((1 << (fmt.precision - 1)) - 1)
    field = (bits & fmt.infinity) >> (fmt.precision - 1)
    significand = fraction | (field > 0) << (fmt.precision - 1)
    exponent = max(field, 1) - 1 + fmt.smallest_exponent - (fmt.precision - 1)
    return significand << (exponent + POINT)


def is_negative(fmt, bits):
    return bool(bits >> (fmt.width - 1))


def magnitude_bits(fmt, bits):
    return bits & ~(1 << (fmt.width - 1))


def has_nan(fmt, slice_bits):
    return any(magnitude_bits(fmt, bits) > fmt.infinity for bits in slice_bits)


def has_infinity(fmt, slice_bits):
    return any(magnitude_bits(fmt, bits) == fmt.infinity for bits in slice_bits)


def reduced_float(operator, fmt, slice_bits):
    if has_nan(fmt, slice_bits):
        return fmt.quiet_nan
    if has_infinity(fmt, slice_bits):
        return fmt.infinity
    terms = [fixed_point(fmt, bits) for bits in slice_bits]
    if operator == "ReduceL1":
        return rounded_root(fmt, False, sum(terms) ** 2, 1 << 2 * POINT)
    sum_of_squares = sum(term * term for term in terms)
    if operator == "ReduceL2":
        return rounded_root(fmt, False, sum_of_squares, 1 << 2 * POINT)
    return rounded_root(fmt, False, sum_of_squares**2, 1 << 4 * POINT)


def reduced_integer(operator, elements):
    if operator == "ReduceL1":
        return sum(abs(element) for element in elements)
    sum_of_squares = sum(element * element for element in elements)
    return math.isqrt(sum_of_squares) if operator == "ReduceL2" else sum_of_squares


def wrapped(dtype, values, shape):
    modulus = 1 << 8 * dtype.itemsize
    return from_bits(dtype, [value % modulus for value in values], shape)


def reduce(operator, data, axes=(), keepdims=1, noop_with_empty_axes=0):
    """ReduceL1, ReduceL2 or ReduceSumSquare."""
    if not axes:
        axes = () if noop_with_empty_axes else range(data.ndim)
    axes = sorted(axis % data.ndim for axis in axes)
    kept = [axis for axis in range(data.ndim) if axis not in axes]
    count = math.prod(data.shape[axis] for axis in kept)
    length = math.prod(data.shape[axis] for axis in axes)
    slices = np.ascontiguousarray(data.transpose(*kept, *axes)).reshape(count, length)
    if keepdims:
        shape = [1 if axis in axes else extent for axis, extent in enumerate(data.shape)]
    else:
        shape = [data.shape[axis] for axis in kept]
    if data.dtype in FORMATS:
        fmt = FORMATS[data.dtype]
        results = [reduced_float(operator, fmt, bits_of(elements)) for elements in slices]
        return from_bits(data.dtype, results, shape)
    results = [reduced_integer(operator, elements.tolist()) for elements in slices]
    return wrapped(data.dtype, results, shape)


def normalized(fmt, slice_bits, p):
    if has_nan(fmt, slice_bits):
        return [fmt.quiet_nan] * len(slice_bits)
    if has_infinity(fmt, slice_bits):
        return [
            fmt.quiet_nan
            if magnitude_bits(fmt, bits) == fmt.infinity
            else rounded_root(fmt, is_negative(fmt, bits), 0, 1)
            for bits in slice_bits
        ]
    terms = [fixed_point(fmt, bits) for bits in slice_bits]
    squared_norm = sum(terms) ** 2 if p == 1 else sum(term * term for term in terms)
    if squared_norm == 0:
        return [0] * len(slice_bits)
    return [
        rounded_root(fmt, is_negative(fmt, bits), term * term, squared_norm)
        for bits, term in zip(slice_bits, terms)
    ]


def lp_normalization(data, axis=-1, p=2):
    fmt = FORMATS[data.dtype]
    rows = np.moveaxis(data, axis, -1)
    shape = rows.shape
    rows = rows.reshape(math.prod(shape[:-1]), shape[-1])
    results = [bits for row in rows for bits in normalized(fmt, bits_of(row), p)]
    return np.moveaxis(from_bits(data.dtype, results, shape), -1, axis)


def cast_from_float(fmt, bits, to):
    magnitude = magnitude_bits(fmt, bits)
    negative = is_negative(fmt, bits)
    if to in FORMATS:
        target = FORMATS[to]
        if magnitude > fmt.infinity:
            return target.quiet_nan
        if magnitude == fmt.infinity:
            return target.infinity | negative << (target.width - 1)
        return rounded_root(target, negative, fixed_point(fmt, bits) ** 2, 1 << 2 * POINT)
    if magnitude >= fmt.infinity:
        raise CastError
    integer = fixed_point(fmt, bits) >> POINT
    integer = -integer if negative else integer
    if not np.iinfo(to).min <= integer <= np.iinfo(to).max:
        raise CastError
    return integer % (1 << 8 * to.itemsize)


def cast_from_integer(element, to):
    if to in FORMATS:
        return rounded_root(FORMATS[to], element < 0, element * element, 1)
    return element % (1 << 8 * to.itemsize)


def cast(data, to):
    """Raises CastError where a float's integer part is none of the type's. A cast to the type that
    the data has changes nothing, not even a NaN."""
    if data.dtype == to:
        return data
    if data.dtype in FORMATS:
        fmt = FORMATS[data.dtype]
        results = [cast_from_float(fmt, bits, to) for bits in bits_of(data)]
    else:
        results = [cast_from_integer(element, to) for element in data.reshape(-1).tolist()]
    return from_bits(to, results, data.shape)
