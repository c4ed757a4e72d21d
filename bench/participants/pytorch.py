# SPDX-License-Identifier: Apache-2.0
"""PyTorch on the processor, where it is installed."""

import torch

from participants.base import Job, Unsupported, repeated


class PyTorch:
    name = "PyTorch"

    def __init__(self):
        self.version = torch.__version__

    def prepare(self, task, threads):
        case = task.case
        if case.output_type or case.dtype.startswith("uint"):
            raise Unsupported("the case is not measured with it")
        # The bits of bfloat16 come in as an integer type that both know.
        bits = task.input.view("int16") if case.dtype == "bfloat16" else task.input
        x = torch.from_numpy(bits)
        x = x.view(torch.bfloat16) if case.dtype == "bfloat16" else x
        compute = self.function(task, x)
        outputs = [None]

        def run(count):
            torch.set_num_threads(threads)
            for _ in range(count):
                outputs[0] = compute()

        return Job(run, lambda: self.as_numpy(outputs[0], task.output_dtype))

    @staticmethod
    def as_numpy(tensor, dtype):
        if tensor.dtype == torch.bfloat16:
            return tensor.contiguous().view(torch.int16).numpy().view(dtype)
        return tensor.numpy()

    @staticmethod
    def function(task, x):
        case = task.case
        if task.normalizes:
            return lambda: torch.nn.functional.normalize(x, p=case.p, dim=case.axis, eps=0.0)
        if not x.is_floating_point():
            term = torch.abs if case.operator == "ReduceL1" else torch.square
            if case.operator == "ReduceL2":
                raise Unsupported("has no norm of integers")
            return lambda: torch.sum(term(x), dim=task.axes, dtype=x.dtype)
        if case.operator == "ReduceSumSquare":
            return lambda: torch.sum(torch.square(x), dim=task.axes)
        order = 1 if case.operator == "ReduceL1" else 2
        return lambda: torch.linalg.vector_norm(x, ord=order, dim=task.axes)
