# SPDX-License-Identifier: Apache-2.0
"""The node tests of the onnx package, through `halfulp run`.

Taken are all whose models have only operators that halfulp knows, on tensors of its types. Of the
others with these operators (Cast to float8, Identity of a sequence), the command has to say what it
does not take.
"""

import collections
import unittest
import warnings

import numpy as np
from onnx import TensorProto, numpy_helper
from onnx.backend.test.case.node import collect_testcases

import command
import evaluate

# As many as onnx 1.23.2 has: fewer would mean that they are no longer found.
EXPECTED_COUNTS = {
    "ReduceL1": 9,
    "ReduceL2": 9,
    "ReduceSumSquare": 9,
    "LpNormalization": 6,
    "Cast": 8,
    "Identity": 1,
    "Constant": 1,
}


def load_cases():
    with warnings.catch_warnings():
        # Some of the package's own cases divide by zero on purpose.
        warnings.simplefilter("ignore", RuntimeWarning)
        cases = collect_testcases()
    return [
        case
        for case in cases
        if all(n.op_type in evaluate.OPERATORS and not n.domain for n in case.model.graph.node)
    ]


def foreign_types(model):
    """What of a model's inputs and outputs is no tensor of the eight types, as ONNX names it."""
    names = set()
    for value in [*model.graph.input, *model.graph.output]:
        kind = value.type.WhichOneof("value")
        element_type = value.type.tensor_type.elem_type
        if kind != "tensor_type":
            names.add(kind.removesuffix("_type"))
        elif element_type not in evaluate.ELEMENT_TYPES.values():
            names.add(TensorProto.DataType.Name(element_type))
    return names


def as_array(tensor):
    return numpy_helper.to_array(tensor) if isinstance(tensor, TensorProto) else np.asarray(tensor)


def exact_outputs(model, inputs):
    values = dict(inputs)
    for node in model.graph.node:
        evaluate.run_node(node, values, model.opset_import[0].version, functions={})
    return [values[output.name] for output in model.graph.output]


class OfficialTest(command.ModelTestCase):
    @classmethod
    def setUpClass(cls):
        cases = load_cases()
        cls.cases = [case for case in cases if not foreign_types(case.model)]
        cls.foreign_cases = [case for case in cases if foreign_types(case.model)]

    def test_none_is_missing(self):
        counts = collections.Counter(
            operator
            for case in self.cases
            for operator in {node.op_type for node in case.model.graph.node}
        )
        for operator, count in EXPECTED_COUNTS.items():
            self.assertGreaterEqual(counts[operator], count, operator)

    def test_outputs(self):
        for case in self.cases:
            for inputs, outputs in case.data_sets:
                for suffix in command.FILE_FORMATS:
                    with self.subTest(case.name, suffix=suffix):
                        self.check(case, inputs, outputs, suffix)

    def check(self, case, inputs, outputs, suffix):
        names = [value.name for value in case.model.graph.input]
        self.assertEqual(len(names), len(inputs))
        arrays = {name: as_array(tensor) for name, tensor in zip(names, inputs)}
        actual = self.compute(case.model, arrays, suffix=suffix)
        exactly = exact_outputs(case.model, arrays)
        self.assertEqual(len(actual), len(outputs))
        for output, official, right in zip(actual, map(as_array, outputs), exactly):
            self.assertEqual(output.dtype, official.dtype)
            self.assertEqual(output.shape, official.shape)
            np.testing.assert_allclose(
                output.astype(np.float64),
                official.astype(np.float64),
                rtol=case.rtol,
                atol=case.atol,
            )
            self.assert_same_bits(output, right)

    def test_foreign_types_are_named(self):
        self.assertGreater(len(self.foreign_cases), 0)
        for case in self.foreign_cases:
            with self.subTest(case.name):
                line = self.refusal(case.model, {})
                self.assertTrue(any(name in line for name in foreign_types(case.model)), line)


if __name__ == "__main__":
    unittest.main()
