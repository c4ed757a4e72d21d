# SPDX-License-Identifier: Apache-2.0
"""Small models for tests."""

from onnx import helper, numpy_helper

import evaluate


def value(name, dtype, shape):
    return helper.make_tensor_value_info(name, evaluate.ELEMENT_TYPES[dtype], shape)


def make_model(nodes, inputs, outputs, opset=evaluate.NEWEST_OPSET, initializers=()):
    """`initializers` are arrays by name."""
    tensors = [numpy_helper.from_array(array, name) for name, array in dict(initializers).items()]
    graph = helper.make_graph(nodes, "graph", inputs, outputs, tensors)
    return helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", opset)],
        # Before the fourth, initializers were inputs.
        ir_version=max(evaluate.oldest_ir_version(opset), 4),
    )


def one_node(operator, dtype="float32", shape=(2, 3), opset=evaluate.NEWEST_OPSET, **attributes):
    """x -> y, of the same type, where y may have any shape of the same rank."""
    return make_model(
        [helper.make_node(operator, ["x"], ["y"], **attributes)],
        [value("x", dtype, shape)],
        [value("y", dtype, [None] * len(shape))],
        opset,
    )
