# SPDX-License-Identifier: Apache-2.0
"""Seeded random elements of every kind that the operators tell apart."""

import math

import numpy as np

import exact


def random_bits(rng, dtype, count):
    """Any bit pattern: every exponent, subnormals, now and then an infinity or a NaN."""
    return rng.integers(0, 256, count * dtype.itemsize, np.uint8).view(dtype)


def small_integers(rng, dtype, count):
    """Sums of these are exact, so they make ties, zeros and roots of squares."""
    low = 0 if dtype.kind == "u" else -9
    return rng.integers(low, 10, count).astype(dtype)


def moderate_numbers(rng, dtype, count):
    return rng.normal(0, 100, count).astype(dtype)


def extremes(rng, dtype, count):
    """The ends of the range, and zeros of both signs."""
    if dtype not in exact.FORMATS:
        info = np.iinfo(dtype)
        return rng.choice(np.array([info.min, info.min + 1, 0, 1, info.max], dtype), count)
    fmt = exact.FORMATS[dtype]
    least_normal = 1 << (fmt.precision - 1)
    magnitudes = [0, 1, 2, least_normal - 1, least_normal, fmt.infinity - 1]
    signs = [0, 1 << (fmt.width - 1)]
    return exact.from_bits(
        dtype, [int(rng.choice(magnitudes)) | int(rng.choice(signs)) for _ in range(count)], count
    )


def random_array(rng, dtype, shape):
    kinds = [random_bits, small_integers, extremes]
    if dtype in exact.FORMATS:
        kinds += [moderate_numbers, moderate_numbers]
    kind = kinds[rng.integers(len(kinds))]
    return kind(rng, dtype, math.prod(shape)).reshape(shape)
