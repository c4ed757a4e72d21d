# SPDX-License-Identifier: Apache-2.0
"""The functions on whatever is an array, bit for bit."""

import array
import ctypes
import math
import unittest

import ml_dtypes
import numpy as np

import array_test_case
import exact
import expected
import halfulp
import layouts
import random_values
from array_test_case import calls_for, compute

SHAPE = (3, 4, 5)


class LayoutTest(array_test_case.ArrayTestCase):
    def setUp(self):
        self.rng = np.random.default_rng(1)

    def random_arrays(self, shape=SHAPE):
        return [random_values.random_array(self.rng, t, shape) for t in exact.DTYPES.values()]

    def test_every_layout(self):
        for data in self.random_arrays():
            for name, layout in layouts.LAYOUTS.items():
                x = layout(data)
                with self.subTest(layout=name, type=data.dtype):
                    for function, arguments in calls_for(data.dtype):
                        self.check(function, x, data, **arguments)

    def test_broadcast(self):
        for data in self.random_arrays():
            for repeated in (data[:1], data[:, :1], data[:1, :, :1], data[:1, :1, :1]):
                x = np.broadcast_to(repeated, SHAPE)
                self.assertIn(0, x.strides)
                for function, arguments in calls_for(data.dtype):
                    self.check(function, x, **arguments)

    def test_longer_than_a_vector(self):
        for data in self.random_arrays((2, 131, 3)):
            for x in (data, data[:, ::-1], np.asfortranarray(data)):
                for function, arguments in calls_for(data.dtype):
                    self.check(function, x, **arguments)

    def test_input_is_left_alone(self):
        for data in self.random_arrays():
            before = data.tobytes()
            for function, arguments in calls_for(data.dtype):
                compute(function, data, **arguments)
            self.assertEqual(data.tobytes(), before)

    def test_subclasses_give_plain_arrays(self):
        data = random_values.moderate_numbers(self.rng, np.dtype(np.float32), 6).reshape(2, 3)
        for x in (data.view(np.matrix), data.view(np.recarray), data.view(np.memmap)):
            self.check("reduce_l1", x, data, axes=1)
            self.check("lp_normalize", x, data)

    def test_empty(self):
        for dtype in exact.DTYPES.values():
            for shape in ((0,), (0, 3), (3, 0), (2, 0, 3)):
                data = np.zeros(shape, dtype)
                for axis in range(len(shape)):
                    for keepdims in (False, True):
                        for function in expected.OPERATORS:
                            self.check(function, data, axes=axis, keepdims=keepdims)
                        self.check("vector_norm", data, axis=axis, keepdims=keepdims)
                    if dtype in exact.FORMATS:
                        self.check("lp_normalize", data, axis=axis)


class ConversionTest(array_test_case.ArrayTestCase):
    """What is no numpy array with dimensions."""

    def test_zero_dimensions(self):
        for dtype in exact.DTYPES.values():
            data = np.full((), 3, dtype)
            for function in expected.OPERATORS:
                for axes in (None, ()):
                    self.check(function, data, axes=axes)
            self.check("vector_norm", data)

    def test_numpy_and_ml_dtypes_scalars(self):
        for dtype in exact.DTYPES.values():
            scalar = dtype.type(3)
            self.check("reduce_sum_square", scalar, np.array(scalar))
            self.check("vector_norm", scalar, np.array(scalar), ord=1)
            self.check("reduce_l2", [scalar, scalar], np.array([scalar, scalar]))

    def test_numbers(self):
        self.check("reduce_l1", -2.5, np.array(-2.5))
        self.check("reduce_l2", -2, np.array(-2))
        self.check("reduce_l1", 2**63, np.array(2**63, np.uint64))

    def test_lists_and_tuples(self):
        rows = [[1.5, -2.0], [0.25, 3.0]]
        for x in (rows, tuple(map(tuple, rows)), list(map(np.array, rows))):
            self.check("reduce_l1", x, np.array(rows), axes=1)
            self.check("lp_normalize", x, np.array(rows))
        self.check("reduce_l1", [[1, -2], [3, 4]], np.array([[1, -2], [3, 4]]), axes=0)
        self.check("reduce_l1", [], np.zeros(0))
        self.check("reduce_l1", range(5), np.arange(5))

    def test_array_module(self):
        for code in "fdiIlLqQ":
            x = array.array(code, [1, 2, 2])
            self.check("reduce_l2", x, np.asarray(x))

    def test_memoryview(self):
        for name in exact.DTYPES.keys() - {"bfloat16"}:
            data = np.arange(12, dtype=name).reshape(3, 4)
            self.check("reduce_l1", memoryview(data), data, axes=1)
            self.check("reduce_l1", memoryview(data.T), data.T, axes=1)
            self.check("reduce_l1", memoryview(data[::-1, ::2]), data[::-1, ::2], axes=1)

    def test_ctypes(self):
        # Their buffers have no strides, which stands for C order.
        x = ((ctypes.c_float * 3) * 2)((1, 2, 3), (4, 5, 6))
        data = np.array([[1, 2, 3], [4, 5, 6]], np.float32)
        self.check("reduce_l1", x, data, axes=1)
        self.check("lp_normalize", x, data)
        self.check("reduce_l1", ctypes.c_double(-2.5), np.array(-2.5))

    def test_array_interface(self):
        class Wrapper:
            def __array__(self, dtype=None, copy=None):
                return np.array([3, 4], np.float32)

        self.check("reduce_l2", Wrapper(), np.array([3, 4], np.float32))


