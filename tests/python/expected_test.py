# SPDX-License-Identifier: Apache-2.0
"""expected.py, where it goes beyond exact.py, against values that are easy to know."""

import math
import unittest

import numpy as np

import exact
import expected
import random_values


class ExpectedTest(unittest.TestCase):
    def test_a_wider_type_and_back_is_what_exact_has(self):
        # A sum that float64 has exactly is rounded once, whichever way it goes.
        rng = np.random.default_rng(1)
        for name in ("bfloat16", "float16", "float32"):
            data = random_values.small_integers(rng, exact.DTYPES[name], 60).reshape(6, 10)
            wide = expected.result("reduce_sum_square", data, axes=1, dtype="float64")
            narrow = exact.reduce("ReduceSumSquare", data, (1,))
            self.assertEqual(exact.cast(wide, data.dtype).tobytes(), narrow.tobytes())

    def test_integers_into_floats(self):
        data = np.array([2**62, 2**62, 1], np.int64)
        actual = expected.result("reduce_l1", data, dtype="float64")
        self.assertEqual(actual.tolist(), [2.0**63])
        actual = expected.result("vector_norm", np.array([1, 1], np.int32))
        self.assertEqual((actual.tolist(), actual.shape), (math.sqrt(2), ()))

    def test_integers_into_integers(self):
        data = np.array([-(2**31), 1], np.int32)
        actual = expected.result("reduce_l1", data, dtype="int64")
        self.assertEqual((actual.dtype, actual.tolist()), (np.int64, [2**31 + 1]))

    def test_eps(self):
        data = np.array([[3.0, 4.0], [0.0, -0.0], [30.0, 40.0]])
        actual = expected.result("lp_normalize", data, eps=10)
        self.assertEqual(actual.tolist(), [[0.3, 0.4], [0, 0], [0.6, 0.8]])
        self.assertFalse(np.signbit(actual).any())

    def test_specials_in_another_type(self):
        inf, nan = math.inf, math.nan
        data = np.array([[inf, -2.0], [nan, inf]])
        actual = expected.result("lp_normalize", data, dtype="float32")
        right = np.array([[nan, -0.0], [nan, nan]], np.float32)
        self.assertEqual(actual.tobytes(), right.tobytes())
        actual = expected.result("reduce_l2", data, axes=1, keepdims=False, dtype="float16")
        self.assertEqual(actual.tobytes(), np.array([inf, nan], np.float16).tobytes())


if __name__ == "__main__":
    unittest.main()
