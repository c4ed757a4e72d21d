# SPDX-License-Identifier: Apache-2.0
"""A task as an ONNX model of one node, for the libraries that run models."""

import onnx
from onnx import TensorProto, helper

# Of the newest version of each operator.
OPSET = 18
OPSET_OF_NORMALIZATION = 22

ELEMENT_TYPES = {
    "bfloat16": TensorProto.BFLOAT16,
    "float16": TensorProto.FLOAT16,
    "float32": TensorProto.FLOAT,
    "float64": TensorProto.DOUBLE,
    "int32": TensorProto.INT32,
    "int64": TensorProto.INT64,
    "uint32": TensorProto.UINT32,
    "uint64": TensorProto.UINT64,
}


def model_of(task):
    """The serialized model, from the input `x` to the output `y`."""
    case = task.case
    element_type = ELEMENT_TYPES[case.dtype]
    inputs, initializers, attributes = ["x"], [], {}
    if task.normalizes:
        opset = OPSET_OF_NORMALIZATION
        attributes = {"axis": case.axis, "p": case.p}
    else:
        opset = OPSET
        inputs.append("axes")
        axes = list(task.axes)
        initializers.append(helper.make_tensor("axes", TensorProto.INT64, [len(axes)], axes))
        attributes = {"keepdims": 0}
    graph = helper.make_graph(
        [helper.make_node(case.operator, inputs, ["y"], **attributes)],
        "task",
        [helper.make_tensor_value_info("x", element_type, task.input.shape)],
        [helper.make_tensor_value_info("y", element_type, task.output_shape)],
        initializers,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)
    onnx.checker.check_model(model)
    return model.SerializeToString()
