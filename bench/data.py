# SPDX-License-Identifier: Apache-2.0
"""The data of the cases: memory in ordinary pages, ordinary data, and data that is hard to sum.

Each piece of hard data is given as a two-dimensional view, a slice a row, whatever the memory order
is, so that rows and columns get the same slices.
"""

import math
import mmap

import ml_dtypes
import numpy as np

DTYPES = {
    name: np.dtype(getattr(ml_dtypes, name) if name == "bfloat16" else name)
    for name in (
        "bfloat16", "float16", "float32", "float64", "int32", "int64", "uint32", "uint64",
    )
}  # fmt: skip
PRECISION = {"bfloat16": 8, "float16": 11, "float32": 24, "float64": 53}
FRACTION_BITS = {name: precision - 1 for name, precision in PRECISION.items()}

# Its length is a prime, so that rows of any usual length start at other places of it.
BLOCK = 1_000_003


def allocate(dtype, shape):
    """An array in pages of 4 KB, all of them touched."""
    count = math.prod(shape)
    size = max(count * dtype.itemsize, 1)
    memory = mmap.mmap(-1, size)
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        memory.madvise(mmap.MADV_NOHUGEPAGE)
    whole = np.frombuffer(memory, np.uint8)
    whole[::4096] = 0
    return whole[: count * dtype.itemsize].view(dtype).reshape(shape)


def repeat_into(array, block):
    """Fills an array in C order with a block, again and again."""
    flat = array.reshape(-1)
    for start in range(0, flat.size, block.size):
        part = flat[start : start + block.size]
        part[...] = block[: part.size]


def ordinary_block(name, random):
    dtype = DTYPES[name]
    if name in PRECISION:
        return random.standard_normal(BLOCK).astype(dtype)
    low = -1000 if dtype.kind == "i" else 0
    return random.integers(low, 1000, BLOCK, dtype=dtype)


def bits_view(array):
    return array.view(f"u{array.dtype.itemsize}")


def integers(slices, name, random):
    """Small whole numbers: their sums are ties of the narrower types again and again."""
    fill_slices(slices, random.integers(-100, 101, BLOCK).astype(DTYPES[name]))


def quantised_weights(slices, name, random):
    """Whole numbers of 8 bits times one scale, as weights are stored after they were quantised."""
    scaled = random.integers(-127, 128, BLOCK) * 0.0078125
    fill_slices(slices, scaled.astype(DTYPES[name]))


def every_exponent(slices, name, random):
    """Any finite number is as likely as any other by its bits."""
    width = 8 * DTYPES[name].itemsize
    bits = random.integers(0, 1 << width, BLOCK, dtype=f"u{width // 8}")
    infinite = np.array(np.inf, DTYPES[name]).view(bits.dtype)
    bits[(bits & infinite) == infinite] = 0
    fill_slices(slices, bits.view(DTYPES[name]))


def subnormals(slices, name, random):
    width = DTYPES[name].itemsize
    fraction = random.integers(0, 1 << FRACTION_BITS[name], BLOCK, dtype=f"u{width}")
    fill_slices(slices, fraction.view(DTYPES[name]))


def fill_slices(slices, block):
    """Repeats a block through memory in the order that it has there."""
    repeat_into(slices if slices.flags.c_contiguous else slices.T, block)


def even_numbers(slices, name, random, share):
    """Even whole numbers whose sum over a slice stays below that share of 2^precision."""
    limit = int(share * 2.0 ** PRECISION[name]) // (2 * slices.shape[1])
    if limit >= 1:
        values = 2 * random.integers(0, limit + 1, BLOCK)
    else:
        # Fewer than one in four slots of what is allowed, so that no slice by chance gets too much.
        chance = share * 2.0 ** PRECISION[name] / (8 * slices.shape[1])
        values = np.where(random.random(BLOCK) < chance, 2, 0)
    fill_slices(slices, values.astype(DTYPES[name]))


def smallest(name):
    one_bit = np.array(1, f"u{DTYPES[name].itemsize}")
    return one_bit.view(DTYPES[name])


def midpoints(slices, name, random, operator):
    """Results beside a midpoint of two floats, from which one far bit, the smallest there is, moves
    them away."""
    top = 2.0 ** PRECISION[name]
    if operator == "ReduceL1":
        even_numbers(slices, name, random, 0.5)
        slices[:, :2] = (top, 1)
    else:
        # (top + 1)^2, term by term; 2 top is one square, or two.
        fill_slices(slices, np.zeros(BLOCK, DTYPES[name]))
        half = 2.0 ** ((PRECISION[name] + 1) // 2)
        parts = (half,) if PRECISION[name] % 2 else (half, half)
        slices[:, : 2 + len(parts)] = (top, 1, *parts)
    slices[:, slices.shape[1] // 2] = smallest(name)


def exact_tier(slices, name, random):
    """Sums that are a midpoint exactly, made of pairs whose bits lie on both sides of every place
    at which a sum in doubles could be cut."""
    even_numbers(slices, name, random, 0.25)
    top = 2.0 ** PRECISION[name]
    # Of about the last place of a sum in doubles, which float32's terms are cut at; float64's are cut
    # once more, at the last place of what the first cut leaves.
    unit = top * 2.0 ** {"float32": -51, "float64": -90}[name]
    epsilon = unit * 2.0**-10
    pairs = 8
    parts = [unit / 2 - epsilon, unit / 2 + epsilon] * pairs
    slices[:, : 2 + 2 * pairs] = (top, 1 - pairs * unit, *parts)


HARD = ("integers", "quantised weights", "midpoints", "every exponent", "subnormals", "exact tier")


def fill_hard(kind, slices, name, operator, random):
    if kind == "midpoints":
        midpoints(slices, name, random, operator)
    else:
        {
            "integers": integers,
            "quantised weights": quantised_weights,
            "every exponent": every_exponent,
            "subnormals": subnormals,
            "exact tier": exact_tier,
        }[kind](slices, name, random)


STRIDED = {
    "every second element": lambda array: array[:, ::2],
    "part of each row": lambda array: array[:, :700],
    "transposed": lambda array: array.T,
}


def slices_of(array, axis):
    """The two-dimensional view of an array's slices; the array is contiguous in C order."""
    if axis is None:
        return array.reshape(1, -1)
    if axis in (-1, array.ndim - 1):
        return array.reshape(-1, array.shape[-1])
    if axis == 0:
        return array.reshape(array.shape[0], -1).T
    raise ValueError("hard data has slices along the first axis or the last")
