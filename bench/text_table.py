# SPDX-License-Identifier: Apache-2.0
"""Tables of our own cases for a terminal."""

from results import OURS, best, ratio, slowdown, thread_counts, verdict


def number(value, form):
    return "" if value is None else form.format(value)


def columns(rows):
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    for row in rows:
        first, *rest = (cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in
                        enumerate(zip(row, widths)))  # fmt: skip
        yield "  ".join([first, *rest]).rstrip()


def case_rows(case, counts):
    for threads in counts:
        ours = best(case, OURS, threads)
        if ours is not None:
            yield [
                case["name"], str(threads), number(ours * 1e3, "{:.4g}"),
                number(ratio(case, threads), "{:.2f}"), number(case["floor"], "{:.2f}"),
                number(case["aim"], "{:.2f}"), number(slowdown(case, threads), "{:.2f}x"),
                number(case["ceiling"], "{:.1f}x"), verdict(case, threads),
            ]  # fmt: skip


HEAD = ["case", "threads", "ms", "ratio", "floor", "aim", "hard", "at most", "met"]


def render(results):
    rows = [HEAD]
    for case in results["cases"]:
        rows += case_rows(case, thread_counts(results))
    return "\n".join(columns(rows))
