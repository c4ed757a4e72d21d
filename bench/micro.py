# SPDX-License-Identifier: Apache-2.0
"""Runs the micro-benchmarks of the C++ interface and reads what Google Benchmark says."""

import json
import os
import subprocess


def run(program, seconds):
    """[{"name": ..., "seconds": ...}, ...]; each is run for about so long, three times."""
    command = [
        program, f"--benchmark_min_time={seconds}", "--benchmark_repetitions=3",
        "--benchmark_enable_random_interleaving=true", "--benchmark_format=json",
    ]  # fmt: skip
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
        env=os.environ | {"HALFULP_NUM_THREADS": "1"},
    )
    return best_of_repetitions(json.loads(done.stdout)["benchmarks"])


def best_of_repetitions(benchmarks):
    units = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}
    best = {}
    for benchmark in benchmarks:
        if benchmark["run_type"] == "iteration":
            seconds = benchmark["real_time"] * units[benchmark["time_unit"]]
            name = benchmark["run_name"]
            best[name] = min(seconds, best.get(name, seconds))
    return [{"name": name, "seconds": seconds} for name, seconds in sorted(best.items())]
