# SPDX-License-Identifier: Apache-2.0
"""Times jobs in turn, round after round, so that drift of the machine hits all of them."""

import gc
import statistics
import time
from dataclasses import dataclass

# Short jobs are repeated within one measurement until it takes about this long.
SHORTEST_MEASUREMENT = 0.5e-3
# A first run that takes longer is slow for other reasons than being the first.
SLOW = 0.1
# A job that has taken so long in all the rounds together is measured no more.
LONGEST_IN_ALL = 2.0


@dataclass
class Times:
    """Seconds for one call."""

    best: float
    median: float
    rounds: int
    # Processor seconds for each second of the clock: how many threads were at work, or spinning.
    busy: float


def time_job(job, count):
    cpu, start = time.process_time(), time.perf_counter()
    job.run(count)
    end, cpu_end = time.perf_counter(), time.process_time()
    return (end - start) / count, (cpu_end - cpu) / count


def repetitions(job):
    """Runs a job a first time, and says how many calls make a measurement."""
    seconds, _ = time_job(job, 1)
    if seconds < SLOW:
        seconds, _ = time_job(job, 1)
    if seconds >= SHORTEST_MEASUREMENT / 2:
        return 1
    seconds, _ = time_job(job, 10)
    return max(10, round(SHORTEST_MEASUREMENT / max(seconds, 1e-8)))


def measure(jobs, rounds):
    """Maps the name of each of the jobs, a dictionary, to its Times."""
    counts = {name: repetitions(job) for name, job in jobs.items()}
    wall = {name: [] for name in jobs}
    cpu = {name: [] for name in jobs}
    names = list(jobs)
    gc.disable()
    try:
        for index in range(rounds):
            # Each round starts with another job, so that none always follows the same one.
            start = index % len(names)
            for name in names[start:] + names[:start]:
                if sum(wall[name]) * counts[name] > LONGEST_IN_ALL:
                    continue
                seconds, busy = time_job(jobs[name], counts[name])
                wall[name].append(seconds)
                cpu[name].append(busy)
    finally:
        gc.enable()
    return {
        name: Times(
            best=min(wall[name]),
            median=statistics.median(wall[name]),
            rounds=len(wall[name]),
            busy=sum(cpu[name]) / sum(wall[name]),
        )
        for name in names
    }
