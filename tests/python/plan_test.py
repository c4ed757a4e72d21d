# SPDX-License-Identifier: Apache-2.0
"""Plans: what they say of themselves, and that they compute what the functions do."""

import copy
import pickle
import unittest

import ml_dtypes
import numpy as np

import array_test_case
import exact
import halfulp
import layouts
import random_values
from array_test_case import compute

SHAPE = (3, 4, 5)
REDUCTION_OPTIONS = [
    {},
    {"axes": 1},
    {"axes": (0, -1), "keepdims": False},
    {"axes": (), "noop_with_empty_axes": True},
]
NORMALIZATION_OPTIONS = [{}, {"axis": 0, "p": 1}, {"axis": -2, "eps": 3.5}]
# The function, the other name that a plan takes for it, and its options.
OPERATORS = [
    ("reduce_l1", "ReduceL1", REDUCTION_OPTIONS),
    ("reduce_l2", "ReduceL2", REDUCTION_OPTIONS),
    ("reduce_sum_square", "ReduceSumSquare", REDUCTION_OPTIONS),
    ("lp_normalize", "LpNormalization", NORMALIZATION_OPTIONS),
]


class PlanTest(array_test_case.ArrayTestCase):
    def setUp(self):
        self.rng = np.random.default_rng(1)

    def random_array(self, dtype):
        return random_values.random_array(self.rng, dtype, SHAPE)

    def test_same_bits_as_the_functions(self):
        for dtype in exact.DTYPES.values():
            for function, onnx_name, all_options in OPERATORS:
                if function == "lp_normalize" and dtype not in exact.FORMATS:
                    continue
                for options in all_options:
                    for op in (function, onnx_name):
                        with self.subTest(op=op, type=dtype.name, options=options):
                            plan = halfulp.plan(op, SHAPE, dtype, **options)
                            self.check_plan(plan, function, dtype, options)

    def check_plan(self, plan, function, dtype, options):
        for layout in layouts.LAYOUTS.values():
            x = layout(self.random_array(dtype))
            right = compute(function, x, **options)
            self.assert_same_bits(plan(x), right)
            for threads in (1, 2):
                self.assert_same_bits(plan(x, threads=threads), right)
            for out in (np.empty(right.shape, dtype), np.empty(right.shape[::-1], dtype).T):
                self.assertIs(plan(x, out=out), out)
                self.assert_same_bits(np.array(out), right)

    def test_in_place(self):
        plan = halfulp.plan("lp_normalize", SHAPE, np.float32, axis=1)
        for layout in ("C", "Fortran", "reversed", "with gaps"):
            data = self.random_array(np.dtype(np.float32))
            x = layouts.LAYOUTS[layout](data.copy())
            self.assertIs(plan(x, out=x), x)
            self.assert_same_bits(np.array(x), halfulp.lp_normalize(data, axis=1))

    def test_out_dtype(self):
        x = self.random_array(np.dtype(np.int32))
        for name, dtype in exact.DTYPES.items():
            plan = halfulp.plan("reduce_l1", SHAPE, "int32", axes=0, out_dtype=name)
            self.assertEqual(plan.out_dtype, dtype)
            self.assert_same_bits(plan(x), halfulp.reduce_l1(x, axes=0, dtype=name))

    def test_attributes(self):
        for function, onnx_name, _ in OPERATORS:
            plan = halfulp.plan(onnx_name, SHAPE, "bfloat16", out_dtype="float64")
            self.assertEqual(plan.shape, SHAPE)
            self.assertEqual(plan.dtype, ml_dtypes.bfloat16)
            self.assertIsInstance(plan.dtype, np.dtype)
            shape = SHAPE if function == "lp_normalize" else (1, 1, 1)
            self.assertEqual(plan.out_shape, shape)
            self.assertIsInstance(plan.out_shape, tuple)
            self.assertEqual(plan.out_dtype, np.float64)
            self.assertIsInstance(plan.out_dtype, np.dtype)

    def test_attributes_do_not_change(self):
        plan = halfulp.plan("reduce_l1", (2, 3), "float32")
        for name in ("shape", "dtype", "out_shape", "out_dtype", "other"):
            with self.assertRaises(AttributeError):
                setattr(plan, name, None)

    def test_spellings_of_shape(self):
        for shape in ((3,), [3], 3, (np.int64(3),), iter([3]), np.zeros(3).shape):
            self.assertEqual(halfulp.plan("reduce_l1", shape, "float32").shape, (3,))
        self.assertEqual(halfulp.plan("reduce_l1", (), "float32").shape, ())

    def test_no_dimensions_and_no_elements(self):
        plan = halfulp.plan("reduce_l2", (), "float32")
        self.assert_same_bits(plan(np.float32(-2)), np.array(2, np.float32))
        plan = halfulp.plan("reduce_l2", (0, 2), "float32", axes=0)
        self.assert_same_bits(plan(np.zeros((0, 2), np.float32)), np.zeros((1, 2), np.float32))

    def test_repr(self):
        plan = halfulp.plan("reduce_l1", (2, 3), np.int32, axes=1, keepdims=False)
        self.assertEqual(repr(plan), "<halfulp.Plan ReduceL1: int32 (2, 3) -> int32 (2,)>")
        plan = halfulp.plan("LpNormalization", (4,), "bfloat16", out_dtype=float)
        text = "<halfulp.Plan LpNormalization: bfloat16 (4,) -> float64 (4,)>"
        self.assertEqual(repr(plan), text)

    def test_it_is_a_plan(self):
        self.assertIsInstance(halfulp.plan("reduce_l1", (2,), "float32"), halfulp.Plan)

    def test_copies_and_pickles(self):
        x = self.random_array(np.dtype(np.float32))
        for function, _, all_options in OPERATORS:
            for options in all_options:
                plan = halfulp.plan(function, SHAPE, np.float32, **options)
                pickles = [pickle.dumps(plan, n) for n in range(2, pickle.HIGHEST_PROTOCOL + 1)]
                for other in (*map(pickle.loads, pickles), copy.copy(plan), copy.deepcopy(plan)):
                    self.assertEqual(repr(other), repr(plan))
                    self.assert_same_bits(other(x), plan(x))

    def test_pickles_do_not_follow_what_the_caller_changes(self):
        axes, shape = [0], [2, 3]
        plan = halfulp.plan("reduce_l1", shape, np.float32, axes=axes)
        axes[0] = 1
        shape[0] = 7
        self.assertEqual(repr(pickle.loads(pickle.dumps(plan))), repr(plan))

    def test_pickles_of_iterators(self):
        plan = halfulp.plan("reduce_l1", iter((2, 3)), np.float32, axes=iter((0,)))
        self.assertEqual(plan.out_shape, (1, 3))
        self.assertEqual(repr(pickle.loads(pickle.dumps(plan))), repr(plan))


if __name__ == "__main__":
    unittest.main()
