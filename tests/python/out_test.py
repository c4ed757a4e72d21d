# SPDX-License-Identifier: Apache-2.0
"""Results in memory of the caller's: out=."""

import unittest

import ml_dtypes
import numpy as np
from numpy.lib.stride_tricks import as_strided

import array_test_case
import exact
import expected
import halfulp
import layouts
import random_values

SHAPE = (3, 4, 5)
# The layouts of LAYOUTS that can be written.
WRITABLE = ["C", "Fortran", "transposed", "reversed", "with gaps", "unaligned"]


def takes_out(dtype):
    calls = [(function, {"axes": 1}) for function in expected.OPERATORS]
    if dtype in exact.FORMATS:
        calls += [("lp_normalize", {"p": p}) for p in (1, 2)]
    return calls


class OutTest(array_test_case.ArrayTestCase):
    def setUp(self):
        self.rng = np.random.default_rng(1)

    def check_out(self, function, x, out, **arguments):
        right = expected.result(function, x, dtype=out.dtype, **arguments)
        arguments["dtype"] = out.dtype
        self.assertIs(array_test_case.compute(function, x, out=out, **arguments), out)
        self.assert_same_bits(np.array(out), right, f"{function} of {x.dtype}")

    def test_every_type_and_layout(self):
        for dtype in exact.DTYPES.values():
            x = random_values.random_array(self.rng, dtype, SHAPE)
            for function, arguments in takes_out(dtype):
                shape = expected.result(function, x, **arguments).shape
                for name in WRITABLE:
                    with self.subTest(type=dtype.name, function=function, layout=name):
                        out = layouts.LAYOUTS[name](np.ones(shape, dtype))
                        self.check_out(function, x, out, **arguments)
                        self.check_out(function, layouts.with_gaps(x), out, **arguments)

    def test_another_type(self):
        x = random_values.moderate_numbers(self.rng, np.dtype(np.float32), 60).reshape(SHAPE)
        for target in exact.FLOATS:
            dtype = exact.DTYPES[target]
            self.check_out("reduce_l2", x, np.ones((3, 1, 5), dtype)[::-1], axes=1)
            self.check_out("lp_normalize", x, np.ones(SHAPE[::-1], dtype).T, axis=0)
        for dtype in exact.DTYPES.values():
            self.check_out("reduce_l1", x.astype(np.int32), np.ones((1, 4, 5), dtype), axes=0)

    def test_no_dimensions(self):
        out = np.ones((), np.float32)
        x = np.array([3, 4], np.float32)
        self.assertIs(halfulp.reduce_l2(x, keepdims=False, out=out), out)
        self.assertEqual(out, 5)

    def test_no_elements(self):
        out = np.ones((0, 1), np.float32)
        self.assertIs(halfulp.reduce_l2(np.zeros((0, 3), np.float32), axes=1, out=out), out)

    def test_between_the_elements_nothing_changes(self):
        memory = np.full((9, 12), 7, np.float32)
        view = memory[1::3, 2::4]
        halfulp.lp_normalize(np.ones((3, 3), np.float32), out=view)
        view[...] = 7
        self.assertTrue((memory == 7).all())

    def test_in_place(self):
        for name in exact.FLOATS:
            for layout in WRITABLE:
                for arguments in ({}, {"axis": 0, "p": 1}, {"eps": 3}):
                    with self.subTest(type=name, layout=layout):
                        data = random_values.random_array(self.rng, exact.DTYPES[name], SHAPE)
                        x = layouts.LAYOUTS[layout](data.copy())
                        right = expected.result("lp_normalize", data, **arguments)
                        self.assertIs(halfulp.lp_normalize(x, out=x, **arguments), x)
                        self.assert_same_bits(np.array(x), right)

    def test_in_place_through_another_view(self):
        data = random_values.moderate_numbers(self.rng, np.dtype(np.float64), 60).reshape(SHAPE)
        right = expected.result("lp_normalize", data)
        out = data[:]
        self.assertIs(halfulp.lp_normalize(data, out=out), out)
        self.assert_same_bits(data, right)

    def test_subclass_is_returned_as_it_is(self):
        out = np.zeros((1, 2)).view(np.matrix)
        self.assertIs(halfulp.reduce_l1(np.ones((3, 2)), axes=0, out=out), out)
        self.assertEqual(out.tolist(), [[3, 3]])


