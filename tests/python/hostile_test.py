# SPDX-License-Identifier: Apache-2.0
"""Objects that are not what they say: no crash, no wrong result, no error that is swallowed."""

import ctypes
import pickle
import unittest

import ml_dtypes
import numpy as np
from onnx import TensorProto, helper

import array_test_case
import halfulp
import halfulp.onnx

X = np.array([[3, 4], [6, 8]], np.float32)


class Interrupting:
    """Wherever a number or a list is wanted, somebody presses Ctrl-C."""

    def interrupt(self):
        raise KeyboardInterrupt

    __index__ = __float__ = __iter__ = interrupt


class Array:
    """numpy's memory with DLPack, in a library that makes arrays by `from_dlpack`."""

    def __init__(self, data, from_dlpack, device=(1, 0)):
        self.data = data
        self.from_dlpack = from_dlpack
        self.device = device

    def __dlpack__(self, **arguments):
        return self.data.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self.device

    def __array_namespace__(self):
        return self


class Dtype:
    def __str__(self):
        return "library.float32"


class NumbersTest(unittest.TestCase):
    def test_interrupts_come_through(self):
        for arguments in ({"axes": Interrupting()}, {"axes": [Interrupting()]}):
            with self.assertRaises(KeyboardInterrupt):
                halfulp.reduce_l1(X, **arguments)
        for arguments in ({"eps": Interrupting()}, {"p": Interrupting()}, {"axis": Interrupting()}):
            with self.assertRaises(KeyboardInterrupt):
                halfulp.lp_normalize(X, **arguments)

    def test_numbers_too_long_to_print(self):
        long = 10**5000
        with self.assertRaisesRegex(ValueError, "^axes is .*64 bits$"):
            halfulp.reduce_l1(X, axes=long)
        with self.assertRaisesRegex(TypeError, "^dtype is of type int"):
            halfulp.reduce_l1(X, dtype=long)

    def test_a_scalar_that_is_its_own_item(self):
        class Own(np.float64):
            def item(self):
                return self

        with self.assertRaisesRegex(TypeError, "^keepdims is of type Own"):
            halfulp.reduce_l1(X, keepdims=Own(1))

    def test_array_freed_by_another_argument(self):
        x = np.ones(1 << 20)

        class Freeing:
            def __index__(self):
                x.resize(4, refcheck=False)
                return 1

        self.assertEqual(halfulp.reduce_l1(x, threads=Freeing()), 4)


class ClassTest(array_test_case.ArrayTestCase):
    def test_derived_classes_with_methods_of_their_own(self):
        class Own(np.ndarray):
            dtype = np.dtype(ml_dtypes.bfloat16)

            def astype(self, *_, **__):
                return self

            def view(self, *_):
                return (ctypes.c_uint8 * (1 << 20))()

        self.check("reduce_l1", np.ndarray.view(X.astype(">f4"), Own), X)
        bits = np.ndarray.view(X.astype(ml_dtypes.bfloat16), Own)
        self.check("reduce_l1", bits, X.astype(ml_dtypes.bfloat16))
        with self.assertRaisesRegex(TypeError, "^x has dtype int8"):
            halfulp.reduce_l1(np.ndarray.view(X.astype(np.int8), Own))

    def test_fields_like_those_of_masked_arrays(self):
        class Own(np.ndarray):
            mask = filled = None

        self.check("reduce_l1", X.view(Own), X)

    def test_names_of_several_lines(self):
        for thing in (type("a\nb", (), {})(), type("a\nb", (list,), {})([None])):
            with self.assertRaises(TypeError) as caught:
                halfulp.reduce_l1(thing)
            self.assertNotIn("\n", str(caught.exception))


class LibraryTest(array_test_case.ArrayTestCase):
    def compute(self, from_dlpack):
        return halfulp.reduce_l1(Array(X, from_dlpack), axes=1)

    def test_what_cannot_make_an_array_gets_numpys(self):
        right = np.array([[7], [14]], np.float32)

        def refuse(_):
            raise RuntimeError("not today")

        for from_dlpack in (refuse, lambda _: None, lambda _: 3, lambda a: a, None):
            self.assert_same_bits(self.compute(from_dlpack), right)

    def test_dtypes_with_the_library_in_their_name(self):
        class Own:
            dtype = Dtype()

            def __init__(self, tensor):
                self.array = np.asarray(tensor)

        self.assertIs(type(self.compute(Own)), Own)
        self.assertEqual(halfulp.reduce_l1(X, dtype=Dtype()).dtype, np.float32)

    def test_devices(self):
        for device in ((2**40, 0), (-1, 0), (0, 0), (2, 0)):
            with self.assertRaisesRegex(ValueError, "^x is on the device "):
                halfulp.reduce_l1(Array(X, None, device))

    def test_more_dimensions_than_numpy_has(self):
        import jax.numpy as jnp

        x = jnp.ones((1,) * 65, jnp.int32)
        self.assertEqual(halfulp.reduce_l1(x).shape, x.shape)
        with self.assertRaisesRegex(ValueError, "65 dimensions"):
            halfulp.reduce_l1(x, dtype="float64")


class PlanTest(unittest.TestCase):
    def test_pickles_are_what_the_plan_is(self):
        eps, axes, shape = np.array(0.0), [0], [2, 2]
        unit = halfulp.plan("lp_normalize", (2, 2), "float32", eps=eps)
        sums = halfulp.plan("reduce_l1", shape, "float32", axes=axes)
        eps[...], axes[0], shape[0] = 100, 1, 3
        for plan in (unit, sums):
            again = pickle.loads(pickle.dumps(plan))
            self.assertEqual(again(X).tobytes(), plan(X).tobytes())

    def test_errors_of_an_iterator_come_through(self):
        def numbers():
            yield 0
            raise TypeError("no more")

        for arguments in ((numbers(), "float32", None), ((2, 2), "float32", numbers())):
            shape, dtype, axes = arguments
            with self.assertRaisesRegex(TypeError, "^no more$"):
                halfulp.plan("reduce_l1", shape, dtype, axes=axes)

    def test_plans_are_made_by_plan(self):
        with self.assertRaisesRegex(TypeError, r"halfulp\.plan\(\)$"):
            halfulp.Plan()


class ModelTest(unittest.TestCase):
    def test_paths_end_where_they_end(self):
        for path in ("model.onnx\0junk", "\0"):
            with self.assertRaisesRegex(ValueError, "null character"):
                halfulp.onnx.Model(path)

    def test_names_that_are_no_utf_8(self):
        values = [
            helper.make_tensor_value_info(n, TensorProto.FLOAT, ["N", 2]) for n in ("xx", "yy")
        ]
        node = helper.make_node("LpNormalization", ["xx"], ["yy"], p=1)
        graph = helper.make_graph([node], "graph", values[:1], values[1:])
        opsets = [helper.make_opsetid("", 22)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=10)
        content = model.SerializeToString().replace(b"xx", b"x\xff").replace(b"yy", b"\xfe\xfe")
        model = halfulp.onnx.Model(content)
        (x,), (y,) = model.inputs, model.outputs
        for inputs in ({x.name: X}, [X]):
            (result,) = model.run(inputs, [y.name])
            self.assertEqual(result.tobytes(), halfulp.lp_normalize(X, p=1).tobytes())


if __name__ == "__main__":
    unittest.main()
