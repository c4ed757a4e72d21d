# SPDX-License-Identifier: Apache-2.0
"""Whatever is wrong with a call is an exception of one line that names what is wrong."""

import threading
import unittest

import ml_dtypes
import numpy as np

import halfulp

X = np.array([[3, 4], [6, 8]], np.float32)
MASKED = np.ma.masked_array(X, X > 5)
# More than any argument takes.
HUGE = 2**70

REDUCTIONS = [
    (halfulp.reduce_l1, "ReduceL1"),
    (halfulp.reduce_l2, "ReduceL2"),
    (halfulp.reduce_sum_square, "ReduceSumSquare"),
]

# (x, what is said of it). None of these is an array of numbers.
NO_ARRAYS = [
    (None, "is of type NoneType"),
    (object(), "is of type object"),
    (threading.Lock(), "is of type lock"),
    (float, "is of type type"),
    ({1: 2}, "is of type dict"),
    ({1, 2}, "is of type set"),
    ([None], "is of type list"),
    ([HUGE], "is of type list"),
    ([[1], [1, 2]], ""),
]
# (x, its dtype). Of these types there are no norms.
WRONG_TYPES = [
    (True, "bool"),
    ([True, False], "bool"),
    (1j, "complex128"),
    (X.astype(np.complex64), "complex64"),
    (X.astype(np.int8), "int8"),
    (X.astype(np.uint8), "uint8"),
    (X.astype(np.int16), "int16"),
    (X.astype(np.uint16), "uint16"),
    (X.astype(">i2"), "(>i2|int16)"),
    (X.astype(bool), "bool"),
    (X.astype(np.longdouble), np.dtype(np.longdouble).name),
    (X.astype(ml_dtypes.float8_e4m3fn), "float8_e4m3fn"),
    (X.astype(ml_dtypes.int4), "int4"),
    (X.astype(object), "object"),
    (X.astype(str), "<U"),
    (X.astype("S"), r"\|S"),
    (X.astype("M8[s]"), r"datetime64\[s\]"),
    (np.zeros(2, "f4,f4"), ".*f0"),
    (np.zeros(2, np.dtypes.StringDType()), "StringDType"),
    ("abc", "<U3"),
    (["a"], "<U1"),
    (b"abcd", r"\|S4"),
    (bytearray(b"abcd"), "uint8"),
    (memoryview(b"abcd"), "uint8"),
    (np.int8(1), "int8"),
]
NO_DTYPES = [
    "int8", "bool", "complex64", "float32x", "float8_e4m3fn", "", "a\nb", "\ud800", 3, HUGE,
    object, bool, complex, np.int8, np.dtype("f4,f4"), ml_dtypes.float8_e4m3fn, [1, 2], (), X,
    {"names": ["a"], "formats": []},
]  # fmt: skip
NO_INTEGERS = [1.5, 1.0, "1", b"1", None, 1j, object(), [1], (1,), {}, np.float32(1), X]


class ErrorTestCase(unittest.TestCase):
    def check(self, exception, message, function, *args, **kwargs):
        """Exactly this exception, no kind of it."""
        with self.subTest(function.__name__, args=args[1:], kwargs=kwargs, says=message):
            with self.assertRaisesRegex(exception, message) as caught:
                function(*args, **kwargs)
            self.assertIs(type(caught.exception), exception)
            self.assertRegex(str(caught.exception), r"\A[^\n\r]+\Z")


