#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures halfulp, other libraries and memory itself side by side; `make bench` runs this.

All participants of a case are timed in turn, round after round, in one process. The results go into
a JSON file, of which bench/report.py makes the tables and charts. Fails where one of halfulp's own
answers is not the correctly rounded one.
"""

import argparse
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
import micro
import native_library
import results as result_values
import text_table
from case_run import CaseRun
from participants import selection
from participants.halfulp import Halfulp
from participants.memory import Memory
from task import Tasks

SMALL_BYTES = 256 << 10
ROOT = Path(__file__).resolve().parent.parent


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    add = parser.add_argument
    add("--build", type=Path, default=ROOT / "build" / "release", help="folder of the build")
    add("--output", type=Path, default=ROOT / "build" / "bench" / "results.json")
    add("--case", action="append", metavar="PATTERN",
        help="only cases whose name has this in it, or matches it with * and ?; may be repeated")
    add("--participants", metavar="NAMES",
        help="libraries to compare with, separated by commas, or none (default: all there are)")
    add("--threads", metavar="NUMBERS", help="separated by commas (default: 1 and all)")
    add("--rounds", type=int, help="measurements of each (default: 7, with --quick 3)")
    add("--megabytes", type=int,
        help="size of the inputs (default: four times the last-level cache, with --quick twice)")
    add("--quick", action="store_true", help="smaller inputs and fewer rounds")
    add("--list", action="store_true", help="print the names of the cases, and end")
    return parser.parse_args()  # fmt: skip


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
    """Bytes of the large inputs, and what they are a multiple of or limited by."""
    cache = machine.last_level_cache()
    if arguments.megabytes:
        wanted, reason = arguments.megabytes << 20, "as asked for"
    else:
        times = 2 if arguments.quick else 4
        wanted, reason = times * cache, f"{times} times the last-level cache"
    # The three buffers of Tasks, and what the participants make of them.
    most = machine.available_memory() // 12
    return (most, "a twelfth of the free memory") if most < wanted else (wanted, reason)


def thread_counts(words):
    counts = [int(n) for n in words.split(",")] if words else [1, machine.processors()]
    return sorted(set(counts))


class Progress:
    def __init__(self, total):
        self.total = total
        self.start = time.monotonic()

    def show(self, done, name):
        left = ""
        if done:
            seconds = (time.monotonic() - self.start) / done * (self.total - done)
            left = f", about {seconds / 60:.1f} min left"
        print(f"[{done + 1}/{self.total}{left}] {name}", file=sys.stderr, flush=True)


def main():
    arguments = parse_arguments()
    chosen = selected(arguments.case)
    if arguments.list:
        print("\n".join(case.name for case in chosen))
        return
    results = measure(arguments, chosen)
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(as_json(results), encoding="utf-8")
    print(text_table.render(results))
    wrong = result_values.not_correctly_rounded(results)
    if wrong:
        sys.exit(f"bench: halfulp's answers are not correctly rounded: {', '.join(wrong)}")


def as_json(results):
    """One line for each case, so that two files can be compared."""
    cases_text = ",\n".join(json.dumps(case) for case in results["cases"])
    rest = json.dumps(results | {"cases": []}, indent=1)
    return rest.replace('"cases": []', f'"cases": [\n{cases_text}\n]') + "\n"


def measure(arguments, chosen):
    size, reason = input_size(arguments)
    rounds = arguments.rounds or (3 if arguments.quick else 7)
    bench = native_library.load(arguments.build / "bench" / "libhalfulp_bench.so")
    ours = Halfulp(arguments.build / "src" / "libhalfulp.so", bench)
    names = arguments.participants and {n.strip().lower() for n in arguments.participants.split(",")}
    peers, missing = selection.load(names, bench)
    tasks = Tasks(size, SMALL_BYTES)
    memory = Memory(bench, tasks.buffers["copy"])

    results = {
        "machine": machine.describe() | {"target": bench.halfulp_bench_target().decode()},
        "versions": {participant.name: participant.version for participant in [ours, *peers]},
        "missing": missing,
        "settings": {"bytes": size, "bytes_reason": reason, "rounds": rounds},
        "micro": [],
        "cases": [],
    }
    progress = Progress(len(chosen))
    for index, case in enumerate(chosen):
        progress.show(index, case.name)
        task = tasks.of(case)
        run = CaseRun(case, tasks, task, memory, ours, peers if case.peers else [])
        for threads in thread_counts(arguments.threads):
            run.measure(threads, rounds)
        results["cases"].append(run.record)
    if not arguments.case:
        print("micro-benchmarks", file=sys.stderr, flush=True)
        results["micro"] = micro.run(arguments.build / "bench" / "halfulp_micro", 0.02)
    return results


if __name__ == "__main__":
    main()
