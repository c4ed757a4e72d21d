# SPDX-License-Identifier: Apache-2.0
"""Measures one case: prepares what each participant needs, times all in turn, checks the answers."""

import dataclasses

import checking
import measuring
import results as result_values
from participants.base import Unsupported


def rounded(values):
    """Floats to five digits: more than a time is good for."""
    return {k: float(f"{v:.5g}") if isinstance(v, float) else v for k, v in values.items()}


class CaseRun:
    def __init__(self, case, tasks, task, memory, ours, peers):
        self.case = case
        self.tasks = tasks
        self.task = task
        self.memory = memory
        self.ours = ours
        self.peers = peers
        self.expected = None  # computed when the first answer is there
        self.record = dataclasses.asdict(case) | {
            "name": case.name,
            "shape": list(task.memory.shape),
            "bytes": task.memory.nbytes,
            "tiers": None,
            "measurements": [],
            "left_out": [],
        }

    def measure(self, threads, rounds):
        """Adds the measurements with that many threads to the record."""
        jobs = self.memory_jobs(threads) | self.computing_jobs(threads)
        try:
            times = measuring.measure(jobs, rounds)
            for name, job in jobs.items():
                check = self.check(name, job)
                self.record["measurements"].append(
                    {"participant": name, "threads": threads}
                    | rounded(dataclasses.asdict(times[name]))
                    | {"check": check and rounded(dataclasses.asdict(check))}
                )
            if self.case.data != "ordinary":
                self.record["tiers"] = jobs[self.ours.name].tiers()
        finally:
            for job in jobs.values():
                job.close()

    def memory_jobs(self, threads):
        if self.case.small:
            return {}
        jobs = {}
        if self.case.limit in ("read", "read+copy"):
            jobs[result_values.READ] = self.memory.read(self.task, threads)
        if self.case.limit in ("copy", "read+copy"):
            jobs[result_values.COPY] = self.memory.copy(self.task, threads)
        return jobs

    def computing_jobs(self, threads):
        jobs = {self.ours.name: self.ours.prepare(self.task, threads)}
        if self.case.data != "ordinary":
            twin = self.tasks.ordinary_twin(self.case)
            jobs[result_values.ORDINARY] = self.ours.prepare(twin, threads)
        for peer in self.peers:
            try:
                job = peer.prepare(self.task, threads)
                job.run(1)
            except Unsupported as reason:
                self.leave_out(peer, threads, str(reason))
            except Exception as error:  # whatever a library throws, the others go on
                self.leave_out(peer, threads, f"{type(error).__name__}: {error}".splitlines()[0])
            else:
                jobs[peer.name] = job
        return jobs

    def leave_out(self, peer, threads, reason):
        self.record["left_out"].append(
            {"participant": peer.name, "threads": threads, "reason": reason}
        )

    def check(self, name, job):
        output = job.result()
        if output is None or name == result_values.ORDINARY:
            return None
        if self.expected is None:
            self.expected = checking.expected_outputs(self.task)
        return checking.check(self.task, self.expected, output)