class FunctionTest(ErrorTestCase):
    def check_all(self, exception, message, *args, **kwargs):
        """For the reductions. OPERATOR in the message stands for the operator's name."""
        for function, operator in REDUCTIONS:
            said = message.replace("OPERATOR", operator)
            self.check(exception, said, function, *args, **kwargs)

    def test_what_is_no_array(self):
        for x, said in NO_ARRAYS:
            # numpy refuses ragged lists with a ValueError.
            exception = TypeError if said else ValueError
            self.check_all(exception, f"^x {said}", x)
            self.check(exception, f"^x {said}", halfulp.lp_normalize, x)
            self.check(exception, f"^x {said}", halfulp.vector_norm, x)

    def test_wrong_types(self):
        for x, dtype in WRONG_TYPES:
            message = f"^x has dtype {dtype}.* \\(allowed: bfloat16, .*uint64\\)$"
            self.check_all(TypeError, message, x)
            self.check(TypeError, message, halfulp.lp_normalize, x)
            self.check(TypeError, message, halfulp.vector_norm, x)

    def test_masked_arrays(self):
        for x in (MASKED, np.ma.masked, np.ma.masked_array([1.0])):
            self.check_all(TypeError, "^x is a masked array", x)
            self.check(TypeError, "^x is a masked array", halfulp.lp_normalize, x)
            self.check(TypeError, "^x is a masked array", halfulp.vector_norm, x)

    def test_integers_are_not_normalised(self):
        for dtype in (np.int32, np.int64, np.uint32, np.uint64):
            message = f"^LpNormalization-22: .*{np.dtype(dtype).name}.*allowed: bfloat16"
            self.check(TypeError, message, halfulp.lp_normalize, X.astype(dtype))

    def test_axes(self):
        for axes in (2, -3, (0, 2), (0, -3), 2**62):
            self.check_all(ValueError, "^OPERATOR-18: axes: .*out of range", X, axes=axes)
        for axes in ((0, 0), (1, -1), (0, 1, 0)):
            self.check_all(ValueError, "^OPERATOR-18: axes .*twice", X, axes=axes)
        for axes in (0, -1, (0,)):
            self.check_all(ValueError, "^OPERATOR-18: axes: ", np.float32(3), axes=axes)
        for axes in (1.5, 1.0, "1", 1j, object(), ("1",), (1.0,), (None,), ((1,),), X):
            self.check_all(TypeError, "^axes is of type ", X, axes=axes)
        for axes in (HUGE, -HUGE, (0, HUGE)):
            self.check_all(ValueError, "^axes is .*64 bits", X, axes=axes)

    def test_errors_of_an_iterator_come_through(self):
        def axes():
            yield 0
            raise RuntimeError("no more")

        for function, _ in REDUCTIONS:
            self.check(RuntimeError, "^no more$", function, X, axes())

    def test_axis_of_vector_norm(self):
        for axis in (2, -3, (0, 2)):
            self.check(ValueError, "^ReduceL2-18: .*range", halfulp.vector_norm, X, axis=axis)
        self.check(ValueError, "twice", halfulp.vector_norm, X, axis=(0, 0))
        for axis in (1.5, "1", (1.0,), object()):
            self.check(TypeError, "^axis is of type ", halfulp.vector_norm, X, axis=axis)

    def test_axis_of_lp_normalize(self):
        for axis in (2, -3, 2**62):
            message = "^LpNormalization-22: axis .*out of range"
            self.check(ValueError, message, halfulp.lp_normalize, X, axis=axis)
        for axis in NO_INTEGERS:
            self.check(TypeError, "^axis is of type ", halfulp.lp_normalize, X, axis=axis)
        self.check(ValueError, "^axis is ", halfulp.lp_normalize, X, axis=HUGE)
        self.check(ValueError, "^LpNormalization-22: .*rank 0", halfulp.lp_normalize, 1.0)

    def test_flags(self):
        for name in ("keepdims", "noop_with_empty_axes"):
            for value in (2, -1, HUGE):
                self.check_all(ValueError, f"^{name} is ", X, **{name: value})
            for value in NO_INTEGERS:
                self.check_all(TypeError, f"^{name} is of type ", X, **{name: value})
        self.check(ValueError, "^keepdims is ", halfulp.vector_norm, X, keepdims=2)
        self.check(TypeError, "^keepdims is of ", halfulp.vector_norm, X, keepdims="yes")

    def test_p(self):
        for p in (0, 3, -1, 1.5, np.inf, 2**62):
            self.check(ValueError, r"^p is .*allowed: 1, 2\)$", halfulp.lp_normalize, X, p=p)
        for p in (None, "1", 1j, (1,), object()):
            self.check(TypeError, "^p is of type ", halfulp.lp_normalize, X, p=p)
        self.check(ValueError, "^p is ", halfulp.lp_normalize, X, p=10**400)

    def test_ord(self):
        for order in (0, 3, -1, 1.5, float("inf"), float("nan"), HUGE):
            self.check(ValueError, r"^ord is .*allowed: 1, 2", halfulp.vector_norm, X, ord=order)
        for order in ("2", None, 1j, object(), [2], "fro"):
            self.check(TypeError, "^ord is of type ", halfulp.vector_norm, X, ord=order)

    def test_eps(self):
        for eps in (-1, -5e-324, float("inf"), float("nan")):
            message = "^LpNormalization-22: eps is .*finite"
            self.check(ValueError, message, halfulp.lp_normalize, X, eps=eps)
        for eps in ("1", None, 1j, object(), [1], b"1"):
            self.check(TypeError, "^eps is of type ", halfulp.lp_normalize, X, eps=eps)
        self.check(ValueError, "eps is ", halfulp.lp_normalize, X, eps=10**400)

    def test_dtype(self):
        for dtype in NO_DTYPES:
            self.check_all(TypeError, "^dtype is ", X, dtype=dtype)
            self.check(TypeError, "^dtype is ", halfulp.lp_normalize, X, dtype=dtype)
            self.check(TypeError, "^dtype is ", halfulp.vector_norm, X, dtype=dtype)

    def test_integers_from_floats(self):
        for dtype in ("int32", "int64", "uint32", "uint64"):
            message = f"-18: output type {dtype} .*float32"
            self.check_all(TypeError, "^OPERATOR" + message, X, dtype=dtype)
            self.check(TypeError, "^ReduceL2" + message, halfulp.vector_norm, X, dtype=dtype)
            message = f"^LpNormalization-22: output type {dtype} "
            self.check(TypeError, message, halfulp.lp_normalize, X, dtype=dtype)

    def test_threads(self):
        plan = halfulp.plan("reduce_l1", X.shape, X.dtype)
        for function in (*dict(REDUCTIONS), halfulp.lp_normalize, plan.__call__):
            for threads in (0, -1, 4097, HUGE):
                self.check(ValueError, "^threads is ", function, X, threads=threads)
            for threads in NO_INTEGERS:
                if threads is not None:
                    self.check(TypeError, "^threads is of type ", function, X, threads=threads)

    def test_arguments_that_python_refuses(self):
        self.check(TypeError, "'x'", halfulp.reduce_l1)
        self.check(TypeError, "'axis'", halfulp.reduce_l1, X, axis=1)
        self.check(TypeError, "positional", halfulp.reduce_l1, X, 0, True, False)
        self.check(TypeError, "positional", halfulp.vector_norm, X, 1)


