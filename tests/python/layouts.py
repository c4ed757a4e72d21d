# SPDX-License-Identifier: Apache-2.0
"""The ways in which numpy has the same elements in memory."""

import tempfile

import numpy as np


def transposed(array):
    axes = np.roll(range(array.ndim), 1)
    return np.ascontiguousarray(array.transpose(axes)).transpose(np.argsort(axes))


def reversed_strides(array):
    flip = (slice(None, None, -1),) * array.ndim
    return np.ascontiguousarray(array[flip])[flip]


def with_gaps(array):
    """Every third element along each axis, from the second on."""
    memory = np.zeros([3 * extent + 1 for extent in array.shape], array.dtype)
    view = memory[(slice(1, None, 3),) * array.ndim]
    view[...] = array
    return view


def unaligned(array):
    memory = np.zeros(array.nbytes + 1, np.uint8)
    memory[1:] = np.frombuffer(array.tobytes(), np.uint8)
    return memory[1:].view(array.dtype).reshape(array.shape)


def read_only(array):
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def big_endian(array):
    bits = array.view(f"u{array.dtype.itemsize}").byteswap()
    return bits.view(array.dtype.newbyteorder(">"))


def memory_mapped(array):
    with tempfile.TemporaryFile() as file:
        file.write(b"12345678" + array.tobytes())
        file.flush()
        return np.memmap(file, array.dtype, "r", 8, array.shape)


# Each takes an array in C order and gives one that is equal.
LAYOUTS = {
    "C": np.ascontiguousarray,
    "Fortran": np.asfortranarray,
    "transposed": transposed,
    "reversed": reversed_strides,
    "with gaps": with_gaps,
    "unaligned": unaligned,
    "read-only": read_only,
    "big-endian": big_endian,
    "memory-mapped": memory_mapped,
}
