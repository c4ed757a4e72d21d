# SPDX-License-Identifier: Apache-2.0
"""Single nodes as models."""

import numpy as np
import onnx
from onnx import helper


def named_inputs(node, arrays):
    """The arrays, as numpy's, by the names of the node's inputs, but for those that it leaves out.

    arrays: one for each input, from the first on; for one that is left out None, or nothing at the
        end.
    """
    if len(arrays) > len(node.input):
        raise ValueError(
            f"{node.op_type}: there are {len(arrays)} inputs (allowed: {len(node.input)})"
        )
    arrays = [*arrays, *[None] * (len(node.input) - len(arrays))]
    named = {}
    for name, x in zip(node.input, arrays, strict=True):
        if name and x is None:
            raise ValueError(f"{node.op_type}: the input {name!r} is missing")
        if name:
            named[name] = np.asarray(x)
    return named


def model_of_node(node, inputs, opset):
    """A model of one node. inputs: the arrays by name, for their types and shapes."""
    infos = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape)
        for name, x in inputs.items()
    ]
    outputs = [onnx.ValueInfoProto(name=name) for name in node.output]
    graph = helper.make_graph([node], "node", infos, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
