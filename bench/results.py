# SPDX-License-Identifier: Apache-2.0
"""What is computed from a results file: ratios, and whether floors and aims are met."""

OURS = "halfulp"
READ, COPY, ORDINARY = "plain read", "plain copy", "halfulp, ordinary data"


def best(case, participant, threads):
    """Seconds, or None."""
    for measurement in case["measurements"]:
        if (measurement["participant"], measurement["threads"]) == (participant, threads):
            return measurement["best"]
    return None


def memory_time(case, threads):
    """What memory allows, in seconds, or None."""
    if case["small"]:
        return None
    parts = {"read": (READ,), "copy": (COPY,), "read+copy": (READ, COPY)}[case["limit"]]
    times = [best(case, part, threads) for part in parts]
    return None if None in times else sum(times)


def ratio(case, threads):
    """The share of what memory allows that we reach, or None."""
    ours, memory = best(case, OURS, threads), memory_time(case, threads)
    return None if ours is None or memory is None else memory / ours


def slowdown(case, threads):
    """The time of hard data in times of ordinary data, or None."""
    ours, ordinary = best(case, OURS, threads), best(case, ORDINARY, threads)
    return None if ours is None or ordinary is None else ours / ordinary


def verdict(case, threads):
    """"aim", "floor" (met, but not the aim), "missed", or "" where nothing is asked for."""
    if case["ceiling"] is not None:
        times = slowdown(case, threads)
        return "" if times is None else "aim" if times <= case["ceiling"] else "missed"
    share = ratio(case, threads)
    if case["floor"] is None or share is None:
        return ""
    return "aim" if share >= case["aim"] else "floor" if share >= case["floor"] else "missed"


def thread_counts(results):
    return sorted({m["threads"] for case in results["cases"] for m in case["measurements"]})


def peers(results):
    """The other libraries that took part, in the order in which they appear."""
    names = {}
    for case in results["cases"]:
        for measurement in case["measurements"]:
            names[measurement["participant"]] = None
    return [name for name in names if name not in (OURS, READ, COPY, ORDINARY)]


def not_correctly_rounded(results):
    """The names of the cases in which one of our own answers is not right."""
    return [
        case["name"]
        for case in results["cases"]
        if any(
            m["participant"] == OURS and m["check"]["correctly_rounded"] < 1
            for m in case["measurements"]
        )
    ]
