# SPDX-License-Identifier: Apache-2.0
"""Prints how much memory a process of its own needs for an array and one call.

The arguments are the name of one of CASES and the bytes of its array. The output is the growth of
the process, in bytes, from after a small call of the same kind to the peak.
"""

import re
import sys
import tempfile
from pathlib import Path

import ml_dtypes
import numpy as np

import halfulp


def ones(size, dtype):
    # Without a second array on the way, which astype() and the like have.
    array = np.empty(size // np.dtype(dtype).itemsize, dtype)
    array.fill(1)
    return array.reshape(-1, 1024)


def memory_mapped(size):
    with tempfile.TemporaryFile() as file:
        block = np.ones(1 << 18, np.float32).tobytes()
        for _ in range(size // len(block)):
            file.write(block)
        file.flush()
        return np.memmap(file, np.float32, "r", shape=(size // 4096, 1024))


def normalized_in_place(x):
    return halfulp.lp_normalize(x, out=x)


# What makes an array of a number of bytes, and what is called on it.
CASES = {
    "float32": (lambda size: ones(size, np.float32), halfulp.reduce_l1),
    "columns": (lambda size: ones(size, np.float32), lambda x: halfulp.reduce_l2(x, axes=0)),
    "strided": (lambda size: ones(size, np.float32)[::-1, ::2], halfulp.reduce_l1),
    "bfloat16": (lambda size: ones(size, ml_dtypes.bfloat16), halfulp.reduce_l1),
    "memory-mapped": (memory_mapped, halfulp.reduce_l1),
    "normalized": (lambda size: ones(size, np.float32), halfulp.lp_normalize),
    "normalized in place": (lambda size: ones(size, np.float32), normalized_in_place),
    # Not a case of the package: what the measurement has to notice.
    "copied": (lambda size: ones(size, np.float32), lambda x: halfulp.reduce_l1(x.copy())),
}


def memory(field):
    status = Path("/proc/self/status").read_text()
    return 1024 * int(re.search(rf"^{field}:\s+(\d+) kB$", status, re.MULTILINE)[1])


def main(name, size):
    make, call = CASES[name]
    call(make(1 << 20))
    before = memory("VmRSS")
    result = call(make(int(size)))
    print(memory("VmHWM") - before)
    del result


if __name__ == "__main__":
    main(*sys.argv[1:])
