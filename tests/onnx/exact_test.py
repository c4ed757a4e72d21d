# SPDX-License-Identifier: Apache-2.0
"""The oracle against what others round correctly: numpy's conversions, IEEE division and root."""

import math
import unittest
from fractions import Fraction

import numpy as np

import exact
import random_values

FLOAT64 = exact.FORMATS[exact.DTYPES["float64"]]


def float64(bits):
    return float(exact.from_bits(np.dtype(np.float64), [bits], ()))


class ExactTest(unittest.TestCase):
    def setUp(self):
        self.rng = np.random.default_rng(1)

    def numbers(self, count):
        numbers = random_values.random_bits(self.rng, np.dtype(np.float64), 2 * count)
        return numbers[np.isfinite(numbers)][:count]

    def test_fixed_point_is_the_value(self):
        for name in exact.FLOATS:
            dtype = exact.DTYPES[name]
            fmt = exact.FORMATS[dtype]
            array = random_values.random_bits(self.rng, dtype, 2000)
            with np.errstate(invalid="ignore"):
                array = array[np.isfinite(array.astype(np.float64))]
            for bits, value in zip(exact.bits_of(array), array.astype(np.float64).tolist()):
                magnitude = Fraction(exact.fixed_point(fmt, bits), 1 << exact.POINT)
                self.assertEqual(magnitude, abs(Fraction(value)))

    def test_root(self):
        for number in np.abs(self.numbers(2000)).tolist():
            square = Fraction(number)
            bits = exact.rounded_root(FLOAT64, False, square.numerator, square.denominator)
            self.assertEqual(float64(bits), math.sqrt(number))

    def test_quotient(self):
        count = 2000
        pairs = zip(self.numbers(count).tolist(), self.numbers(count).tolist())
        with np.errstate(over="ignore"):
            for dividend, divisor in pairs:
                square = (Fraction(dividend) / Fraction(divisor)) ** 2
                negative = (dividend < 0) != (divisor < 0)
                bits = exact.rounded_root(FLOAT64, negative, square.numerator, square.denominator)
                self.assertEqual(float64(bits), np.float64(dividend) / np.float64(divisor))

    def test_cast_between_floats(self):
        # float16 and float32 from float64, where numpy rounds once; its bfloat16 goes by way of
        # float32, so from there.
        for source, target in [
            ("float64", "float32"),
            ("float64", "float16"),
            ("float32", "float16"),
            ("float32", "bfloat16"),
            ("bfloat16", "float64"),
            ("float16", "float64"),
        ]:
            data = random_values.random_bits(self.rng, exact.DTYPES[source], 2000)
            with np.errstate(all="ignore"):
                data = np.concatenate(
                    [data, random_values.moderate_numbers(self.rng, data.dtype, 2000)]
                )
                expected = data.astype(exact.DTYPES[target])
            actual = exact.cast(data, exact.DTYPES[target])
            is_nan = np.isnan(expected.astype(np.float64))
            np.testing.assert_array_equal(np.isnan(actual.astype(np.float64)), is_nan)
            self.assertEqual(actual[~is_nan].tobytes(), expected[~is_nan].tobytes())

    def test_ties_go_to_even(self):
        for target in ("bfloat16", "float16", "float32"):
            precision = exact.FORMATS[exact.DTYPES[target]].precision
            low = 1 << precision  # from here, floats are 2 apart
            integers = np.array([low + 1, low + 3, -low - 1, -low - 3], np.int64)
            expected = [low, low + 4, -low, -low - 4]
            actual = exact.cast(integers, exact.DTYPES[target]).astype(np.float64).tolist()
            self.assertEqual(actual, expected)

    def test_integers_from_floats(self):
        data = np.array([-1.9, -0.5, 0.5, 2147483647.5, 2.0**31])
        actual = exact.cast(data[:4], np.dtype(np.int32)).tolist()
        self.assertEqual(actual, [-1, 0, 0, 2147483647])
        for wrong in (data[4:], -data[4:] - 1, np.array([np.nan]), np.array([np.inf])):
            with self.assertRaises(exact.CastError):
                exact.cast(wrong, np.dtype(np.int32))

    def test_integers_wrap(self):
        least = np.array([-(2**31), 1], np.int32)
        self.assertEqual(exact.reduce("ReduceL1", least).tolist(), [1 - 2**31])
        self.assertEqual(exact.cast(least, np.dtype(np.uint64)).tolist(), [2**64 - 2**31, 1])
        self.assertEqual(exact.reduce("ReduceL2", least).tolist(), [-(2**31)])

    def test_special_values(self):
        inf, nan = math.inf, math.nan
        data = np.array([[inf, -2, 3, -inf], [nan, inf, 1, 2], [0, -0.0, 0, 0]], np.float32)
        actual = exact.lp_normalization(data)
        expected = np.array([[nan, -0.0, 0, nan], [nan] * 4, [0] * 4], np.float32)
        self.assertEqual(actual.tobytes(), expected.tobytes())
        actual = exact.reduce("ReduceL2", data, [1], keepdims=0)
        self.assertEqual(actual.tobytes(), np.array([inf, nan, 0], np.float32).tobytes())

    def test_shapes(self):
        data = np.zeros((2, 0, 3), np.float32)
        self.assertEqual(exact.reduce("ReduceL1", data, [1]).shape, (2, 1, 3))
        self.assertEqual(exact.reduce("ReduceL1", data, [-2], keepdims=0).shape, (2, 3))
        self.assertEqual(exact.reduce("ReduceL1", data, [0]).shape, (1, 0, 3))
        self.assertEqual(exact.reduce("ReduceL1", data).tolist(), [[[0]]])
        self.assertEqual(exact.lp_normalization(data, 1).shape, (2, 0, 3))
        data = np.arange(6.0).reshape(1, 2, 3)
        self.assertEqual(exact.reduce("ReduceL1", data, [2, 0], keepdims=0).tolist(), [3, 12])
        self.assertEqual(exact.reduce("ReduceSumSquare", data, [1]).tolist(), [[[9, 17, 29]]])


if __name__ == "__main__":
    unittest.main()
