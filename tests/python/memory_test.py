# SPDX-License-Identifier: Apache-2.0
"""Arrays are read and written where they are: a call needs memory for its result, little more."""

import subprocess
import sys
import unittest
from pathlib import Path

PROGRAM = Path(__file__).with_name("peak_memory.py")
SIZE = 256 << 20


def growth(case):
    """Of a process of its own that makes the array of a case and makes the call, in SIZE."""
    done = subprocess.run(
        [sys.executable, "-B", PROGRAM, case, str(SIZE)], check=True, capture_output=True
    )
    return int(done.stdout) / SIZE


class MemoryTest(unittest.TestCase):
    def check(self, case, arrays):
        """`arrays` are the input and, where it is as large, the output."""
        with self.subTest(case):
            needed = growth(case)
            self.assertLess(needed, 1.1 * arrays)
            # Else it is not measured.
            self.assertGreater(needed, 0.9 * arrays)

    def test_copies_are_noticed(self):
        self.check("copied", 2)

    def test_reductions(self):
        for case in ("float32", "columns", "strided", "bfloat16"):
            self.check(case, 1)

    def test_memory_mapped(self):
        self.check("memory-mapped", 1)

    def test_normalization(self):
        self.check("normalized", 2)

    def test_normalization_in_place(self):
        self.check("normalized in place", 1)


if __name__ == "__main__":
    unittest.main()
