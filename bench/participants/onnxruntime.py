# SPDX-License-Identifier: Apache-2.0
"""ONNX Runtime on the processor: a model of one node, with input and output bound beforehand."""

import models
import onnxruntime

from participants.base import Job, Unsupported, repeated


class OnnxRuntime:
    name = "ONNX Runtime"

    def __init__(self):
        self.version = onnxruntime.__version__
        onnxruntime.set_default_logger_severity(4)

    def prepare(self, task, threads):
        if task.case.output_type or not task.input.flags.c_contiguous:
            raise Unsupported("its operator has neither other output types nor strides")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        session = self.session(task, options)
        output = task.new_output()
        binding = session.io_binding()
        element_type = models.ELEMENT_TYPES[task.case.dtype]
        for bind, name, array, shape in (
            (binding.bind_input, "x", task.input, task.input.shape),
            (binding.bind_output, "y", output, task.output_shape),
        ):
            bind(name, "cpu", 0, element_type, list(shape), array.ctypes.data)
        return Job(repeated(lambda: session.run_with_iobinding(binding)), lambda: output)

    @staticmethod
    def session(task, options):
        try:
            return onnxruntime.InferenceSession(
                models.model_of(task), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # its classes have no common base but this one
            if "NOT_IMPLEMENTED" in str(error):
                raise Unsupported("no kernel") from None
            raise
