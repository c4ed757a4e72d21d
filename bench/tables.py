# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/benchmarks.md, each made from what is in a results file."""

import results as values
from results import OURS

VERDICTS = {"aim": "aim", "floor": "floor", "missed": "**missed**", "": ""}


def markdown(head, rows):
    """A table whose first column is text and whose others are numbers."""
    lines = [f"| {' | '.join(head)} |", "| --- |" + " ---: |" * (len(head) - 1)]
    lines += [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join(lines)


def milliseconds(seconds):
    return "" if seconds is None else f"{seconds * 1e3:.3g}"


def duration(seconds):
    if seconds is None:
        return ""
    for unit, size in (("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.3g} ns"


def share(value):
    return "" if value is None else f"{value:.2f}"


def threads_text(count):
    return "1 thread" if count == 1 else f"{count} threads"


def groups(cases):
    """The cases by group, in the order of the results."""
    found = {}
    for case in cases:
        found.setdefault(case["group"], []).append(case)
    return found


def size_text(count):
    return f"{count / 2**20:.4g} MB" if count >= 1 << 20 else f"{count / 2**10:.4g} KB"


def machine(results):
    about, settings = results["machine"], results["settings"]
    caches = ", ".join(f"L{c['level']} {size_text(c['bytes'])}" for c in about["caches"])
    rows = [
        ["processor", f"{about['cpu']}, {about['processors']} usable"],
        ["data caches, all together", caches],
        ["memory", f"{about['memory'] / 2**30:.3g} GB"],
        ["vector instructions of plain read and copy", about["target"]],
        ["kernel", about["kernel"]],
        ["compiler", about["compiler"]],
        ["date", about["date"]],
        ["size of the inputs", f"{size_text(settings['bytes'])}, {settings['bytes_reason']}"],
        ["measurements", f"the best of {settings['rounds']}, in turn"],
        ["versions", ", ".join(f"{k} {v}" for k, v in results["versions"].items())],
    ]
    if results["missing"]:
        rows.append(["not there", ", ".join(results["missing"])])
    return "\n".join(["| | |", "| --- | --- |"] + [f"| {a} | {b} |" for a, b in rows])


def summary(results):
    rows = []
    for name, cases in groups(results["cases"]).items():
        for threads in values.thread_counts(results):
            met = [values.verdict(case, threads) for case in cases]
            asked = [verdict for verdict in met if verdict]
            if asked:
                counts = [asked.count(verdict) for verdict in ("aim", "floor", "missed")]
                rows.append([f"{name}, {threads_text(threads)}", *map(str, counts)])
    return markdown(["cases", "reach the aim", "the floor alone", "miss it"], rows)


def missed(results):
    lines = []
    for case in results["cases"]:
        for threads in values.thread_counts(results):
            if values.verdict(case, threads) == "missed":
                if case["ceiling"] is not None:
                    reached = f"{values.slowdown(case, threads):.2f} times ordinary data"
                    asked = f"at most {case['ceiling']:g}"
                else:
                    reached = f"{values.ratio(case, threads):.2f}"
                    asked = f"floor {case['floor']:.2f}"
                lines.append(f"- {case['name']}, {threads_text(threads)}: {reached} ({asked})")
    return "\n".join(lines) or "None."


def has_share(case):
    return not case["small"] and case["data"] == "ordinary"


def ratios(results):
    """Share of what memory allows, case by case."""
    counts = values.thread_counts(results)
    head = ["case"]
    for threads in counts:
        head += [f"ms, {threads_text(threads)}", "share", ""]
    head += ["floor", "aim"]
    parts = []
    for name, cases in groups(filter(has_share, results["cases"])).items():
        rows = []
        for case in cases:
            row = [case["name"]]
            for threads in counts:
                row += [
                    milliseconds(values.best(case, OURS, threads)),
                    share(values.ratio(case, threads)),
                    VERDICTS[values.verdict(case, threads)],
                ]
            rows.append([*row, share(case["floor"]), share(case["aim"])])
        parts.append(f"### {name}\n\n{markdown(head, rows)}")
    return "\n\n".join(parts)


def hard(results):
    counts = values.thread_counts(results)
    head = ["case", *(threads_text(n) for n in counts), "at most", "", "fast", "extracted", "exact"]
    rows = []
    for case in results["cases"]:
        if case["data"] == "ordinary":
            continue
        times = [values.slowdown(case, threads) for threads in counts]
        verdicts = [values.verdict(case, threads) for threads in counts]
        tiers = case["tiers"]
        total = max(sum(tiers.values()), 1)
        rows.append([
            case["name"],
            *("" if t is None else f"{t:.2f}" for t in times),
            f"{case['ceiling']:g}" if case["ceiling"] else "",
            "**missed**" if "missed" in verdicts else "met" if case["ceiling"] else "",
            *(f"{100 * tiers[tier] / total:.3g} %" for tier in ("fast", "extracted", "exact")),
        ])  # fmt: skip
    return markdown(head, rows)


def measurement_of(case, participant, threads):
    for found in case["measurements"]:
        if (found["participant"], found["threads"]) == (participant, threads):
            return found
    return None


def compared(results, small):
    return [
        case
        for case in results["cases"]
        if case["small"] == small
        and any(m["participant"] in values.peers(results) for m in case["measurements"])
    ]


def peers(results, small):
    """Times side by side; the quickest of a row is bold, a wrong answer is struck out."""
    participants = [OURS, *values.peers(results)]
    rows = []
    for case in compared(results, small):
        for threads in values.thread_counts(results):
            found = [measurement_of(case, name, threads) for name in participants]
            right = [m["best"] for m in found if m and not m["check"]["wrong"]]
            row = []
            for measurement in found:
                if measurement is None:
                    row.append("-")
                    continue
                cell = duration(measurement["best"])
                if measurement["check"]["wrong"]:
                    cell = f"~~{cell}~~"
                elif measurement["best"] == min(right):
                    cell = f"**{cell}**"
                row.append(cell)
            rows.append([f"{case['name']}, {threads_text(threads)}", *row])
    return markdown(["case", *participants], rows)


def ulp_text(check):
    right = 100 * check["correctly_rounded"]
    text = f"{right:.3g} %" if right == 100 or right < 99.95 else "99.9 %"
    if check["max_ulp"] is not None:
        text += f", {check['max_ulp']:.3g}"
    elif check["wrong"]:
        text += ", wrong"
    return f"~~{text}~~" if check["wrong"] else text


def accuracy(results):
    """Share of correctly rounded results and largest error in ulp, on one thread or what there is."""
    participants = [OURS, *values.peers(results)]
    rows = []
    for case in compared(results, small=False):
        threads = values.thread_counts(results)[0]
        found = [measurement_of(case, name, threads) for name in participants]
        rows.append([case["name"], *("-" if m is None else ulp_text(m["check"]) for m in found)])
    return markdown(["case", *participants], rows)


def micro(results):
    parts = []
    sections = {}
    for entry in results["micro"]:
        section, name = entry["name"].split("/", 1)
        sections.setdefault(section, []).append([name, duration(entry["seconds"])])
    for section, rows in sections.items():
        parts.append(f"### C++: {section}\n\n{markdown(['call', 'time'], rows)}")
    return "\n\n".join(parts)
