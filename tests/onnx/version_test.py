# SPDX-License-Identifier: Apache-2.0
"""Every version of every operator under every opset, in models that the onnx package accepts.

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
    if operator in evaluate.REDUCTIONS:
        return AXES_INPUT_FORMS if opset >= 18 else AXES_ATTRIBUTE_FORMS
    if operator == "LpNormalization":
        return NORMALIZATION_FORMS
    if operator == "Cast":
        return [{"to": type_name} for type_name in evaluate.types_of("Cast", opset)]
    return [{}]


def make_data():
    """An input for each type. Those of Cast have no element that another type lacks."""
    rng = np.random.default_rng(2)
    data = {}
    for type_name, dtype in exact.DTYPES.items():
        data[type_name] = random_values.random_array(rng, dtype, SHAPE)
        castable = np.abs(random_values.moderate_numbers(rng, np.dtype(np.float32), 12))
        data[f"castable {type_name}"] = castable.astype(dtype).reshape(SHAPE)
    return data


DATA = make_data()


def value_info(name, type_name, shape):
    return helper.make_tensor_value_info(name, evaluate.ELEMENT_TYPES[type_name], shape)


class ModelOfMany:
    """A model under construction, with the values of its tensors. It has the oldest IR version that
    goes with the opset."""

    def __init__(self, opset):
        self.opset = opset
        self.values = {}
        self.nodes, self.inputs, self.outputs, self.initializers = [], [], [], []

    def use_input(self, name):
        if name not in self.inputs:
            self.inputs.append(name)
            self.values[name] = DATA[name]
        return name

    def add_initializer(self, name, elements):
        array = np.array(elements, np.int64)
        self.initializers.append(numpy_helper.from_array(array, name))
        self.values[name] = array
        return name

    def add_node(self, operator, form, type_name):
        output = f"{operator} {form} {type_name}"
        form = dict(form)
        inputs = []
        if operator == "Constant":
            form["value"] = numpy_helper.from_array(DATA[type_name])
        elif operator == "Cast":
            inputs.append(self.use_input(f"castable {type_name}"))
            number = evaluate.ELEMENT_TYPES[form["to"]]
            form["to"] = number if self.opset >= 6 else onnx.TensorProto.DataType.Name(number)
        else:
            inputs.append(self.use_input(type_name))
        if self.opset >= 18 and "axes" in form:
            inputs.append(self.add_initializer(f"{output} axes", form.pop("axes")))
        self.nodes.append(helper.make_node(operator, inputs, [output], **form))
        self.outputs.append(output)
        return self.nodes[-1]

    def model(self, output_types):
        """Output types as names of types and ranks, in the order of the nodes."""
        graph = helper.make_graph(
            self.nodes,
            "versions",
            [value_info(n, evaluate.name_of(self.values[n].dtype), SHAPE) for n in self.inputs],
            [
                value_info(name, type_name, [None] * rank)
                for name, (type_name, rank) in zip(self.outputs, output_types)
            ],
            self.initializers,
        )
        return helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", self.opset)],
            ir_version=evaluate.oldest_ir_version(self.opset),
        )

    def fed(self):
        return {name: self.values[name] for name in self.inputs}


class VersionTest(command.ModelTestCase):
    def test_every_form_and_type(self):
        results = {}
        for opset in OPSETS:
            with self.subTest(opset=opset):
                self.check_opset(opset, results)

    def check_opset(self, opset, results):
        """`results` by what the outputs are called, for all opsets: versions differ in forms and
        types, not in results."""
        many = ModelOfMany(opset)
        for operator in evaluate.OPERATORS:
            for form in forms_of(operator, opset):
                for type_name in evaluate.types_of(operator, opset):
                    node = many.add_node(operator, form, type_name)
                    (output,) = node.output
                    if output not in results:
                        evaluate.run_node(node, many.values, opset, functions={})
                        results[output] = many.values[output]
        expected = [results[output] for output in many.outputs]
        model = many.model([(evaluate.name_of(array.dtype), array.ndim) for array in expected])
        onnx.checker.check_model(model, full_check=True)
        shown = {node["outputs"][0]["name"]: node for node in self.inspect(model)["nodes"]}
        self.assertEqual(set(shown), set(many.outputs))
        for node in many.nodes:
            version = evaluate.since_version(node.op_type, opset)
            self.assertEqual(shown[node.output[0]]["version"], version, node.op_type)
        for name, actual in zip(many.outputs, self.compute(model, many.fed())):
            self.assert_same_bits(actual, results[name], f"opset {opset}: {name}")

    def test_types_that_a_version_lacks(self):
        count = 0
        for opset in OPSETS:
            for operator in evaluate.OPERATORS:
                for type_name in set(exact.DTYPES) - set(evaluate.types_of(operator, opset)):
                    with self.subTest(opset=opset, operator=operator, type=type_name):
                        if operator == "Cast":
                            self.check_refusal(opset, operator, type_name, {"to": "float32"})
                        else:
                            self.check_refusal(opset, operator, type_name)
                    count += 1
        self.assertGreater(count, 0)

    def test_types_that_a_version_does_not_cast_to(self):
        for opset in OPSETS:
            for type_name in set(exact.DTYPES) - set(evaluate.types_of("Cast", opset)):
                with self.subTest(opset=opset, type=type_name):
                    self.check_refusal(opset, "Cast", "float32", {"to": type_name})

    def check_refusal(self, opset, operator, type_name, form=None):
        form = form or {}
        one = ModelOfMany(opset)
        one.add_node(operator, form, type_name)
        model = one.model([(form.get("to", type_name), len(SHAPE))])
        lacking = set(exact.DTYPES) - set(evaluate.types_of(operator, opset))
        # The string that Cast-1 has is no type to the package's check.
        if not (opset < 6 and form.get("to") in lacking):
            with self.assertRaises(shape_inference.InferenceError):
                onnx.checker.check_model(model, full_check=True)
        line = self.refusal(model, one.fed())
        self.assertIn(f"{operator}-{evaluate.since_version(operator, opset)}:", line)
        self.assertIn(form["to"] if form.get("to") in lacking else type_name, line)

    def test_axes_in_the_wrong_place(self):
        for opset in OPSETS:
            for operator in evaluate.REDUCTIONS:
                with self.subTest(opset=opset, operator=operator):
                    # As an input up to 17, as an attribute from 18 on.
                    one = ModelOfMany(opset)
                    node = one.add_node(operator, {}, "float32")
                    if opset < 18:
                        node.input.append(one.add_initializer("axes", [1]))
                    else:
                        node.attribute.append(helper.make_attribute("axes", [1]))
                    model = one.model([("float32", len(SHAPE))])
                    with self.assertRaises(onnx.checker.ValidationError):
                        onnx.checker.check_model(model)
                    line = self.refusal(model, one.fed())
                    self.assertIn(f"{operator}-{evaluate.since_version(operator, opset)}:", line)
                    self.assertIn("axes", line)

    def test_opset_past_the_newest(self):
        one = ModelOfMany(evaluate.NEWEST_OPSET)
        one.add_node("ReduceL1", {}, "float32")
        model = one.model([("float32", len(SHAPE))])
        model.opset_import[0].version = evaluate.NEWEST_OPSET + 1
        line = self.refusal(model, one.fed())
        self.assertIn(str(evaluate.NEWEST_OPSET + 1), line)
        self.assertIn(str(evaluate.NEWEST_OPSET), line)


if __name__ == "__main__":
    unittest.main()
