#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures halfulp, other libraries and memory itself side by side; `make bench` runs this.

All participants of a case are timed in turn, round after round, in one process. The results go into
a JSON file, of which bench/report.py makes the tables and charts.
"""

import argparse
import dataclasses
import fnmatch
import json
import os
import sys
import time
from pathlib import Path

# Read when the libraries are loaded: their threads are to sleep between calls, not to spin.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")

import cases
import machine
import measuring
import native_library
import results as result_values
import text_table
from participants.base import Unsupported
from participants.halfulp import Halfulp
from participants.memory import Memory
from task import Tasks

SMALL_BYTES = 256 << 10


def parse_arguments(defaults):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=Path, default=defaults, help="folder of the build")
    parser.add_argument("--output", type=Path, default=Path("build/bench/results.json"))
    parser.add_argument("--case", action="append", metavar="PATTERN",
                        help="only cases whose name has this in it, or matches it with * and ?")  # fmt: skip
    parser.add_argument("--threads", help="numbers, separated by commas (default: 1 and all)")
    parser.add_argument("--rounds", type=int, default=7, help="measurements of each (default: 7)")
    parser.add_argument("--megabytes", type=int, help="size of the inputs")
    parser.add_argument("--quick", action="store_true",
                        help="inputs twice as large as the last-level cache, and three rounds")  # fmt: skip
    parser.add_argument("--list", action="store_true", help="print the names of the cases, and end")
    return parser.parse_args()


def selected(patterns):
    every = cases.all_cases()
    if not patterns:
        return every
    wanted = [case for case in every if any(matches(case.name, p) for p in patterns)]
    if not wanted:
        sys.exit(f"bench: no case matches {', '.join(patterns)} (--list prints their names)")
    return wanted


def matches(name, pattern):
    return fnmatch.fnmatchcase(name, pattern if set(pattern) & set("*?") else f"*{pattern}*")


def input_size(arguments):
    """Bytes of the large inputs, and why it is no more."""
    cache = machine.last_level_cache()
    wanted = (arguments.megabytes << 20) if arguments.megabytes else cache * (
        2 if arguments.quick else 4
    )
    # The three buffers of Tasks, and what the participants make of them.
    most = machine.available_memory() // 12
    return min(wanted, most), "memory" if most < wanted else None


def jobs_of(case, task, tasks, threads, ours, memory):
    jobs, left_out = {}, {}
    if not case.small:
        if case.limit in ("read", "read+copy"):
            jobs[result_values.READ] = memory.read(task, threads)
        if case.limit in ("copy", "read+copy"):
            jobs[result_values.COPY] = memory.copy(task, threads)
    try:
        jobs[ours.name] = ours.prepare(task, threads)
        if case.data != "ordinary":
            jobs[result_values.ORDINARY] = ours.prepare(tasks.ordinary_twin(case), threads)
    except Unsupported as reason:
        left_out[ours.name] = str(reason)
    return jobs, left_out


def run_case(case, tasks, thread_counts, rounds, ours, memory):
    task = tasks.of(case)
    record = dataclasses.asdict(case) | {
        "name": case.name,
        "shape": list(task.memory.shape),
        "bytes": task.memory.nbytes,
        "measurements": [],
        "left_out": [],
    }
    for threads in thread_counts:
        jobs, left_out = jobs_of(case, task, tasks, threads, ours, memory)
        record["left_out"] += [
            {"participant": name, "threads": threads, "reason": reason}
            for name, reason in left_out.items()
        ]
        for name, times in measuring.measure(jobs, rounds).items() if jobs else ():
            record["measurements"].append(
                {"participant": name, "threads": threads} | dataclasses.asdict(times)
            )
        for job in jobs.values():
            job.close()
    return record


class Progress:
    def __init__(self, total):
        self.total = total
        self.start = time.monotonic()

    def show(self, done, name):
        if not done:
            left = ""
        else:
            seconds = (time.monotonic() - self.start) / done * (self.total - done)
            left = f", about {seconds:.0f} s left"
        print(f"[{done + 1}/{self.total}{left}] {name}", file=sys.stderr, flush=True)


def main():
    root = Path(__file__).resolve().parent.parent
    arguments = parse_arguments(root / "build" / "release")
    chosen = selected(arguments.case)
    if arguments.list:
        print("\n".join(case.name for case in chosen))
        return
    threads = machine.processors()
    counts = [int(n) for n in arguments.threads.split(",")] if arguments.threads else [1, threads]
    size, capped = input_size(arguments)
    bench = native_library.load(arguments.build / "bench" / "libhalfulp_bench.so")
    ours = Halfulp(arguments.build / "src" / "libhalfulp.so", bench)
    tasks = Tasks(size, SMALL_BYTES)
    memory = Memory(bench, tasks.buffers["copy"])

    results = {
        "machine": machine.describe() | {"target": bench.halfulp_bench_target().decode()},
        "versions": {ours.name: ours.version},
        "settings": {"bytes": size, "capped_by": capped, "rounds": arguments.rounds},
        "cases": [],
    }
    rounds = 3 if arguments.quick else arguments.rounds
    progress = Progress(len(chosen))
    for index, case in enumerate(chosen):
        progress.show(index, case.name)
        results["cases"].append(
            run_case(case, tasks, sorted(set(counts)), rounds, ours, memory)
        )
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    print(text_table.render(results))


if __name__ == "__main__":
    main()
