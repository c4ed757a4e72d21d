# SPDX-License-Identifier: Apache-2.0
"""Compares a sample of each participant's outputs with the exact results.

The exact sums are Python's integers (bench/exact_sum.py), the rounding is that of the oracle of the
tests (tests/onnx/exact.py); neither shares code with halfulp.
"""

import math
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests" / "onnx"))

import exact
import exact_sum

# Elements of the slices that are summed exactly, and outputs that are compared.
MOST_ELEMENTS = 1 << 21
MOST_SLICES = 256
OUTPUTS_OF_A_SLICE = 8

# A result further off than both is wrong, whatever it is computed with. (An ulp of bfloat16 is nearly
# a hundredth.)
TOLERANCE = 0.01
TOLERANCE_ULP = 4

# An error in ulp is counted in this fraction of one.
FRACTION_BITS = 16


@dataclass(frozen=True)
class Expected:
    index: tuple  # in the output
    negative: bool
    # A float's is the root of this fraction; an integer's the value itself.
    numerator: int
    denominator: int


@dataclass
class Check:
    outputs: int
    correctly_rounded: float  # the share of them
    max_ulp: float | None  # None: infinite, or the output is of integers
    wrong: bool


def sample(count, most):
    """Indices that are spread over all, the first and the last among them."""
    return sorted(set(np.linspace(0, count - 1, min(count, most)).astype(int).tolist()))


def slice_sum(values, power):
    """The exact sum as a fraction's numerator and the power of two of its denominator."""
    if values.dtype.kind in "iu":
        return exact_sum.sum_of_integers(values, power), 0
    return exact_sum.sum_of_floats(values, power), power * exact_sum.POINT


def squared(numerator, exponent):
    return numerator**2, 1 << 2 * exponent


def expected_reduction(task, index, values):
    case = task.case
    power = 1 if case.operator == "ReduceL1" else 2
    total, exponent = slice_sum(values, power)
    if task.output_dtype.kind in "iu":
        root = case.operator == "ReduceL2"
        return Expected(index, False, math.isqrt(total) if root else total, 1)
    if case.operator == "ReduceL2":
        return Expected(index, False, total, 1 << exponent)
    return Expected(index, False, *squared(total, exponent))


def expected_quotient(index, value, total, exponent, p):
    """value / N, where N or its square is total * 2^-exponent."""
    if total == 0:
        return Expected(index, False, 0, 1)
    numerator, denominator = (abs(part) for part in float(value).as_integer_ratio())
    negative = math.copysign(1.0, float(value)) < 0
    norm_squared = squared(total, exponent) if p == 1 else (total, 1 << exponent)
    return Expected(
        index, negative, numerator**2 * norm_squared[1], denominator**2 * norm_squared[0]
    )


def expected_outputs(task):
    """The exact results of a sample of outputs. Only for inputs that are finite."""
    x, axes = task.input, [axis % task.input.ndim for axis in task.axes]
    if task.normalizes:
        axes = [task.case.axis % x.ndim]
    kept = [axis for axis in range(x.ndim) if axis not in axes]
    count = math.prod(x.shape[axis] for axis in kept)
    length = math.prod(x.shape[axis] for axis in axes)
    most = max(1, min(MOST_SLICES, MOST_ELEMENTS // max(length, 1)))
    outputs = []
    for number in sample(count, most):
        kept_index = np.unravel_index(number, [x.shape[axis] for axis in kept]) if kept else ()
        place = [slice(None)] * x.ndim
        for axis, position in zip(kept, kept_index):
            place[axis] = int(position)
        values = x[tuple(place)]
        if not task.normalizes:
            outputs.append(expected_reduction(task, tuple(map(int, kept_index)), values))
            continue
        total, exponent = slice_sum(values, task.case.p)
        for position in sample(length, OUTPUTS_OF_A_SLICE):
            place[axes[0]] = position
            outputs.append(
                expected_quotient(tuple(place), values[position], total, exponent, task.case.p)
            )
    return outputs


def check(task, expected, output):
    """The Check of one participant's output."""
    output = output.reshape(task.output_shape)
    if task.output_dtype.kind in "iu":
        return check_integers(task, expected, output)
    fmt = exact.FORMATS[task.output_dtype]
    correct, worst, wrong = 0, 0.0, False
    for value in expected:
        (bits,) = exact.bits_of(np.asarray(output[value.index], task.output_dtype))
        right = exact.rounded_root(fmt, value.negative, value.numerator, value.denominator)
        correct += bits == right
        in_ulp, relative = errors(fmt, value, bits, right)
        worst = max(worst, in_ulp)
        wrong = wrong or (relative > TOLERANCE and in_ulp > TOLERANCE_ULP)
    return Check(
        outputs=len(expected),
        correctly_rounded=correct / len(expected),
        max_ulp=worst if math.isfinite(worst) else None,
        wrong=wrong,
    )


def errors(fmt, value, bits, right):
    """How far a result is from the exact value: in ulp, and as a share of it."""
    if bits == right == fmt.infinity:
        return 0.0, 0.0
    if fmt.infinity in (exact.magnitude_bits(fmt, right), exact.magnitude_bits(fmt, bits)) or (
        exact.has_nan(fmt, [bits])
    ):
        return math.inf, math.inf
    field = max(exact.magnitude_bits(fmt, right) >> (fmt.precision - 1), 1)
    ulp = field - 1 + fmt.smallest_exponent - (fmt.precision - 1)
    # Both as integers, in units of a fraction of an ulp.
    unit = ulp - FRACTION_BITS
    numerator, denominator = value.numerator, value.denominator
    if unit < 0:
        numerator <<= -2 * unit
    else:
        denominator <<= 2 * unit
    wanted = math.isqrt(numerator // denominator)
    shift = exact.POINT + unit
    got = exact.fixed_point(fmt, bits)
    got = got >> shift if shift >= 0 else got << -shift
    same_sign = exact.is_negative(fmt, bits) == value.negative
    difference = abs(wanted - got) if same_sign else wanted + got
    relative = difference / wanted if wanted else float(difference != 0)
    return difference / (1 << FRACTION_BITS), relative


def check_integers(task, expected, output):
    modulus = 1 << 8 * task.output_dtype.itemsize
    correct = sum(
        int(output[value.index]) % modulus == value.numerator % modulus for value in expected
    )
    return Check(len(expected), correct / len(expected), None, correct < len(expected))
