# SPDX-License-Identifier: Apache-2.0
"""The node tests of the onnx package, and which of them are halfulp's."""

import collections
import warnings

from onnx import TensorProto
from onnx.backend.test.case.node import collect_testcases

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


def collect():
    with warnings.catch_warnings():
        # Some of the package's own cases divide by zero on purpose.
        warnings.simplefilter("ignore", RuntimeWarning)
        return collect_testcases()


def has_our_operators(model):
    return all(n.op_type in evaluate.OPERATORS and not n.domain for n in model.graph.node)


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


def missing(models):
    """The operators of EXPECTED_COUNTS that fewer of these models have."""
    counts = collections.Counter(
        operator for model in models for operator in {node.op_type for node in model.graph.node}
    )
    return [name for name, count in EXPECTED_COUNTS.items() if counts[name] < count]