class ArgumentTest(array_test_case.ArrayTestCase):
    def setUp(self):
        rng = np.random.default_rng(2)
        self.floats = random_values.moderate_numbers(rng, np.dtype(np.float32), 60).reshape(SHAPE)
        self.integers = random_values.random_bits(rng, np.dtype(np.int32), 60).reshape(SHAPE)

    def test_axes_keepdims_and_noop(self):
        for data in (self.floats, self.integers):
            for axes in (None, (), 0, -1, (1,), (0, 2), (2, 0), (-1, -3), (0, 1, 2), (-2, 0, 2)):
                for keepdims in (False, True):
                    for noop in (False, True):
                        for function in expected.OPERATORS:
                            self.check(
                                function,
                                data,
                                axes=axes,
                                keepdims=keepdims,
                                noop_with_empty_axes=noop,
                            )

    def test_axis_of_vector_norm(self):
        for data in (self.floats, self.integers):
            for axis in (None, (), 0, -1, (0, 2), (2, 0), (-1, -3), (0, 1, 2)):
                for keepdims in (False, True):
                    for order in (1, 2):
                        self.check("vector_norm", data, axis=axis, keepdims=keepdims, ord=order)

    def test_axis_and_p_of_lp_normalize(self):
        for axis in range(-3, 3):
            for p in (1, 2):
                self.check("lp_normalize", self.floats, axis=axis, p=p)

    def test_positions_of_arguments(self):
        x = self.floats
        for function, operator in expected.OPERATORS.items():
            right = expected.reduction(operator, x, 1, False)
            self.assert_same_bits(getattr(halfulp, function)(x, 1, False), right)
        right = expected.lp_normalize(x, 0, 1)
        self.assert_same_bits(halfulp.lp_normalize(x, 0, 1), right)

    def test_other_spellings_of_arguments(self):
        right = halfulp.reduce_l1(self.floats, axes=(0, 2), keepdims=False)
        for axes in ([0, 2], (np.int64(0), np.uint8(2)), iter((0, 2))):
            actual = halfulp.reduce_l1(self.floats, axes=axes, keepdims=0)
            self.assert_same_bits(actual, right, str(axes))
        right = halfulp.lp_normalize(self.floats, p=1, axis=0, eps=2)
        actual = halfulp.lp_normalize(
            self.floats, p=np.int64(1), axis=np.int8(0), eps=np.float32(2), threads=np.int64(1)
        )
        self.assert_same_bits(actual, right)
        right = halfulp.vector_norm(self.floats, ord=1)
        self.assert_same_bits(halfulp.vector_norm(self.floats, ord=1.0), right)

    def test_axes_in_an_array(self):
        # As ONNX has them.
        right = halfulp.reduce_l1(self.floats, axes=(0, 2))
        self.assert_same_bits(halfulp.reduce_l1(self.floats, axes=np.array([0, 2])), right)

    def test_bools_of_numpy(self):
        right = halfulp.reduce_l1(self.floats, keepdims=False)
        self.assert_same_bits(halfulp.reduce_l1(self.floats, keepdims=np.False_), right)

    def test_no_axes_left_gives_an_array_of_no_dimensions(self):
        for x in (self.floats, self.integers):
            for actual in (halfulp.reduce_l1(x, keepdims=False), halfulp.vector_norm(x)):
                self.assertIs(type(actual), np.ndarray)
                self.assertEqual(actual.shape, ())

    def test_results_own_writable_memory_in_c_order(self):
        for x in (self.floats, self.floats.T, self.floats.astype(ml_dtypes.bfloat16)):
            for actual in (halfulp.lp_normalize(x), halfulp.reduce_l1(x, axes=1)):
                self.assertTrue(actual.flags.c_contiguous)
                self.assertTrue(actual.flags.writeable)
                self.assertFalse(np.shares_memory(actual, x))

    def test_dtype_from_floats(self):
        rng = np.random.default_rng(3)
        for source in exact.FLOATS:
            x = random_values.random_array(rng, exact.DTYPES[source], SHAPE)
            for target in exact.FLOATS:
                for function, arguments in calls_for(x.dtype):
                    with self.subTest(source=source, target=target):
                        self.check(function, x, dtype=target, **arguments)

    def test_dtype_from_integers(self):
        rng = np.random.default_rng(4)
        for source in exact.INTEGERS:
            x = random_values.random_array(rng, exact.DTYPES[source], SHAPE)
            for target in exact.DTYPES:
                for function, arguments in calls_for(x.dtype):
                    with self.subTest(source=source, target=target):
                        self.check(function, x, dtype=target, **arguments)

    def test_spellings_of_dtype(self):
        for name, dtype in exact.DTYPES.items():
            x = self.integers
            right = halfulp.reduce_l1(x, dtype=name)
            self.assertEqual(right.dtype, dtype)
            for spelling in (dtype, dtype.type):
                self.assert_same_bits(halfulp.reduce_l1(x, dtype=spelling), right, name)
        self.assertEqual(halfulp.reduce_l1(x, dtype=float).dtype, np.float64)
        self.assertEqual(halfulp.reduce_l1(x, dtype="f4").dtype, np.float32)
        self.assertEqual(halfulp.reduce_l1(x, dtype=ml_dtypes.bfloat16).dtype, ml_dtypes.bfloat16)

    def test_eps(self):
        rng = np.random.default_rng(5)
        largest = np.finfo(np.float64).max
        for name in exact.FLOATS:
            x = random_values.random_array(rng, exact.DTYPES[name], SHAPE)
            x[0, 0] = 0
            for eps in (0, 5e-324, 1e-12, 1, 100.25, 1e30, largest):
                for p in (1, 2):
                    with self.subTest(type=name, eps=eps, p=p):
                        self.check("lp_normalize", x, p=p, eps=eps)
                        self.check("lp_normalize", x, axis=0, p=p, eps=eps, dtype="float32")


