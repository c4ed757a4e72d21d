# SPDX-License-Identifier: Apache-2.0
"""The exact answers that benchmarks are checked with, and the data that they are hard on."""

import math
import sys
import unittest
from fractions import Fraction
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))

import cases
import checking
import data
import exact
import exact_sum
from task import Tasks

FLOATS = ("bfloat16", "float16", "float32", "float64")
INTEGERS = ("int32", "int64", "uint32", "uint64")


TASKS = Tasks(1 << 14, 1 << 10)


def task_of(**fields):
    fields = {"group": "", "operator": "ReduceL1", "dtype": "float32", "layout": "",
              "shape": (cases.FILL, 48), "axis": 1} | fields  # fmt: skip
    return TASKS.of(cases.Case(**fields))


def right_answer(task):
    """By the oracle of the tests, which takes one element at a time."""
    case = task.case
    if task.normalizes:
        return exact.lp_normalization(task.input, case.axis, case.p)
    return exact.reduce(case.operator, task.input, task.axes, keepdims=0)


class ExactSumTest(unittest.TestCase):
    def test_floats(self):
        random = np.random.default_rng(1)
        for dtype in FLOATS:
            slices = np.empty((1, 3000), data.DTYPES[dtype])
            data.every_exponent(slices, dtype, random)
            fractions = [abs(Fraction(float(x))) for x in slices[0]]
            for power in (1, 2):
                unit = Fraction(1, 1 << power * exact_sum.POINT)
                wanted = sum(x**power for x in fractions) / unit
                self.assertEqual(exact_sum.sum_of_floats(slices, power), wanted, (dtype, power))

    def test_more_than_a_chunk(self):
        ones = np.ones(exact_sum.CHUNK + 3, np.float32)
        self.assertEqual(exact_sum.sum_of_floats(ones, 2) >> 2 * exact_sum.POINT, ones.size)

    def test_largest_terms_of_a_whole_chunk(self):
        largest = np.full(exact_sum.CHUNK, 1 - 2.0**-53)
        wanted = exact_sum.CHUNK * ((1 << 53) - 1) ** 2 << (2 * exact_sum.POINT - 106)
        self.assertEqual(exact_sum.sum_of_floats(largest, 2), wanted)

    def test_integers(self):
        random = np.random.default_rng(2)
        for dtype in INTEGERS:
            limits = np.iinfo(dtype)
            values = random.integers(limits.min, limits.max, 999, dtype=dtype, endpoint=True)
            values[:2] = limits.min, limits.max
            for power in (1, 2):
                wanted = sum(abs(x) ** power for x in values.tolist())
                self.assertEqual(exact_sum.sum_of_integers(values, power), wanted, (dtype, power))


class CheckTest(unittest.TestCase):
    def check(self, task, output):
        return checking.check(task, checking.expected_outputs(task), output)

    def test_right_answers(self):
        shapes = (((cases.FILL, 48), 1), ((cases.FILL, 48), 0), ((cases.FILL, 8, 6), 1))
        for operator in ("ReduceL1", "ReduceL2", "ReduceSumSquare", "LpNormalization"):
            for dtype in FLOATS + (INTEGERS if operator != "LpNormalization" else ()):
                for shape, axis in shapes:
                    task = task_of(operator=operator, dtype=dtype, shape=shape, axis=axis)
                    found = self.check(task, right_answer(task))
                    self.assertEqual((found.correctly_rounded, found.wrong), (1, False), task.case)
                    self.assertLessEqual(found.max_ulp or 0, 0.5)

    def test_one_wrong_bit(self):
        for operator in ("ReduceL1", "LpNormalization"):
            task = task_of(operator=operator)
            output = right_answer(task)
            data.bits_view(output).flat[0] += 1
            found = self.check(task, output)
            self.assertAlmostEqual(found.correctly_rounded, 1 - 1 / found.outputs)
            self.assertTrue(0.5 < found.max_ulp < 1.5)
            self.assertFalse(found.wrong)

    def test_wrong_answers(self):
        for change in (lambda x: -x, lambda x: x * 1.02, lambda x: x * np.nan, lambda x: x * np.inf):
            task = task_of()
            found = self.check(task, change(right_answer(task)).astype(np.float32))
            self.assertEqual((found.correctly_rounded, found.wrong), (0, True))

    def test_a_wrong_integer(self):
        task = task_of(dtype="int64")
        output = right_answer(task)
        output.flat[-1] += 1
        self.assertTrue(self.check(task, output).wrong)

    def test_strides(self):
        for strided in data.STRIDED:
            task = task_of(shape=(cases.FILL, 768), strided=strided)
            self.assertEqual(self.check(task, right_answer(task)).correctly_rounded, 1)


class HardDataTest(unittest.TestCase):
    def slices(self, kind, dtype, operator="ReduceL1", shape=(5, 768), axis=1):
        array = np.zeros(shape, data.DTYPES[dtype])
        slices = data.slices_of(array, axis)
        data.fill_hard(kind, slices, dtype, operator, np.random.default_rng(3))
        return [[abs(Fraction(float(x))) for x in row] for row in slices]

    def test_midpoints_are_one_far_bit_above_a_tie(self):
        for dtype in FLOATS:
            for shape, axis in (((5, 768), 1), ((768, 5), 0)):
                precision = data.PRECISION[dtype]
                smallest = Fraction(float(data.smallest(dtype)))
                for row in self.slices("midpoints", dtype, shape=shape, axis=axis):
                    tie = sum(row) - smallest
                    self.assertTrue(2**precision < tie < 2 ** (precision + 1), dtype)
                    self.assertEqual(tie % 2, 1, dtype)
                for row in self.slices("midpoints", dtype, "ReduceL2", shape, axis):
                    self.assertEqual(
                        sum(x * x for x in row) - smallest**2, (2**precision + 1) ** 2, dtype
                    )

    def test_exact_tier_is_a_tie_with_bits_on_both_sides_of_a_cut(self):
        for dtype in ("float32", "float64"):
            precision = data.PRECISION[dtype]
            for row in self.slices("exact tier", dtype):
                total = sum(row)
                self.assertTrue(2**precision < total < 2 ** (precision + 1))
                self.assertEqual(total % 2, 1)
                # Of float32, a double at most twice as large has this last place; of float64, what
                # that leaves of so many elements, eight times as large.
                place = Fraction(2) ** (precision + {"float32": -51, "float64": -90}[dtype])
                rests = [x % place for x in row if x % place]
                self.assertTrue(any(rest < place / 2 for rest in rests))
                self.assertTrue(any(rest > place / 2 for rest in rests))

    def test_all_are_finite(self):
        for kind in data.HARD:
            for dtype in FLOATS if kind != "exact tier" else ("float32", "float64"):
                for row in self.slices(kind, dtype):
                    self.assertTrue(all(math.isfinite(x) for x in row))


if __name__ == "__main__":
    unittest.main()
