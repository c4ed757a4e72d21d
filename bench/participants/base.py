# SPDX-License-Identifier: Apache-2.0
"""What the measured libraries have in common."""

from dataclasses import dataclass
from typing import Callable


class Unsupported(Exception):
    """A participant does not compute a task; the message says why."""


@dataclass
class Job:
    """A task made ready: `run(count)` computes it that many times, as fast as the library can with
    everything prepared, and `result()` is the last output, of the task's type, in any shape."""

    run: Callable
    result: Callable
    # Frees what the job holds; nothing of it is used afterwards.
    close: Callable = lambda: None
    # How many slices each tier settled, by the tier's name; ours only.
    tiers: Callable = lambda: None


def repeated(function):
    def run(count):
        for _ in range(count):
            function()

    return run
