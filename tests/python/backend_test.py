# SPDX-License-Identifier: Apache-2.0
"""halfulp as a backend of the onnx package, on the package's own test cases and on single nodes."""

import unittest
import warnings

import numpy as np
import onnx
import onnx.backend.test
from onnx import helper

import array_test_case
import evaluate
import exact
import halfulp
import models
import official_cases
import random_values
from halfulp.onnx import Backend

# Whole networks, which the package's runner downloads.
DOWNLOADED = "OnnxBackendRealModelTest"

X = np.array([[3, 4], [6, 8], [5, 12]], np.float32)


def is_ours(model):
    return official_cases.has_our_operators(model) and not official_cases.foreign_types(model)


def method_name(test):
    return test.id().rpartition(".")[2]


class OfficialTest(unittest.TestCase):
    """What onnx.backend.test runs, which skips by itself what a backend does not take."""

    @classmethod
    def setUpClass(cls):
        # By the names of their test methods.
        cls.models = {f"{case.name}_cpu": case.model for case in official_cases.collect()}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            runner = onnx.backend.test.BackendTest(Backend, __name__)
        test_cases = runner.test_cases
        del test_cases[DOWNLOADED]
        cls.result = unittest.TestResult()
        suite = unittest.TestSuite(
            unittest.defaultTestLoader.loadTestsFromTestCase(case) for case in test_cases.values()
        )
        cls.names = {method_name(test) for tests in suite for test in tests}
        suite.run(cls.result)
        cls.skipped = {method_name(test) for test, _ in cls.result.skipped}

    def test_none_fails(self):
        self.assertEqual([text for _, text in self.result.failures + self.result.errors], [])

    def test_every_case_of_ours_runs_and_no_other(self):
        ours = {name for name, model in self.models.items() if is_ours(model)}
        ran = self.names - self.skipped
        self.assertEqual(ran & self.models.keys(), ours)

    def test_none_is_missing(self):
        ran = (self.names - self.skipped) & self.models.keys()
        self.assertEqual(official_cases.missing(self.models[name] for name in ran), [])

    def test_others_are_skipped(self):
        self.assertIn("test_relu_cpu", self.skipped)
        # On other devices, all.
        self.assertTrue(all(name in self.skipped for name in self.names if "cuda" in name[-4:]))


class NodeTest(array_test_case.ArrayTestCase):
    """Backend.run_node."""

    def run_one(self, node, inputs, **arguments):
        outputs = Backend.run_node(node, inputs, **arguments)
        self.assertEqual(len(outputs), 1)
        self.assertIs(outputs[0], outputs.y)
        return outputs.y

    def test_axes_as_an_input(self):
        for operator in evaluate.REDUCTIONS:
            right = exact.reduce(operator, X, (0,), 0)
            node = helper.make_node(operator, ["x", "axes"], ["y"], keepdims=0)
            for inputs in ([X, np.array([0])], (X, np.array([-2]))):
                self.assert_same_bits(self.run_one(node, inputs), right)
                for opset in (18, evaluate.NEWEST_OPSET):
                    self.assert_same_bits(self.run_one(node, inputs, opset_version=opset), right)

    def test_axes_as_an_attribute(self):
        for operator in evaluate.REDUCTIONS:
            right = exact.reduce(operator, X, (1,))
            node = helper.make_node(operator, ["x"], ["y"], axes=[1])
            for opset in (1, 10, 11, 12, 13, 17):
                self.assert_same_bits(self.run_one(node, [X], opset_version=opset), right)

    def test_axes_left_out(self):
        for operator in evaluate.REDUCTIONS:
            right = exact.reduce(operator, X)
            for names, arrays in ((["x"], [X]), (["x", ""], [X]), (["x", ""], [X, None])):
                node = helper.make_node(operator, names, ["y"])
                self.assert_same_bits(self.run_one(node, arrays), right)
            node = helper.make_node(operator, ["x"], ["y"], noop_with_empty_axes=1)
            right = exact.reduce(operator, X, (), 1, 1)
            self.assert_same_bits(self.run_one(node, [X]), right)

    def test_normalization(self):
        for p in (1, 2):
            node = helper.make_node("LpNormalization", ["x"], ["y"], axis=0, p=p)
            right = exact.lp_normalization(X, 0, p)
            self.assert_same_bits(self.run_one(node, [X]), right)
            for opset in (1, 21, 22):
                self.assert_same_bits(self.run_one(node, [X], opset_version=opset), right)

    def test_every_type(self):
        rng = np.random.default_rng(1)
        for dtype in exact.DTYPES.values():
            x = random_values.random_array(rng, dtype, (2, 3))
            node = helper.make_node("ReduceL2", ["x"], ["y"])
            self.assert_same_bits(self.run_one(node, [x]), exact.reduce("ReduceL2", x))
            self.assert_same_bits(self.run_one(node, [x[:, ::-1]]), exact.reduce("ReduceL2", x))

    def test_other_operators(self):
        node = helper.make_node("Identity", ["x"], ["y"])
        self.assert_same_bits(self.run_one(node, [X]), X)
        node = helper.make_node("Constant", [], ["y"], value_float=1.5)
        self.assert_same_bits(self.run_one(node, []), np.array(1.5, np.float32))
        node = helper.make_node("Cast", ["x"], ["y"], to=onnx.TensorProto.INT32)
        self.assert_same_bits(self.run_one(node, [X]), X.astype(np.int32))

    def test_zero_dimensions(self):
        node = helper.make_node("ReduceL1", ["x"], ["y"])
        actual = self.run_one(node, [np.array(-2, np.float32)])
        self.assert_same_bits(actual, np.array(2, np.float32))

    def test_refusals(self):
        node = helper.make_node("Relu", ["x"], ["y"])
        with self.assertRaisesRegex(ValueError, "Relu"):
            Backend.run_node(node, [X])
        node = helper.make_node("ReduceL1", ["x"], ["y"])
        with self.assertRaisesRegex(ValueError, "ReduceL1-11.*bfloat16"):
            x = X.astype(exact.DTYPES["bfloat16"])
            Backend.run_node(node, [x], opset_version=11)
        # The package's checker has its say, too.
        node = helper.make_node("ReduceL1", ["x"], ["y"], axes=[1])
        with self.assertRaisesRegex(onnx.checker.ValidationError, "axes"):
            Backend.run_node(node, [X], opset_version=18)

    def test_inputs_that_do_not_fit(self):
        node = helper.make_node("ReduceL1", ["x", "axes"], ["y"])
        with self.assertRaisesRegex((TypeError, ValueError), "axes"):
            Backend.run_node(node, [X])
        with self.assertRaisesRegex((TypeError, ValueError), "input"):
            Backend.run_node(node, [X, np.array([0]), X])


