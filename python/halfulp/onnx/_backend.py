# SPDX-License-Identifier: Apache-2.0
"""halfulp as a backend of the onnx package."""

import unittest

import onnx
from onnx.backend import base

from . import Model
from ._nodes import model_of_node, named_inputs


class IncompatibleModel(ValueError, unittest.SkipTest):
    """A model that the backend does not take.

    A SkipTest, too: onnx.backend.test asks is_compatible of whole models only, not of its thousands
    of single nodes, and takes this for their answer.
    """


class _PreparedModel(base.BackendRep):
    def __init__(self, model):
        self._model = model
        names = [output.name for output in model.outputs]
        self._outputs = base.namedtupledict("Outputs", names)

    def run(self, inputs, **kwargs):
        """The outputs, by position and by name. inputs: as Model.run has them, or one array."""
        if not isinstance(inputs, (dict, list, tuple)):
            inputs = [inputs]
        return self._outputs(*self._model.run(inputs, **kwargs))


class Backend(base.Backend):
    """ONNX's interface of backends, on the processor.

    Left out, by is_compatible, are models that halfulp.onnx.Model refuses.
    """

    @classmethod
    def is_compatible(cls, model, device="CPU", **kwargs):
        """Whether prepare takes the model."""
        if not cls.supports_device(device):
            return False
        try:
            cls.prepare(model, device)
        except IncompatibleModel:
            return False
        return True

    @classmethod
    def prepare(cls, model, device="CPU", **kwargs):
        """A BackendRep, whose run takes a list of arrays or a dict of them by name.

        Raises IncompatibleModel, a ValueError.
        """
        if not cls.supports_device(device):
            raise ValueError(f"device is {device} (allowed: CPU)")
        try:
            return _PreparedModel(Model(model))
        except (TypeError, ValueError) as error:
            raise IncompatibleModel(str(error)) from error

    @classmethod
    def run_node(cls, node, inputs, device="CPU", outputs_info=None, **kwargs):
        """Computes one node. opset_version: the opset, by default the newest that onnx has."""
        opset = kwargs.pop("opset_version", onnx.defs.onnx_opset_version())
        super().run_node(node, inputs, device, outputs_info, opset_version=opset)
        named = named_inputs(node, inputs)
        return cls.prepare(model_of_node(node, named, opset), device).run(named)

    @classmethod
    def supports_device(cls, device):
        """True for the processor, "CPU"."""
        return str(device).split(":")[0] == "CPU"
