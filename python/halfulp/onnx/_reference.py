# SPDX-License-Identifier: Apache-2.0
"""The norm operators for onnx.reference.ReferenceEvaluator."""

from onnx import NodeProto, helper
from onnx.reference.op_run import OpRun

from . import Model
from ._nodes import model_of_node, named_inputs


class _NormOperator(OpRun):
    op_domain = ""

    def _run(self, *arrays, **attributes):
        node = self._node_with(attributes)
        inputs = named_inputs(node, arrays)
        opset = self.run_params["opsets"][self.op_domain]
        return tuple(Model(model_of_node(node, inputs, opset)).run(inputs))

    def _node_with(self, values):
        """The node, with values for the attributes that a function's caller gives."""
        node = NodeProto()
        node.CopyFrom(self.onnx_node)
        for attribute in node.attribute:
            if attribute.ref_attr_name:
                attribute.CopyFrom(
                    helper.make_attribute(
                        attribute.name, values[attribute.name], attr_type=attribute.type
                    )
                )
        return node


# The evaluator finds an operator by the name of its class.
new_ops = [
    type(name, (_NormOperator,), {"__doc__": f"{name}, correctly rounded."})
    for name in ("ReduceL1", "ReduceL2", "ReduceSumSquare", "LpNormalization")
]