class RefusalTest(unittest.TestCase):
    """Nothing is written where out is refused."""

    def setUp(self):
        self.x = np.array([[3, 4], [6, 8]], np.float32)

    def check(self, out, exception, message, x=None, memory=None):
        x = self.x if x is None else x
        watched = [a for a in (x, out, memory) if isinstance(a, np.ndarray)]
        before = [a.tobytes() for a in watched]
        with self.assertRaisesRegex(exception, message) as caught:
            halfulp.lp_normalize(x, out=out)
        self.assertNotIn("\n", str(caught.exception))
        self.assertEqual([a.tobytes() for a in watched], before)

    def test_wrong_type(self):
        for dtype in (np.float64, np.float16, np.int32, ml_dtypes.bfloat16):
            self.check(np.ones((2, 2), dtype), TypeError, "^out has dtype .*float32")
        for dtype in (np.int8, bool, np.complex64, object, "S4", "M8[s]", "f4,f4", np.longdouble):
            self.check(np.ones((2, 2), dtype), TypeError, "^out has dtype .*allowed")

    def test_wrong_shape(self):
        for shape in ((2,), (2, 1), (1, 2, 2), (4,), (3, 2), ()):
            self.check(np.ones(shape, np.float32), ValueError, r"^out has shape .*\(2,2\)")

    def test_read_only(self):
        for dtype in (np.float32, ml_dtypes.bfloat16):
            out = layouts.read_only(np.ones((2, 2), dtype))
            self.check(out, ValueError, "^out is read-only$", x=self.x.astype(dtype))
        self.check(layouts.memory_mapped(self.x), ValueError, "^out is read-only$")
        broadcast = np.broadcast_to(np.float32(1), (2, 2))
        self.check(broadcast, ValueError, "^out is read-only$")

    def test_other_byte_order(self):
        self.check(np.ones((2, 2), ">f4"), TypeError, "^out is not in the byte order")
        out = layouts.big_endian(np.ones((2, 2), ml_dtypes.bfloat16))
        self.check(out, TypeError, "^out ", x=self.x.astype(ml_dtypes.bfloat16))

    def test_overlap_with_the_input(self):
        memory = np.arange(1, 9, dtype=np.float32)
        x = memory[:4].reshape(2, 2)
        for out in (memory[1:5].reshape(2, 2), x.T, x[::-1], memory[3:7].reshape(2, 2)):
            self.check(out, ValueError, "overlaps the input", x, memory)
        with self.assertRaisesRegex(ValueError, "ReduceL1.*overlaps the input"):
            halfulp.reduce_l1(x, out=x[:1, :1])
        with self.assertRaisesRegex(ValueError, "overlaps the input"):
            halfulp.lp_normalize(x, dtype=np.float64, out=memory.view(np.float64).reshape(2, 2))
        self.assertEqual(memory.tolist(), [1, 2, 3, 4, 5, 6, 7, 8])

    def test_elements_over_each_other(self):
        memory = np.ones(8, np.float32)
        for strides in ((0, 4), (4, 0), (0, 0), (4, 4)):
            out = as_strided(memory, (2, 2), strides)
            self.check(out, ValueError, "output' has strides", memory=memory)

    def test_masked_array(self):
        self.check(np.ma.ones((2, 2), np.float32), TypeError, "^out is a masked array")

    def test_what_is_no_array(self):
        import jax.numpy as jnp

        for out in (
            [[1, 1], [1, 1]],
            jnp.ones((2, 2)),
            memoryview(self.x),
            1.0,
            np.float32(1),
            "x",
        ):
            self.check(out, TypeError, "^out is of type .*allowed: a numpy array, a PyTorch tensor")

    def test_wrong_input_or_argument(self):
        out = np.full((2, 2), 7, np.float32)
        for x in (self.x > 3, self.x.astype(np.int32), "x", self.x[0, 0]):
            with self.assertRaises((TypeError, ValueError)):
                halfulp.lp_normalize(x, out=out)
        for arguments in ({"axis": 2}, {"p": 3}, {"eps": -1}, {"threads": 0}, {"dtype": "float64"}):
            with self.assertRaises((TypeError, ValueError)):
                halfulp.lp_normalize(self.x, out=out, **arguments)
        self.assertTrue((out == 7).all())


if __name__ == "__main__":
    unittest.main()
