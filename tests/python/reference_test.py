# SPDX-License-Identifier: Apache-2.0
"""The operators inside onnx.reference.ReferenceEvaluator."""

import unittest

import numpy as np
from onnx import AttributeProto, helper
from onnx.reference import ReferenceEvaluator

import array_test_case
import evaluate
import exact
import halfulp
import models
import random_values

# In plain floating point, sums of these lose small terms and squares overflow.
X = np.array(
    [[2**24, 1, 2**-149], [2**12, 1, 2**-60], [3e30, 4e30, 1], [0.1, 0.2, 0.3], [1e-30] * 3],
    np.float32,
)


def evaluator(proto):
    return ReferenceEvaluator(proto, new_ops=halfulp.onnx.new_ops)


def reduction(operator, opset):
    """Over axis 1, which is an attribute before opset 18 and an input from there on."""
    names, attributes, initializers = ["x"], {"axes": [1]}, {}
    if opset >= 18:
        names, attributes, initializers = ["x", "axes"], {}, {"axes": np.array([1])}
    return models.make_model(
        [helper.make_node(operator, names, ["y"], **attributes)],
        [models.value("x", "float32", X.shape)],
        [models.value("y", "float32", (len(X), 1))],
        opset,
        initializers,
    )


class ReferenceTest(array_test_case.ArrayTestCase):
    def check(self, model, right):
        """The plain evaluator gives other bits: else new_ops might do nothing."""
        (actual,) = evaluator(model).run(None, {"x": X})
        self.assert_same_bits(actual, right)
        with np.errstate(all="ignore"):
            (plain,) = ReferenceEvaluator(model).run(None, {"x": X})
        self.assertNotEqual(plain.tobytes(), right.tobytes())

    def test_reductions(self):
        for opset in (1, 11, 13, 18, evaluate.NEWEST_OPSET):
            for operator in evaluate.REDUCTIONS:
                with self.subTest(operator=operator, opset=opset):
                    self.check(reduction(operator, opset), exact.reduce(operator, X, (1,)))

    def test_normalization(self):
        for opset in (1, 21, 22, evaluate.NEWEST_OPSET):
            for attributes in ({}, {"p": 1}, {"axis": 0, "p": 2}):
                with self.subTest(opset=opset, attributes=attributes):
                    model = models.one_node(
                        "LpNormalization", shape=X.shape, opset=opset, **attributes
                    )
                    self.check(model, exact.lp_normalization(X, **attributes))

    def test_forms_of_axes(self):
        for axes, noop in (([0], 0), ([-1, 0], 0), ([], 0), ([], 1), ([1], 1)):
            for operator in evaluate.REDUCTIONS:
                model = models.make_model(
                    [
                        helper.make_node(
                            operator, ["x", "axes"], ["y"], keepdims=0, noop_with_empty_axes=noop
                        )
                    ],
                    [models.value("x", "float32", X.shape), models.value("axes", "int64", [None])],
                    [models.value("y", "float32", None)],
                )
                inputs = {"x": X, "axes": np.array(axes, np.int64)}
                (actual,) = evaluator(model).run(None, inputs)
                self.assert_same_bits(actual, exact.reduce(operator, X, axes, 0, noop))

    def test_axes_left_out(self):
        for names in (["x"], ["x", ""]):
            model = models.make_model(
                [helper.make_node("ReduceL2", names, ["y"])],
                [models.value("x", "float32", X.shape)],
                [models.value("y", "float32", (1, 1))],
            )
            (actual,) = evaluator(model).run(None, {"x": X})
            self.assert_same_bits(actual, exact.reduce("ReduceL2", X))

    def test_every_type(self):
        rng = np.random.default_rng(1)
        for name, dtype in exact.DTYPES.items():
            x = random_values.random_array(rng, dtype, (3, 4))
            for operator in evaluate.REDUCTIONS:
                model = models.one_node(operator, name, x.shape)
                (actual,) = evaluator(model).run(None, {"x": x})
                self.assert_same_bits(actual, exact.reduce(operator, x), f"{operator} of {name}")

    def test_between_other_operators(self):
        model = models.make_model(
            [
                helper.make_node("Neg", ["x"], ["negative"]),
                helper.make_node("ReduceL1", ["negative"], ["sum"], keepdims=0),
                helper.make_node("Sqrt", ["sum"], ["y"]),
            ],
            [models.value("x", "float32", (3,))],
            [models.value("y", "float32", ())],
        )
        x = np.array([2**48, 2**25, 2**-149], np.float32)
        (actual,) = evaluator(model).run(None, {"x": x})
        self.assertEqual(actual, np.sqrt(exact.reduce("ReduceL1", x, keepdims=0)))

    def test_inside_a_function(self):
        # A function gets an evaluator of its own: the package gives new_ops to none of a model's.
        node = helper.make_node("LpNormalization", ["a"], ["b"], axis=0)
        node.attribute.append(
            AttributeProto(name="p", type=AttributeProto.INT, ref_attr_name="order")
        )
        opsets = [helper.make_opsetid("", 22)]
        function = helper.make_function(
            "own", "Normalize", ["a"], ["b"], [node], opsets, attributes=["order"]
        )
        for order in (1, 2):
            call = helper.make_node("Normalize", ["x"], ["y"], domain="own", order=order)
            graph = models.make_model(
                [call],
                [models.value("x", "float32", X.shape)],
                [models.value("y", "float32", X.shape)],
            ).graph
            evaluating = ReferenceEvaluator(
                graph, opsets={"": 22, "own": 1}, functions=[evaluator(function)]
            )
            (actual,) = evaluating.run(None, {"x": X})
            self.assert_same_bits(actual, exact.lp_normalization(X, 0, order))

    def test_rules_of_opsets_hold(self):
        for operator, first in [("ReduceL1", 13), ("ReduceL2", 13), ("LpNormalization", 22)]:
            x = np.ones((2, 3), exact.DTYPES["bfloat16"])
            model = models.one_node(operator, "bfloat16", x.shape, opset=first)
            evaluator(model).run(None, {"x": x})
            model = models.one_node(operator, "bfloat16", x.shape, opset=first - 1)
            with self.assertRaises(TypeError) as caught:
                evaluator(model).run(None, {"x": x})
            # The evaluator says more of it, but not less.
            self.assertRegex(str(caught.exception.__cause__), f"{operator}-.*bfloat16")

    def test_new_ops_are_the_four_operators(self):
        names = [operator.__name__ for operator in halfulp.onnx.new_ops]
        self.assertEqual(sorted(names), sorted(evaluate.NORM_OPERATORS))


if __name__ == "__main__":
    unittest.main()
