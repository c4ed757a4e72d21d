#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the report of a results file: tables in Markdown, and charts.

Needs nothing but Python. The text around the tables, with what limits the speed, is
bench/benchmarks.in.md, written by hand; a line {{name}} of it stands for a table or a chart.
"""

import argparse
import json
import re
import sys
from pathlib import Path

import charts
import results as values
import tables
from results import OURS

ROOT = Path(__file__).resolve().parent.parent
TEMPLATE = ROOT / "bench" / "benchmarks.in.md"
NAME = "benchmarks"  # of the document, and of the folder of its charts and results

FRACTION = charts.Axis((0, 0.2, 0.4, 0.6, 0.8, 1.0, 1.2))
TIMES = charts.Axis((0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128), log=True)


def slug(text):
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def ratio_charts(results):
    """A chart for each group of cases that has floors: {file name: SVG}."""
    counts = values.thread_counts(results)
    found = {}
    for name, cases in tables.groups(filter(tables.has_share, results["cases"])).items():
        rows = []
        for case in cases:
            shares = {n: values.ratio(case, n) for n in counts}
            bars = [
                charts.Bar(shares[n], index, f"{shares[n]:.2f}")
                for index, n in enumerate(counts)
                if shares[n] is not None
            ]
            if case["floor"] is not None and bars:
                rows.append(charts.Row(case["name"], bars, (case["floor"], case["aim"])))
        if rows:
            found[f"share-{slug(name)}.svg"] = charts.bar_chart(
                f"{name}: share of what memory allows",
                [tables.threads_text(n) for n in counts],
                rows,
                FRACTION,
                "floor and aim",
            )
    return found


def peer_charts(results):
    """A chart for each number of threads: the others' time in times of ours."""
    participants = values.peers(results)
    found = {}
    for threads in values.thread_counts(results):
        rows = []
        for case in tables.compared(results, small=False):
            ours = values.best(case, OURS, threads)
            bars = []
            for index, name in enumerate(participants):
                measurement = tables.measurement_of(case, name, threads)
                if measurement and ours:
                    times = measurement["best"] / ours
                    wrong = ", wrong" if measurement["check"]["wrong"] else ""
                    bars.append(charts.Bar(times, index, f"{times:.3g}{wrong}"))
            if bars:
                rows.append(charts.Row(case["name"], bars, (1,)))
        if rows:
            found[f"peers-{threads}.svg"] = charts.bar_chart(
                f"Time in times of halfulp's, {tables.threads_text(threads)}",
                participants,
                rows,
                TIMES,
                "halfulp",
            )
    return found


def images(names, folder):
    return "\n\n".join(f"![{Path(name).stem}]({folder}/{name})" for name in names)


def render(template, results):
    """The document, and its charts by file name."""
    by_share, by_peers = ratio_charts(results), peer_charts(results)
    parts = {
        "machine": tables.machine(results),
        "summary": tables.summary(results),
        "missed": tables.missed(results),
        "share_charts": images(by_share, NAME),
        "peer_charts": images(by_peers, NAME),
        "ratios": tables.ratios(results),
        "hard": tables.hard(results),
        "peers": tables.peers(results, small=False),
        "accuracy": tables.accuracy(results),
        "small": tables.peers(results, small=True),
        "micro": tables.micro(results),
    }
    used = re.findall(r"^\{\{(\w+)\}\}$", template, re.M)
    if sorted(used) != sorted(parts):
        raise ValueError(f"the template has {sorted(used)}, not {sorted(parts)}")
    # Comments of the template are for those who edit it.
    document = re.sub(r"<!-- template:.*?-->\n", "", template, flags=re.S)
    document = re.sub(r"^\{\{(\w+)\}\}$", lambda match: parts[match[1]], document, flags=re.M)
    return document, by_share | by_peers


def files_of(results_text, template):
    """Everything that a report consists of: {path relative to its folder: text}."""
    document, drawings = render(template, json.loads(results_text))
    files = {f"{NAME}.md": document, f"{NAME}/results.json": results_text}
    return files | {f"{NAME}/{name}": drawing for name, drawing in drawings.items()}


def differences(files, folder):
    """What of a report's folder is not as `files` has it, one line each."""
    problems = [
        f"{path} is {'out of date' if (folder / path).exists() else 'missing'}"
        for path, text in files.items()
        if not (folder / path).exists() or (folder / path).read_text(encoding="utf-8") != text
    ]
    present = {str(path.relative_to(folder)) for path in (folder / NAME).glob("*")}
    return problems + [f"{path} belongs to no results" for path in sorted(present - files.keys())]


def write(files, folder):
    (folder / NAME).mkdir(parents=True, exist_ok=True)
    for old in (folder / NAME).glob("*.svg"):
        old.unlink()
    for path, text in files.items():
        (folder / path).write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", type=Path, help="what bench/run.py wrote")
    parser.add_argument("--folder", type=Path, required=True,
                        help=f"gets {NAME}.md, and the charts in {NAME}/")  # fmt: skip
    parser.add_argument("--check", action="store_true", help="write nothing; fail where it differs")
    arguments = parser.parse_args()

    files = files_of(
        arguments.results.read_text(encoding="utf-8"), TEMPLATE.read_text(encoding="utf-8")
    )
    if arguments.check:
        problems = differences(files, arguments.folder)
        sys.exit("\n".join(problems) if problems else 0)
    write(files, arguments.folder)
    print(f"report: {arguments.folder / NAME}.md")


if __name__ == "__main__":
    main()
