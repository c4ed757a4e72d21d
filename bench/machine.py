# SPDX-License-Identifier: Apache-2.0
"""The machine that the benchmarks run on, as far as it says."""

import datetime
import os
import platform
import subprocess
from pathlib import Path

CPU = Path("/sys/devices/system/cpu")


def processors():
    """How many this process may use."""
    return len(os.sched_getaffinity(0))


def read_size(text):
    units = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    return int(text[:-1]) * units[text[-1]] if text[-1] in units else int(text)


def caches():
    """The data caches that this process's processors have, all instances of a level together:
    [{"level": 3, "bytes": ..., "instances": ...}, ...]."""
    instances = {}
    for cpu in os.sched_getaffinity(0):
        for index in sorted((CPU / f"cpu{cpu}" / "cache").glob("index*")):
            fields = {
                name: (index / name).read_text().strip()
                for name in ("level", "type", "size", "shared_cpu_list")
            }
            if fields["type"] != "Instruction":
                key = int(fields["level"]), fields["shared_cpu_list"]
                instances[key] = read_size(fields["size"])
    levels = sorted({level for level, _ in instances})
    sizes = {n: [size for (level, _), size in instances.items() if level == n] for n in levels}
    return [{"level": n, "bytes": sum(sizes[n]), "instances": len(sizes[n])} for n in levels]


def last_level_cache():
    """Bytes; 32 MB where the machine does not say."""
    found = caches()
    return found[-1]["bytes"] if found else 32 << 20


def available_memory():
    for line in Path("/proc/meminfo").read_text().splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) << 10
    raise RuntimeError("/proc/meminfo has no MemAvailable")


def cpu_model():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def compiler(command="g++"):
    done = subprocess.run([command, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.splitlines()[0] if done.stdout else command


def describe():
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
        "cpu": cpu_model(),
        "processors": processors(),
        "caches": caches(),
        "memory": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "kernel": platform.release(),
        "compiler": compiler(),
        "python": platform.python_version(),
    }
