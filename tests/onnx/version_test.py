# SPDX-License-Identifier: Apache-2.0
"""Every version of the norm operators under every opset, in models that the onnx package accepts.

One model for each opset holds a node for each operator, form of its attributes, and type. Where a
version does not take a type, a model of one node has to be refused, by the package's type check as
by the command.
"""

import unittest

import numpy as np
import onnx
from onnx import helper, numpy_helper, shape_inference

import command
import evaluate
import exact
import random_values

SHAPE = (2, 3, 2)
OPSETS = range(1, evaluate.NEWEST_OPSET + 1)

AXES_ATTRIBUTE_FORMS = [
    {},
    {"keepdims": 0},
    {"axes": [1], "keepdims": 1},
    {"axes": [0, -1]},
    {"axes": [-2, 2, 0], "keepdims": 0},
]
AXES_INPUT_FORMS = [
    *AXES_ATTRIBUTE_FORMS,
    {"axes": []},
    {"axes": [], "noop_with_empty_axes": 1},
    {"noop_with_empty_axes": 1, "keepdims": 0},
    {"axes": [-1], "noop_with_empty_axes": 1},
]
NORMALIZATION_FORMS = [{}, {"p": 1}, {"p": 2, "axis": 0}, {"axis": -2, "p": 1}, {"axis": 2}]


def forms_of(operator, opset):
    if operator == "LpNormalization":
        return NORMALIZATION_FORMS
    return AXES_INPUT_FORMS if opset >= 18 else AXES_ATTRIBUTE_FORMS


def make_node(operator, opset, form, data, output):
    """A node, and the initializer that it needs, if any."""
    form = dict(form)
    if opset >= 18 and "axes" in form:
        axes = numpy_helper.from_array(np.array(form.pop("axes"), np.int64), f"{output} axes")
        return helper.make_node(operator, [data, axes.name], [output], **form), [axes]
    return helper.make_node(operator, [data], [output], **form), []


def value_info(name, type_name, shape):
    return helper.make_tensor_value_info(name, evaluate.ELEMENT_TYPES[type_name], shape)


def make_model(opset, nodes, inputs, outputs, initializers=()):
    """A model with the oldest IR version that may import the opset. `inputs` has types by name,
    `outputs` types and ranks."""
    graph = helper.make_graph(
        nodes,
        "versions",
        [value_info(name, type_name, SHAPE) for name, type_name in inputs.items()],
        [value_info(name, type_name, [None] * rank) for name, (type_name, rank) in outputs.items()],
        initializers,
    )
    return helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", opset)],
        ir_version=evaluate.oldest_ir_version(opset),
    )


class VersionTest(command.ModelTestCase):
    def setUp(self):
        super().setUp()
        rng = np.random.default_rng(2)
        self.data = {t: random_values.random_array(rng, d, SHAPE) for t, d in exact.DTYPES.items()}
        self.results = {}

    def expected(self, operator, form, type_name):
        """Computed once: versions differ in forms and types, not in results."""
        key = (operator, str(form), type_name)
        if key not in self.results:
            data = self.data[type_name]
            if operator == "LpNormalization":
                self.results[key] = exact.lp_normalization(data, **form)
            else:
                self.results[key] = exact.reduce(operator, data, **form)
        return self.results[key]

    def test_every_form_and_type(self):
        for opset in OPSETS:
            with self.subTest(opset=opset):
                self.check_opset(opset)

    def check_opset(self, opset):
        nodes, initializers, outputs, expected = [], [], {}, {}
        for operator in evaluate.NORM_OPERATORS:
            for form in forms_of(operator, opset):
                for type_name in evaluate.types_of(operator, opset):
                    output = f"{operator} {form} {type_name}"
                    node, axes = make_node(operator, opset, form, type_name, output)
                    nodes.append(node)
                    initializers += axes
                    expected[output] = self.expected(operator, form, type_name)
                    outputs[output] = (type_name, expected[output].ndim)
        inputs = {type_name: type_name for type_name, _ in outputs.values()}
        model = make_model(opset, nodes, inputs, outputs, initializers)
        onnx.checker.check_model(model, full_check=True)
        data = {name: self.data[name] for name in inputs}
        for output, actual in zip(outputs, self.compute(model, data)):
            self.assert_same_bits(actual, expected[output], f"opset {opset}: {output}")

    def test_types_that_a_version_lacks(self):
        count = 0
        for opset in OPSETS:
            for operator in evaluate.NORM_OPERATORS:
                for type_name in set(exact.DTYPES) - set(evaluate.types_of(operator, opset)):
                    with self.subTest(opset=opset, operator=operator, type=type_name):
                        self.check_refusal(opset, operator, type_name)
                    count += 1
        self.assertGreater(count, 0)

    def check_refusal(self, opset, operator, type_name):
        node, _ = make_node(operator, opset, {}, "data", "output")
        model = make_model(opset, [node], {"data": type_name}, {"output": (type_name, 3)})
        with self.assertRaises(shape_inference.InferenceError):
            onnx.checker.check_model(model, full_check=True)
        line = self.refusal(model, {"data": self.data[type_name]})
        self.assertIn(f"{operator}-{evaluate.since_version(operator, opset)}:", line)
        self.assertIn(type_name, line)

    def test_axes_in_the_wrong_place(self):
        for opset in OPSETS:
            for operator in evaluate.REDUCTIONS:
                # As an input up to 17, as an attribute from 18 on.
                if opset < 18:
                    node = helper.make_node(operator, ["data", "axes"], ["output"])
                else:
                    node = helper.make_node(operator, ["data"], ["output"], axes=[1])
                axes = numpy_helper.from_array(np.array([1], np.int64), "axes")
                model = make_model(
                    opset, [node], {"data": "float32"}, {"output": ("float32", 3)}, [axes]
                )
                with self.subTest(opset=opset, operator=operator):
                    with self.assertRaises(onnx.checker.ValidationError):
                        onnx.checker.check_model(model)
                    line = self.refusal(model, {"data": self.data["float32"]})
                    self.assertIn(f"{operator}-{evaluate.since_version(operator, opset)}:", line)
                    self.assertIn("axes", line)

    def test_opset_past_the_newest(self):
        node, _ = make_node("ReduceL1", evaluate.NEWEST_OPSET, {}, "data", "output")
        model = make_model(
            evaluate.NEWEST_OPSET, [node], {"data": "float32"}, {"output": ("float32", 3)}
        )
        model.opset_import[0].version = evaluate.NEWEST_OPSET + 1
        line = self.refusal(model, {"data": self.data["float32"]})
        self.assertIn(str(evaluate.NEWEST_OPSET + 1), line)
        self.assertIn(str(evaluate.NEWEST_OPSET), line)


if __name__ == "__main__":
    unittest.main()
