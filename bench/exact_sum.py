# SPDX-License-Identifier: Apache-2.0
"""Exact sums of long slices: whole numbers, counted by exponent in arrays.

tests/onnx/exact.py, which the rounding comes from, takes one element at a time: right for the small
tensors of its tests, too slow for the millions of elements here.
"""

import numpy as np

# Every finite value of the four float types is an integer times 2^-POINT.
POINT = 1074

# Elements taken at once; a bin of bits below gets at most that many terms, so that its sum, in a
# double, stays exact: 2^20 * 2^LIMB_BITS < 2^53.
CHUNK = 1 << 20
LIMB_BITS = 27
LIMB_MASK = np.uint64((1 << LIMB_BITS) - 1)

HALF = np.uint64(32)
HALF_MASK = np.uint64((1 << 32) - 1)


def sum_of_floats(values, power):
    """The sum of |x| (power 1) or x^2 (power 2) of finite floats, in units of 2^-(power * POINT)."""
    total = 0
    flat = values.reshape(-1)
    for start in range(0, flat.size, CHUNK):
        total += chunk_sum(flat[start : start + CHUNK].astype(np.float64), power)
    return total


def chunk_sum(chunk, power):
    fraction, exponent = np.frexp(np.abs(chunk))
    # x = significand * 2^(exponent - 53), and no bit of x lies below 2^-POINT.
    significand = (fraction * 2.0**53).astype(np.uint64)
    low, high = significand & LIMB_MASK, significand >> np.uint64(LIMB_BITS)
    # Products have at most 54 bits each.
    terms = (
        [(low, 0), (high, 1)]
        if power == 1
        else [(low * low, 0), (low * high, 1), (low * high, 1), (high * high, 2)]
    )
    bins = (exponent + POINT).astype(np.int64)
    total = 0
    for term, limb in terms:
        for shift in (0, 1):
            part = term >> np.uint64(LIMB_BITS) if shift else term & LIMB_MASK
            if part.any():
                sums = np.bincount(bins, weights=part.astype(np.float64))
                for index in np.flatnonzero(sums):
                    total += int(sums[index]) << (power * int(index) + (limb + shift) * LIMB_BITS)
    # The bins count from 2^-(POINT + 53).
    assert total & ((1 << (53 * power)) - 1) == 0
    return total >> (53 * power)


def sum_of_integers(values, power):
    """The sum of |x| or x^2 of integers of up to 64 bits."""
    total = 0
    flat = values.reshape(-1)
    for start in range(0, flat.size, CHUNK):
        chunk = flat[start : start + CHUNK]
        bits = chunk.astype(np.uint64)  # modulo 2^64, and so is the negation
        magnitude = np.where(chunk < 0, -bits, bits)
        low, high = magnitude & HALF_MASK, magnitude >> HALF
        terms = (
            [(low, 0), (high, 32)]
            if power == 1
            else [(low * low, 0), (low * high, 33), (high * high, 64)]
        )
        for term, shift in terms:
            total += int((term & HALF_MASK).sum()) << shift
            total += int((term >> HALF).sum()) << (shift + 32)
    return total
