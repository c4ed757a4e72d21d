# SPDX-License-Identifier: Apache-2.0
"""What tests of functions on arrays have in common."""

import unittest

import numpy as np

import exact
import expected
import halfulp

# Every function, as it is for floats; the last ones are not for integers.
CALLS = [
    ("reduce_l1", {"axes": 1}),
    ("reduce_l2", {"axes": (0, -1), "keepdims": False}),
    ("reduce_sum_square", {}),
    ("vector_norm", {"axis": -1}),
    ("vector_norm", {"ord": 1}),
    ("lp_normalize", {}),
    ("lp_normalize", {"p": 1, "axis": 0}),
]


def calls_for(dtype):
    """Of CALLS, those that take this type."""
    return [call for call in CALLS if dtype in exact.FORMATS or call[0] != "lp_normalize"]


def compute(function, x, **arguments):
    return getattr(halfulp, function)(x, **arguments)


class ArrayTestCase(unittest.TestCase):
    maxDiff = None

    def assert_same_bits(self, actual, right, what=None):
        """Two numpy arrays."""
        self.assertIs(type(actual), np.ndarray, what)
        self.assertEqual(actual.dtype, right.dtype, what)
        self.assertEqual(actual.shape, right.shape, what)
        if actual.tobytes() != right.tobytes():
            self.fail(f"{what}: {actual.tolist()}, expected {right.tolist()}")

    def check(self, function, x, data=None, **arguments):
        """`data` is what x holds, where x itself is no numpy array in native byte order."""
        actual = compute(function, x, **arguments)
        data = x if data is None else data
        right = expected.result(function, data, **arguments)
        self.assert_same_bits(actual, right, f"{function} of {data.dtype} {arguments}")
