# SPDX-License-Identifier: Apache-2.0
"""What memory allows: plain read and plain copy of a task's memory."""

from participants.base import Job, repeated


class Memory:
    def __init__(self, library, spare):
        self.library = library
        self.spare = spare  # as large as any input, and what is copied to

    def read(self, task, threads):
        address, size = task.memory.ctypes.data, task.memory.nbytes
        read = self.library.halfulp_bench_read
        return Job(repeated(lambda: read(address, size, threads)), lambda: None)

    def copy(self, task, threads):
        address, size = task.memory.ctypes.data, task.memory.nbytes
        target = self.spare.ctypes.data
        copy = self.library.halfulp_bench_copy
        return Job(repeated(lambda: copy(address, target, size, threads)), lambda: None)
