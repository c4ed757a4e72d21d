# SPDX-License-Identifier: Apache-2.0
"""Single nodes as models."""

import onnx
from onnx import helper


def model_of_node(node, arrays, opset):
    """A model of one node, whose inputs have the types and shapes of arrays.

    arrays: one for each input, None where it is left out.
    """
    inputs = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
        for name, x in zip(node.input, arrays, strict=True)
        if name
    ]
    outputs = [onnx.ValueInfoProto(name=name) for name in node.output]
    graph = helper.make_graph([node], "node", inputs, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])


def inputs_of_node(node, arrays):
    """The arrays by the names that model_of_node gives them."""
    return {name: x for name, x in zip(node.input, arrays, strict=True) if name}
