# SPDX-License-Identifier: Apache-2.0
"""OpenVINO on the processor: a model of one node, with input and output set beforehand."""

import models
import openvino

from participants.base import Job, Unsupported, repeated

ELEMENT_TYPES = {
    "bfloat16": openvino.Type.bf16,
    "float16": openvino.Type.f16,
    "float32": openvino.Type.f32,
    "float64": openvino.Type.f64,
    "int32": openvino.Type.i32,
    "int64": openvino.Type.i64,
    "uint32": openvino.Type.u32,
    "uint64": openvino.Type.u64,
}


class OpenVino:
    name = "OpenVINO"

    def __init__(self):
        self.version = openvino.__version__.split("-")[0]
        self.core = openvino.Core()

    def prepare(self, task, threads):
        if task.case.output_type or not task.input.flags.c_contiguous:
            raise Unsupported("its operator has neither other output types nor strides")
        try:
            request = self.request(task, threads)
        except RuntimeError as error:
            raise Unsupported(str(error).splitlines()[0]) from None
        output = task.new_output()
        for set_tensor, array in (
            (request.set_input_tensor, task.input),
            (request.set_output_tensor, output),
        ):
            set_tensor(self.tensor(array, task.case.dtype))
        return Job(repeated(request.infer), lambda: output)

    def request(self, task, threads):
        model = self.core.read_model(models.model_of(task))
        settings = {
            "INFERENCE_NUM_THREADS": threads,
            "NUM_STREAMS": 1,
            "PERFORMANCE_HINT": "LATENCY",
            # float32 is not to be computed in bfloat16 where the processor is quicker at that.
            "EXECUTION_MODE_HINT": "ACCURACY",
        }
        return self.core.compile_model(model, "CPU", settings).create_infer_request()

    @staticmethod
    def tensor(array, dtype):
        if dtype == "bfloat16":
            # Its own view of 16 bits; openvino.Tensor knows no bfloat16 of numpy.
            return openvino.Tensor(array.view("float16"), array.shape, ELEMENT_TYPES[dtype])
        return openvino.Tensor(array, shared_memory=True)