class InterfaceTest(array_test_case.ArrayTestCase):
    def test_prepare_and_run(self):
        prepared = Backend.prepare(models.one_node("LpNormalization", shape=X.shape))
        right = exact.lp_normalization(X)
        for inputs in (X, [X], (X,), {"x": X}):
            outputs = prepared.run(inputs)
            self.assert_same_bits(outputs[0], right)
            self.assert_same_bits(outputs.y, right)
            self.assertEqual(len(outputs), 1)
        self.assert_same_bits(prepared.run([X], threads=1)[0], right)

    def test_run_model(self):
        model = models.one_node("ReduceL1", shape=X.shape)
        (actual,) = Backend.run_model(model, [X])
        self.assert_same_bits(actual, exact.reduce("ReduceL1", X))

    def test_supports_device(self):
        for device, answer in [("CPU", True), ("CPU:0", True), ("CUDA", False), ("CUDA:1", False)]:
            self.assertIs(Backend.supports_device(device), answer)

    def test_other_devices_are_refused(self):
        model = models.one_node("ReduceL1", shape=X.shape)
        self.assertTrue(Backend.is_compatible(model))
        self.assertFalse(Backend.is_compatible(model, "CUDA"))
        for function, arguments in [
            (Backend.prepare, (model,)),
            (Backend.run_model, (model, [X])),
            (Backend.run_node, (model.graph.node[0], [X])),
        ]:
            with self.assertRaisesRegex(ValueError, r"^device is CUDA:1 \(allowed: CPU\)$"):
                function(*arguments, device="CUDA:1")

    def test_models_that_are_refused(self):
        for model in (models.one_node("Relu"), models.one_node("ReduceL1", "bfloat16", opset=11)):
            self.assertFalse(Backend.is_compatible(model))
            # Which the package's tests take for a reason to skip.
            for exception in (ValueError, unittest.SkipTest):
                with self.assertRaisesRegex(exception, "Relu|bfloat16"):
                    Backend.prepare(model)

    def test_names_of_outputs_that_python_does_not_have(self):
        model = models.one_node("ReduceL1", shape=X.shape)
        for name in ("1", "a.b", "a/b:0", "class", "_y", "count", ""):
            model.graph.node[0].output[0] = model.graph.output[0].name = name or "y y"
            (actual,) = Backend.prepare(model).run([X])
            self.assert_same_bits(actual, exact.reduce("ReduceL1", X))

    def test_it_is_a_backend(self):
        self.assertTrue(issubclass(Backend, onnx.backend.base.Backend))
        self.assertIs(halfulp.onnx.Backend, Backend)


if __name__ == "__main__":
    unittest.main()