class PlanTest(ErrorTestCase):
    def check_plan(self, exception, message, op="reduce_l1", shape=(2, 2), dtype="float32", **more):
        self.check(exception, message, halfulp.plan, op, shape, dtype, **more)

    def test_op(self):
        for op in ("l1", "reduceL1", "", "ReduceMax", "a\nb", "\ud800"):
            self.check_plan(ValueError, "^op is .*allowed: reduce_l1, ", op)
        for op in (None, 1, b"reduce_l1", halfulp.reduce_l1):
            self.check_plan(TypeError, "^op is of type ", op)

    def test_shape(self):
        for shape in ((2, -1), -1, (2**40, 2**40), (2**62,)):
            self.check_plan(ValueError, r"^ReduceL1-18: .*shape", shape=shape)
        for shape in (None, 2.0, "2", (2.0,), ("2",), ((2,),), object(), X):
            self.check_plan(TypeError, "^shape is of type ", shape=shape)
        self.check_plan(ValueError, "^shape is .*64 bits", shape=(HUGE,))

    def test_dtypes(self):
        for dtype in NO_DTYPES:
            self.check_plan(TypeError, "^dtype is ", dtype=dtype)
            self.check_plan(TypeError, "dtype is ", out_dtype=dtype)
        self.check_plan(TypeError, "^dtype is ", dtype=None)
        self.check_plan(TypeError, "^ReduceL1-18: output type int32", out_dtype="int32")
        self.check_plan(TypeError, "^LpNormalization-22: .*int32", "lp_normalize", dtype="int32")

    def test_options(self):
        for more in ({"axes": 2}, {"axes": (0, 0)}, {"p": 1}, {"axis": 0}, {"eps": 1}):
            self.check_plan(ValueError, "^ReduceL1-18: ", **more)
        for more in ({"axes": 0}, {"keepdims": False}, {"noop_with_empty_axes": True}):
            self.check_plan(ValueError, "^LpNormalization-22: ", "lp_normalize", **more)
        for more in ({"axis": 2}, {"eps": -1}):
            self.check_plan(ValueError, "^LpNormalization-22: ", "lp_normalize", **more)
        self.check_plan(ValueError, "^p is 0", "lp_normalize", p=0)
        for name in ("axes", "keepdims", "noop_with_empty_axes", "axis", "p", "eps"):
            self.check_plan(TypeError, f"^{name} is of type ", **{name: "1"})

    def test_arrays_that_do_not_fit(self):
        plan = halfulp.plan("reduce_l1", (2, 2), np.float32)
        for shape in ((2,), (2, 3), (4,), (2, 2, 1), ()):
            x = np.zeros(shape, np.float32)
            self.check(ValueError, r"^x has shape \(.*\), the plan \(2,2\)$", plan.__call__, x)
        for dtype in (np.float64, np.float16, ml_dtypes.bfloat16, np.int32):
            message = f"^x has dtype {np.dtype(dtype).name}, the plan float32$"
            self.check(TypeError, message, plan.__call__, X.astype(dtype))
        self.check(TypeError, "^x has dtype int8", plan.__call__, X.astype(np.int8))
        self.check(TypeError, "^x is of type NoneType", plan.__call__, None)
        self.check(TypeError, "^x is a masked array", plan.__call__, MASKED)


if __name__ == "__main__":
    unittest.main()