class ValueTest(array_test_case.ArrayTestCase):
    """Elements that are hard to get right."""

    def check_rows(self, rows):
        for function in expected.OPERATORS:
            self.check(function, rows, axes=1)
        for order in (1, 2):
            self.check("vector_norm", rows, axis=1, ord=order)
            self.check("lp_normalize", rows, p=order)

    def test_any_nan_gives_the_positive_quiet_one(self):
        for name in exact.FLOATS:
            fmt = exact.FORMATS[exact.DTYPES[name]]
            sign = 1 << (fmt.width - 1)
            signaling, payload = fmt.infinity | 1, fmt.quiet_nan | 3
            for nan in (signaling, payload, sign | signaling, sign | payload, sign | fmt.quiet_nan):
                rows = exact.from_bits(exact.DTYPES[name], [nan, 1, 0, fmt.infinity], (2, 2))
                self.check_rows(rows)
                actual = halfulp.reduce_l1(rows, axes=1)
                self.assertEqual(exact.bits_of(actual), [fmt.quiet_nan, fmt.infinity])

    def test_infinities_and_signed_zeros(self):
        inf = math.inf
        rows = [[inf, 1, -2], [-inf, 0, -0.0], [inf, -inf, 3], [0, -0.0, 0], [-0.0] * 3]
        for name in exact.FLOATS:
            self.check_rows(np.array(rows, exact.DTYPES[name]))

    def test_subnormals_and_the_largest_number(self):
        for name in exact.FLOATS:
            fmt = exact.FORMATS[exact.DTYPES[name]]
            least_normal = 1 << (fmt.precision - 1)
            largest = fmt.infinity - 1
            bits = [1, 1, least_normal - 1, 1, least_normal, 3, largest, 1, largest, largest]
            self.check_rows(exact.from_bits(exact.DTYPES[name], bits, (5, 2)))

    def test_sums_beside_ties(self):
        for name in exact.FLOATS:
            dtype = exact.DTYPES[name]
            precision = exact.FORMATS[dtype].precision
            least = exact.from_bits(dtype, [1], ())
            for odd in (1, 3):
                # Integers of one bit more than the type has, as exact sums and norms.
                tie = 2**precision + odd
                scale = (tie // 5 | 1) + 2
                for terms in ([tie - 1, 1], [3 * scale, 4 * scale], squares_of(tie)):
                    rows = np.zeros((3, len(terms) + 1), dtype)
                    rows[:, :-1] = terms
                    self.assertEqual(rows[0, :-1].astype(np.float64).tolist(), terms)
                    rows[1, -1] = least
                    rows[2, -2] = np.nextafter(rows[2, -2], dtype.type(0))
                    self.check_rows(rows)
                    self.check_rows(rows[:, ::-1])

    def test_quotients_beside_ties(self):
        for name in exact.FLOATS:
            # Halves of odd numbers of the least unit.
            bits = [1, 2, 3, 4, 5, 7]
            x = exact.from_bits(exact.DTYPES[name], bits, (6,))
            for eps in (2.0, math.nextafter(2, 0), math.nextafter(2, 3)):
                self.check("lp_normalize", x, eps=eps)
                self.check("lp_normalize", -x, p=1, eps=eps)

    def test_narrowing_beside_ties(self):
        for name in ("bfloat16", "float16", "float32"):
            precision = exact.FORMATS[exact.DTYPES[name]].precision
            ties = [1 + odd * 2.0**-precision for odd in (1, 3)]
            x = [[math.nextafter(tie, to)] for tie in ties for to in (0, tie, 2)]
            for function in ("reduce_l1", "reduce_l2"):
                self.check(function, np.array(x), axes=1, dtype=name)


def squares_of(number):
    """Integers whose squares add up to a number."""
    roots = []
    while number:
        roots.append(math.isqrt(number))
        number -= roots[-1] ** 2
    return roots


if __name__ == "__main__":
    unittest.main()
