# SPDX-License-Identifier: Apache-2.0
"""Bar charts as SVG, of numbers alone: the same numbers give the same bytes."""

import math
from dataclasses import dataclass
from html import escape

BAR, GAP, SECTION = 11, 3, 9  # heights, in pixels
TOP, BOTTOM, PLOT, RIGHT = 46, 26, 430, 70
LETTER = 6.1  # width, at the font size below
COLORS = ("#1f6f8b", "#e0a030", "#7a9e4e", "#b3574b", "#8064a2", "#5b8bd0", "#777777")


@dataclass
class Bar:
    value: float
    series: int  # of the legend
    text: str  # at the bar's end


@dataclass
class Row:
    label: str
    bars: list
    # Places on the axis that are marked across the row: floor and aim.
    marks: tuple = ()


@dataclass
class Axis:
    ticks: tuple
    log: bool = False

    def place(self, value):
        low, high = self.ticks[0], self.ticks[-1]
        value = min(max(value, low), high)
        if self.log:
            return PLOT * math.log(value / low) / math.log(high / low)
        return PLOT * (value - low) / (high - low)


def text(x, y, content, anchor="start", weight="normal"):
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}">'
        f"{escape(content)}</text>"
    )


def rect(x, y, width, height, color):
    return f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height}" fill="{color}"/>'


def line(x, top, bottom, color, width=1):
    return (
        f'<line x1="{x:.1f}" y1="{top:.1f}" x2="{x:.1f}" y2="{bottom:.1f}" stroke="{color}"'
        f' stroke-width="{width}"/>'
    )


def legend(left, series, marks_text):
    parts, x = [], left
    for index, name in enumerate(series):
        parts += [rect(x, 26, 9, 9, COLORS[index]), text(x + 13, 34, name)]
        x += 26 + LETTER * len(name)
    if marks_text:
        parts += [line(x + 4, 25, 36, "#c00000", 1.5), text(x + 11, 34, marks_text)]
    return parts


def bar_chart(title, series, rows, axis, marks_text=""):
    """The SVG file's text. `series` names the colours, in the order of their numbers."""
    left = 12 + LETTER * max(len(row.label) for row in rows)
    height = TOP + BOTTOM + sum(len(row.bars) * (BAR + GAP) + SECTION for row in rows)
    width = left + PLOT + RIGHT
    body = [text(8, 16, title, weight="bold"), *legend(8, series, marks_text)]
    for tick in axis.ticks:
        x = left + axis.place(tick)
        body += [line(x, TOP, height - BOTTOM, "#dddddd"), text(x, height - 10, f"{tick:g}", "middle")]
    y = TOP + SECTION / 2
    for row in rows:
        rows_height = len(row.bars) * (BAR + GAP)
        body.append(text(left - 6, y + rows_height / 2 + 3, row.label, "end"))
        for mark in row.marks:
            body.append(line(left + axis.place(mark), y - 1, y + rows_height - 1, "#c00000", 1.5))
        for bar in row.bars:
            length = axis.place(bar.value)
            body.append(rect(left, y, length, BAR, COLORS[bar.series]))
            body.append(text(left + length + 4, y + BAR - 2, bar.text))
            y += BAR + GAP
        y += SECTION
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}"'
            ' font-family="sans-serif" font-size="11">',
            '<rect width="100%" height="100%" fill="white"/>',
            *body,
            "</svg>\n",
        ]
    )
