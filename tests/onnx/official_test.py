# SPDX-License-Identifier: Apache-2.0
"""The node tests of the onnx package, through `halfulp run`.

Taken are all whose models have only operators that halfulp knows, on tensors of its types. Of the
others with these operators (Cast to float8, Identity of a sequence), the command has to say what it
does not take.
"""

import unittest

import numpy as np
from onnx import TensorProto, numpy_helper

import command
import evaluate
import official_cases


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
        cls.cases, cls.foreign_cases = [], []
        for case in official_cases.collect():
            if official_cases.has_our_operators(case.model):
                foreign = official_cases.foreign_types(case.model)
                (cls.foreign_cases if foreign else cls.cases).append(case)

    def test_none_is_missing(self):
        self.assertEqual(official_cases.missing(case.model for case in self.cases), [])

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
                names = official_cases.foreign_types(case.model)
                self.assertTrue(any(name in line for name in names), line)


if __name__ == "__main__":
    unittest.main()
