# SPDX-License-Identifier: Apache-2.0
"""halfulp.onnx: models from wherever they are, run on arrays."""

import os
import subprocess
import sys
import tempfile
import types
import unittest
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import jax.numpy as jnp
import ml_dtypes
import numpy as np
import onnx
from onnx import helper

import array_test_case
import exact
import halfulp
import models
import random_values
from halfulp.onnx import Model, ValueInfo

X = np.array([[3, 4], [6, 8], [5, 12]], np.float32)


def two_norms():
    """x of N rows -> l1 and l2 of axes, by default those of rows."""
    return models.make_model(
        [
            helper.make_node("ReduceL1", ["x", "axes"], ["l1"], keepdims=0),
            helper.make_node("ReduceL2", ["x", "axes"], ["l2"], keepdims=0),
        ],
        [models.value("x", "float32", ["N", 2]), models.value("axes", "int64", [1])],
        [models.value("l1", "float32", None), models.value("l2", "float32", None)],
        initializers={"axes": np.array([1])},
    )


class FolderTestCase(array_test_case.ArrayTestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="halfulp-python-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def assert_same_arrays(self, actual, right):
        self.assertIs(type(actual), list)
        self.assertEqual(len(actual), len(right))
        for one, other in zip(actual, right):
            self.assert_same_bits(one, other)


class SourceTest(FolderTestCase):
    def check(self, source):
        right = [exact.reduce(operator, X, (1,), 0) for operator in ("ReduceL1", "ReduceL2")]
        self.assert_same_arrays(halfulp.onnx.run(source, {"x": X}), right)
        self.assert_same_arrays(Model(source).run([X]), right)

    def test_path(self):
        path = self.folder / "model.onnx"
        onnx.save(two_norms(), path)
        self.check(path)
        self.check(str(path))
        with os.scandir(self.folder) as entries:
            self.check(next(entries))

    def test_path_of_any_bytes(self):
        path = os.path.join(os.fsencode(self.folder), b"\xff.onnx")
        with open(path, "wb") as file:
            file.write(two_norms().SerializeToString())
        self.check(os.fsdecode(path))

    def test_content(self):
        content = two_norms().SerializeToString()
        for kind in (bytes, bytearray, memoryview):
            self.check(kind(content))

    def test_proto(self):
        self.check(two_norms())

    def test_external_data(self):
        x = np.arange(1024, dtype=np.float32).reshape(2, 512)
        model = models.make_model(
            [helper.make_node("ReduceL1", ["x"], ["y"])],
            [],
            [models.value("y", "float32", None)],
            initializers={"x": x},
        )
        path = self.folder / "model.onnx"
        onnx.save(model, path, save_as_external_data=True, location="data", size_threshold=0)
        self.assertTrue((self.folder / "data").exists())
        self.assert_same_arrays(halfulp.onnx.run(path, []), [exact.reduce("ReduceL1", x)])
        self.assert_same_arrays(halfulp.onnx.run(str(path), {}), [exact.reduce("ReduceL1", x)])

    def test_the_package_onnx_is_not_needed(self):
        path = self.folder / "model.onnx"
        onnx.save(two_norms(), path)
        program = (
            "import sys; sys.modules['onnx'] = None; import halfulp, numpy; "
            "print(*halfulp.onnx.run(sys.argv[1], [numpy.float32([[3, 4]])]))"
        )
        output = subprocess.check_output([sys.executable, "-c", program, path], text=True)
        self.assertEqual(output, "[7.] [5.]\n")


class RunTest(FolderTestCase):
    def setUp(self):
        super().setUp()
        self.model = Model(two_norms())
        self.right = [exact.reduce(operator, X, (1,), 0) for operator in ("ReduceL1", "ReduceL2")]

    def test_forms_of_inputs(self):
        axes = np.array([1])
        mapping = types.MappingProxyType({"x": X})
        for inputs in ([X], (X,), [X, axes], {"x": X}, {"axes": axes, "x": X}, [X, [1]], mapping):
            self.assert_same_arrays(self.model.run(inputs), self.right)

    def test_an_initializer_may_be_replaced(self):
        right = [exact.reduce(operator, X, (0,), 0) for operator in ("ReduceL1", "ReduceL2")]
        self.assert_same_arrays(self.model.run([X, np.array([0])]), right)
        self.assert_same_arrays(self.model.run({"x": X, "axes": np.array([-2])}), right)
        self.assert_same_arrays(self.model.run([X]), self.right)

    def test_outputs(self):
        l1, l2 = self.right
        for outputs, right in [
            (None, [l1, l2]),
            (["l1", "l2"], [l1, l2]),
            (("l2", "l1"), [l2, l1]),
            (["l2"], [l2]),
            ("l2", [l2]),
        ]:
            self.assert_same_arrays(self.model.run([X], outputs), right)
            self.assert_same_arrays(halfulp.onnx.run(two_norms(), [X], outputs), right)

    def test_layouts_and_kinds_of_inputs(self):
        for x in (np.asfortranarray(X), X[:, ::-1][:, ::-1], X.astype(">f4"), memoryview(X)):
            self.assert_same_arrays(self.model.run([x]), self.right)
        self.assert_same_arrays(self.model.run({"x": jnp.asarray(X)}), self.right)

    def test_no_rows(self):
        nothing = np.zeros(0, np.float32)
        self.assert_same_arrays(self.model.run([X[:0]]), [nothing, nothing])

    def test_every_type(self):
        rng = np.random.default_rng(1)
        for name, dtype in exact.DTYPES.items():
            x = random_values.random_array(rng, dtype, (2, 3))
            model = models.one_node("ReduceSumSquare", name)
            (actual,) = halfulp.onnx.run(model, [x])
            self.assert_same_bits(actual, exact.reduce("ReduceSumSquare", x))
            if name in exact.FLOATS:
                (actual,) = halfulp.onnx.run(models.one_node("LpNormalization", name), [x])
                self.assert_same_bits(actual, exact.lp_normalization(x))

    def test_threads(self):
        rng = np.random.default_rng(2)
        x = random_values.moderate_numbers(rng, np.dtype(np.float32), 400000).reshape(-1, 2)
        right = self.model.run([x], threads=1)
        self.assert_same_arrays(self.model.run([x], threads=2), right)
        self.assert_same_arrays(halfulp.onnx.run(two_norms(), [x], threads=np.int64(2)), right)

    def test_many_callers(self):
        with ThreadPoolExecutor(8) as pool:
            for actual in pool.map(self.model.run, [[X]] * 200):
                self.assert_same_arrays(actual, self.right)

    def test_results_may_be_written(self):
        (l1, _) = self.model.run([X])
        l1 += 1
        self.assertTrue(l1.flags.writeable)
        self.assert_same_arrays(self.model.run([X]), self.right)


class InformationTest(unittest.TestCase):
    def test_inputs_and_outputs(self):
        model = Model(two_norms())
        float32, int64 = np.dtype(np.float32), np.dtype(np.int64)
        self.assertEqual(model.inputs, (("x", float32, ("N", 2)), ("axes", int64, (1,))))
        # Of these the model states the types alone.
        self.assertEqual(model.outputs, (("l1", float32, None), ("l2", float32, None)))
        for info in (*model.inputs, *model.outputs):
            self.assertIsInstance(info, ValueInfo)
            self.assertIsInstance(info.dtype, np.dtype)
        self.assertEqual(model.inputs[0].name, "x")
        self.assertEqual(model.inputs[0].shape, ("N", 2))

    def test_bfloat16(self):
        model = Model(models.one_node("LpNormalization", "bfloat16"))
        self.assertEqual(model.inputs, (("x", ml_dtypes.bfloat16, (2, 3)),))
        self.assertEqual(model.outputs[0].dtype, ml_dtypes.bfloat16)

    def test_unknown_extents_and_shapes(self):
        for shape in ([None, "N", 3], [None], [], None):
            model = models.make_model(
                [helper.make_node("Identity", ["x"], ["y"])],
                [models.value("x", "float32", shape)],
                [models.value("y", "float32", shape)],
            )
            shown = None if shape is None else tuple(shape)
            self.assertEqual(Model(model).inputs[0].shape, shown)


class ErrorTest(FolderTestCase):
    def check(self, exception, message, function, *arguments, **more):
        with self.subTest(message), self.assertRaisesRegex(exception, message) as caught:
            function(*arguments, **more)
        self.assertRegex(str(caught.exception), r"\A[^\n\r]+\Z")

    def test_files(self):
        for path in (self.folder / "none.onnx", str(self.folder / "none.onnx"), self.folder, ""):
            self.check(OSError, "cannot (open|read) ", Model, path)
            self.check(OSError, "cannot (open|read) ", halfulp.onnx.run, path, [])
        path = self.folder / "bad.onnx"
        path.write_bytes(b"no model")
        self.check(ValueError, "bad.onnx: ", Model, path)

    def test_content(self):
        content = two_norms().SerializeToString()
        for bad in (b"", b"no model", content[:-3], bytearray(b"\0" * 20), onnx.ModelProto()):
            self.check(ValueError, "^model: ", Model, bad)

    def test_kinds(self):
        for bad in (None, 3, 1.5, ["model"], X, object(), onnx.load):
            self.check(TypeError, "^model is of type ", Model, bad)
        # Other messages, which are no models.
        for bad in (two_norms().graph, two_norms().graph.node[0], onnx.TensorProto()):
            self.check((TypeError, ValueError), "^model", Model, bad)

    def test_operators(self):
        model = models.one_node("Relu")
        self.check(ValueError, "Relu", Model, model)
        model = models.one_node("ReduceL1", axes=[1])
        self.check(ValueError, "^model: .*ReduceL1-18: .*axes", Model, model)
        model = models.one_node("ReduceL1", "bfloat16", opset=11)
        self.check(TypeError, "ReduceL1-11.*bfloat16", Model, model)

    def test_inputs(self):
        run = Model(two_norms()).run
        self.check(ValueError, "no input 'z'; it has x, axes", run, {"z": X})
        self.check(ValueError, "no input 'x\\\\x0ay'", run, {"x\ny": X})
        for nothing in ([], {}, {"axes": [1]}):
            self.check(ValueError, "input 'x' is missing", run, nothing)
        self.check(ValueError, "^there are 3 inputs .*at most 2", run, [X, [1], X])
        self.check(TypeError, "'x' has type float64.*float32", run, [X.astype(np.float64)])
        self.check(ValueError, r"'x' has shape \(3,1\).*\(N,2\)", run, [X[:, :1]])
        self.check(ValueError, r"'x' has shape \(2,\)", run, [X[0]])
        self.check(TypeError, "^'x' has dtype int8", run, {"x": X.astype(np.int8)})
        self.check(TypeError, "^'x' is of type NoneType", run, [None])
        self.check(TypeError, "^'x' is a masked array", run, [np.ma.masked_array(X)])
        self.check(ValueError, "axes", run, [X, [2]])

    def test_kinds_of_inputs(self):
        run = Model(two_norms()).run
        for name in (1, b"x", None, ("x",)):
            self.check(TypeError, "a name of the inputs is of type ", run, {name: X})
        self.check(ValueError, "no Unicode text", run, {"\ud800": X})
        # An array is no list of arrays, though it has rows.
        for inputs in (None, 3, X, "x"):
            self.check(TypeError, "^inputs is of type .*allowed: a dict, a list", run, inputs)
        # A name of several lines is no reason for a message of several lines.
        self.check((TypeError, ValueError), "x", run, {"x\ny": "text"})

    def test_outputs(self):
        run = Model(two_norms()).run
        self.check(ValueError, "no output 'l3'; it has l1, l2", run, [X], ["l3"])
        self.check(ValueError, "output 'l1' is named twice", run, [X], ["l1", "l1"])
        for outputs in ([1], [None], 3, 1.5):
            self.check(TypeError, "outputs? .*of type", run, [X], outputs)

    def test_threads(self):
        run = Model(two_norms()).run
        for threads in (0, 4097):
            self.check(ValueError, "^threads is ", run, [X], threads=threads)
        for threads in ("1", 1.5):
            self.check(TypeError, "^threads is of type ", run, [X], threads=threads)

    def test_names_of_the_module(self):
        self.check(
            AttributeError, "'halfulp.onnx'.*'frobnicate'", getattr, halfulp.onnx, "frobnicate"
        )


if __name__ == "__main__":
    unittest.main()
