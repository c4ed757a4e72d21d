# SPDX-License-Identifier: Apache-2.0
"""The table of cases: what is measured, what it is compared with, and the floor and aim of each.

A floor or an aim is a share of what memory allows with the same threads: the time of a plain read of
the input (limit "read"), of a plain copy of it ("copy"), or of one read and one copy ("read+copy",
where a slice does not fit in cache and has to come from memory twice).
"""

import math
from dataclasses import dataclass, replace
from itertools import product

ITEMSIZE = {
    "bfloat16": 2, "float16": 2, "float32": 4, "float64": 8,
    "int32": 4, "int64": 8, "uint32": 4, "uint64": 8,
}  # fmt: skip
WIDE_FLOATS = ("float32", "float64")
NARROW_FLOATS = ("float16", "bfloat16")
INTEGERS = ("int32", "int64", "uint32", "uint64")

# An extent that makes the input as large as is asked for; the others of the shape are as written.
FILL = -1

# No shape is larger than this many bytes when that extent is 1.
LARGEST_FIXED = 16 << 20


@dataclass(frozen=True)
class Case:
    group: str  # the heading that it stands under
    operator: str  # ONNX's name
    dtype: str
    shape: tuple
    axis: int | None  # that is reduced, or normalised along; None: all
    layout: str
    limit: str = "read"
    p: int = 2
    output_type: str | None = None
    data: str = "ordinary"  # or a name of bench/data.py's HARD
    strided: str | None = None  # a name of bench/data.py's STRIDED
    floor: float | None = None
    aim: float | None = None
    # Hard data: the most that it may take, in times of ordinary data of the same shape.
    ceiling: float | None = None
    peers: bool = False  # the other libraries take part, too
    small: bool = False  # fits in cache; no share of memory's speed is asked for

    @property
    def name(self):
        parts = [self.dtype, self.operator]
        if self.operator == "LpNormalization":
            parts.append(f"p={self.p}")
        parts.append(self.layout)
        if self.output_type:
            parts.append(f"into {self.output_type}")
        if self.data != "ordinary":
            parts.append(f"of {self.data}")
        return " ".join(parts)

    def sized(self, target_bytes):
        """The shape, with an input of about that many bytes."""
        rest = math.prod(extent for extent in self.shape if extent != FILL)
        fill = max(1, target_bytes // (rest * ITEMSIZE[self.dtype]))
        return tuple(fill if extent == FILL else extent for extent in self.shape)


# One layout of a reduction's input: its name, the shape and the axis.
ROWS_768 = ("rows of 768", (FILL, 768), 1)
ROWS_4096 = ("rows of 4096", (FILL, 4096), 1)
ALL = ("all elements", (FILL,), None)
ROWS = (ROWS_768, ROWS_4096, ALL)
NARROW_COLUMNS = ("columns, 768 wide", (FILL, 768), 0)
WIDE_COLUMNS = ("columns, 16384 wide", (FILL, 16384), 0)
COLUMNS = (NARROW_COLUMNS, WIDE_COLUMNS)
BATCHED = ("batched columns (n,64,1024)", (FILL, 64, 1024), 1)
BATCHED_WIDE = ("batched columns (n,64,16384)", (FILL, 64, 16384), 1)


def short_rows(length):
    return (f"short rows of {length}", (FILL, length), 1)


def reductions(group, operators, dtypes, layouts, **rest):
    for dtype, operator, (layout, shape, axis) in product(dtypes, operators, layouts):
        yield Case(group, operator, dtype, shape, axis, layout, **rest)


def normalizations(group, dtypes, powers, layouts, limit="copy", **rest):
    for dtype, p, (layout, shape, axis) in product(dtypes, powers, layouts):
        yield Case(
            group, "LpNormalization", dtype, shape, axis, layout, limit=limit, p=p, **rest
        )


L1, L2, SQUARES = ("ReduceL1",), ("ReduceL2",), ("ReduceSumSquare",)


def rows():
    group, bounds = "Rows", {"floor": 0.90, "aim": 0.97}
    yield from reductions(group, L1 + L2, WIDE_FLOATS, ROWS, **bounds)
    yield from reductions(group, L1, INTEGERS, ROWS, **bounds)
    yield from reductions(group, L1 + L2, NARROW_FLOATS, ROWS, floor=0.88, aim=0.95)


def columns():
    group, bounds = "Columns", {"floor": 0.85, "aim": 0.92}
    yield from reductions(group, L1 + L2, WIDE_FLOATS, COLUMNS, **bounds)
    yield from reductions(group, L1, INTEGERS, COLUMNS, **bounds)
    yield from reductions(group, L1 + L2, NARROW_FLOATS, COLUMNS, floor=0.75, aim=0.90)


def batched_columns():
    group, bounds = "Batched columns", {"floor": 0.80, "aim": 0.90}
    yield from reductions(group, L1 + L2, WIDE_FLOATS, (BATCHED, BATCHED_WIDE), **bounds)
    yield from reductions(group, L1, INTEGERS + NARROW_FLOATS, (BATCHED,), **bounds)


def all_short_rows():
    group = "Short rows"
    floats = WIDE_FLOATS + NARROW_FLOATS
    yield from reductions(group, L1, floats + INTEGERS, (short_rows(2),), floor=0.75, aim=0.85)
    yield from reductions(group, L2, floats, (short_rows(2),), floor=0.65, aim=0.85)
    yield from reductions(group, L1 + L2, floats, (short_rows(3),), floor=0.75, aim=0.85)
    lengths = [short_rows(length) for length in (4, 5, 8, 12, 16, 24, 32, 48, 64)]
    yield from reductions(group, L1, ("float32",), lengths, floor=0.60, aim=0.85)
    some = [short_rows(length) for length in (4, 16, 64)]
    yield from reductions(group, L2, ("float32",), some, floor=0.60, aim=0.85)
    yield from reductions(
        group, L1, ("float64",) + NARROW_FLOATS + ("int64",), some, floor=0.60, aim=0.85
    )


def all_normalizations():
    group, both = "LpNormalization", (1, 2)
    last = (("rows of 768", (FILL, 768), -1),)
    three = ("float32", "float64", "bfloat16")
    yield from normalizations(group, three, both, last, floor=0.85, aim=0.92)
    yield from normalizations(group, ("float16",), (1,), last, floor=0.80, aim=0.85)
    yield from normalizations(group, ("float16",), (2,), last, floor=0.70, aim=0.85)
    floats = WIDE_FLOATS + NARROW_FLOATS
    yield from normalizations(
        group, floats, both, (NARROW_COLUMNS,), limit="read+copy", floor=0.80, aim=0.88
    )
    yield from normalizations(group, floats, (2,), (BATCHED_WIDE,), floor=0.70, aim=0.80)


def without_floor():
    group = "Squares, integers, other output types, strides: no floor"
    yield from reductions(group, SQUARES, WIDE_FLOATS + NARROW_FLOATS + INTEGERS, (ROWS_768,))
    yield from reductions(group, SQUARES, ("float32", "int32"), (NARROW_COLUMNS,))
    yield from reductions(group, L2, INTEGERS, (ROWS_768,))
    for dtype, output_type in (
        ("float16", "float32"), ("bfloat16", "float32"), ("float32", "float64"),
        ("float64", "float32"), ("int32", "float64"), ("int64", "float32"),
    ):  # fmt: skip
        yield from reductions(group, L1, (dtype,), (ROWS_768,), output_type=output_type)
    last = (("rows of 768", (FILL, 768), -1),)
    yield from normalizations(group, ("float32",), (2,), last, output_type="bfloat16")
    for strided, layout in {
        "every second element": ("rows of 384 in steps of two", (FILL, 768), 1),
        "part of each row": ("rows of 700 in 768", (FILL, 768), 1),
        "transposed": ("columns of a transposed view", (768, FILL), 1),
    }.items():
        for dtype in ("float32", "bfloat16"):
            yield from reductions(group, L1, (dtype,), (layout,), strided=strided)


def hard_data():
    group = "Hard data, against ordinary data"
    for dtype in WIDE_FLOATS + NARROW_FLOATS:
        for data in ("integers", "quantised weights", "midpoints", "every exponent", "subnormals"):
            for operator in L1 + L2:
                yield from reductions(
                    group, (operator,), (dtype,), (ROWS_768,), data=data, ceiling=2.0
                )
            if data in ("integers", "midpoints"):
                yield from reductions(
                    group, L1, (dtype,), (NARROW_COLUMNS,), data=data, ceiling=2.3
                )
    yield from reductions(
        group, L1, WIDE_FLOATS, (ROWS_768,), data="exact tier", ceiling=8.0
    )
    yield from reductions(group, L1, WIDE_FLOATS, (NARROW_COLUMNS,), data="exact tier")
    last = (("rows of 768", (FILL, 768), -1),)
    for data in ("integers", "every exponent", "subnormals"):
        yield from normalizations(group, WIDE_FLOATS + NARROW_FLOATS, (2,), last, data=data)


def in_cache():
    group = "In cache, 256 KB"
    layouts = (
        ("rows of 512 in cache", (FILL, 512), 1),
        ("columns, 512 wide, in cache", (FILL, 512), 0),
        ("batched columns (n,32,64) in cache", (FILL, 32, 64), 1),
        ("short rows of 2 in cache", (FILL, 2), 1),
    )
    some = ("float32", "float64", "float16", "bfloat16", "int32", "int64")
    yield from reductions(group, L1, some, layouts, small=True, peers=True)
    yield from reductions(
        group, L2, ("float32", "float64", "float16"), layouts[:2], small=True, peers=True
    )
    last = (("rows of 512 in cache", (FILL, 512), -1),)
    floats = ("float32", "float64", "float16", "bfloat16")
    yield from normalizations(group, floats, (2,), last, small=True, peers=True)


def calls():
    """Sizes of their own: small tensors whose time is that of a call as much as of the work."""
    group = "Small calls"
    image = ("(2,64,56,56) along the batch", (2, 64, 56, 56), 0)
    few = ("32 elements", (32,), None)
    yield from reductions(group, L1, ("float32",), (image, few), small=True, peers=True)


# Besides those whose size makes them quick: one case for each layout and type that others compute.
PEER_CASES = {
    "float32 ReduceL1 all elements",
    "float32 ReduceL1 rows of 768",
    "float32 ReduceL2 rows of 768",
    "float32 ReduceL1 columns, 768 wide",
    "float32 ReduceL1 short rows of 2",
    "float32 ReduceL1 short rows of 3",
    "float32 ReduceL1 batched columns (n,64,1024)",
    "float16 ReduceL1 rows of 768",
    "bfloat16 ReduceL1 rows of 768",
    "float64 ReduceL1 rows of 768",
    "int32 ReduceL1 rows of 768",
    "int64 ReduceL1 rows of 768",
    "float32 LpNormalization p=2 rows of 768",
    "float32 LpNormalization p=2 columns, 768 wide",
    "float32 LpNormalization p=2 batched columns (n,64,16384)",
    "float16 LpNormalization p=2 rows of 768",
    "bfloat16 LpNormalization p=2 rows of 768",
    "float64 LpNormalization p=2 rows of 768",
}


def all_cases():
    groups = (
        rows, columns, batched_columns, all_short_rows, all_normalizations, without_floor,
        hard_data, in_cache, calls,
    )  # fmt: skip
    return [
        replace(case, peers=case.peers or case.name in PEER_CASES)
        for group in groups
        for case in group()
    ]
