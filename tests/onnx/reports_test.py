# SPDX-License-Identifier: Apache-2.0
"""The cases of tests/data/reports.json as models through `halfulp run`.

Axes that are an input are given in every way there is: as an initializer, by a Constant node, and
fed at run time, which must not make a difference.
"""

import json
import unittest
from pathlib import Path

import numpy as np
import onnx
from onnx import helper, numpy_helper

import command
import evaluate
import exact

CASES = json.loads((Path(__file__).parents[1] / "data" / "reports.json").read_text())["cases"]


def as_array(tensor):
    dtype = exact.DTYPES[tensor["type"]]
    if "fill" in tensor:
        return np.full(tensor["shape"], tensor["fill"], dtype)
    if dtype in exact.FORMATS:
        values = np.array([float(value) for value in tensor["values"]], np.float64)
        with np.errstate(over="raise"):
            array = values.astype(dtype)
    else:
        array = np.array(tensor["values"], dtype)
    return array.reshape(tensor["shape"])


def value_info(name, dtype, shape):
    element_type = evaluate.ELEMENT_TYPES[evaluate.name_of(dtype)]
    return helper.make_tensor_value_info(name, element_type, shape)


def axes_as_initializer(graph, axes):
    graph.initializer.append(numpy_helper.from_array(axes, "axes"))


def axes_as_constant(graph, axes):
    node = helper.make_node("Constant", [], ["axes"], value=numpy_helper.from_array(axes))
    graph.node.insert(0, node)


def axes_at_run_time(graph, axes):
    graph.input.append(value_info("axes", axes.dtype, axes.shape))


PLACES_OF_AXES = [axes_as_initializer, axes_as_constant, axes_at_run_time]


class ReportsTest(command.ModelTestCase):
    def test_all_are_there(self):
        self.assertEqual(len(CASES), 49)

    def test_cases(self):
        for case in CASES:
            inputs = {name: as_array(tensor) for name, tensor in case["inputs"].items()}
            for place in PLACES_OF_AXES if "axes" in inputs else [None]:
                for suffix in command.FILE_FORMATS:
                    with self.subTest(case["id"], place=place and place.__name__, suffix=suffix):
                        self.check(case, inputs, place, suffix)

    def check(self, case, inputs, place, suffix):
        data, expect, opset = inputs["data"], case["expect"], case["opset"]
        expected = as_array(expect["output"]) if "output" in expect else None
        shape = None if expected is None else expected.shape
        graph = helper.make_graph(
            [helper.make_node(case["op"], [*inputs], ["output"], **case["attributes"])],
            case["id"],
            [value_info("data", data.dtype, data.shape)],
            [value_info("output", data.dtype, shape)],
        )
        if place:
            place(graph, inputs["axes"])
        fed = {value.name: inputs[value.name] for value in graph.input}
        model = helper.make_model(
            graph,
            opset_imports=[helper.make_opsetid("", opset)],
            ir_version=evaluate.oldest_ir_version(opset),
        )
        if expected is None:
            line = self.refusal(model, fed, suffix)
            for part in expect["error"]:
                self.assertIn(part, line)
            return
        onnx.checker.check_model(model, full_check=True)
        (actual,) = self.compute(model, fed, suffix=suffix)
        self.assert_same_bits(actual, expected)


if __name__ == "__main__":
    unittest.main()
