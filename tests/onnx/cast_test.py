# SPDX-License-Identifier: Apache-2.0
"""Cast between any two of the eight types, on values at the ends of ranges and beside ties."""

import math
import unittest

import numpy as np
from onnx import helper

import command
import evaluate
import exact

# Where the types' ranges, integers and subnormals begin and end.
EXPONENTS = [-1074, -1073, -1022, -149, -148, -133, -126, -25, -24, -14, -1, 0, 1, 2]
EXPONENTS += [7, 8, 10, 11, 15, 16, 23, 24, 31, 32, 52, 53, 62, 63, 64, 127, 128, 1023]
# Of ties in bfloat16, float16 and float32, to either side.
SIGNIFICANDS = [1, 1.5, *(1 + odd * 2.0**-precision for precision in (8, 11, 24) for odd in (1, 3))]


def float_values(dtype):
    """Numbers of the type at these places and next to them, infinities and a NaN, of both signs."""
    places = np.outer([2.0**exponent for exponent in EXPONENTS], SIGNIFICANDS).reshape(-1)
    with np.errstate(over="ignore"):
        values = np.array([0, *places, math.inf]).astype(dtype)
    bits = values.view(f"u{dtype.itemsize}")
    bits = np.unique(np.concatenate([bits - (bits > 0), bits, bits + 1])).astype(bits.dtype)
    positive = bits.view(dtype)
    return np.concatenate([positive, -positive])


def integer_values(dtype):
    info = np.iinfo(dtype)
    near = [(1 << bits) + step for bits in range(65) for step in range(-3, 4)]
    values = {sign * value for value in [*near, 0] for sign in (1, -1)}
    return np.array(sorted(v for v in values if info.min <= v <= info.max), dtype)


def values_of(dtype):
    return float_values(dtype) if dtype in exact.FORMATS else integer_values(dtype)


def has_value(element, to):
    try:
        exact.cast(element, to)
    except exact.CastError:
        return False
    return True


def elements(data):
    return np.split(data, len(data))


def first_beyond(source, to):
    """The floats closest to an integer type's range on either side, infinities and a NaN."""
    lacking = np.array(
        [e[0] for e in elements(float_values(source)) if not has_value(e, to)], source
    )
    with np.errstate(invalid="ignore"):
        positive, negative = lacking[lacking > 0], lacking[lacking < 0]
    last = [positive.min(), negative.max(), math.inf, -math.inf, math.nan]
    return elements(np.array(last, source))


def make_model(data, to):
    types = [evaluate.ELEMENT_TYPES[name] for name in (evaluate.name_of(data.dtype), to)]
    graph = helper.make_graph(
        [helper.make_node("Cast", ["x"], ["y"], to=types[1])],
        "cast",
        [helper.make_tensor_value_info("x", types[0], data.shape)],
        [helper.make_tensor_value_info("y", types[1], data.shape)],
    )
    opset = evaluate.NEWEST_OPSET
    return helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", opset)],
        ir_version=evaluate.oldest_ir_version(opset),
    )


class CastTest(command.ModelTestCase):
    def test_every_pair(self):
        for source in exact.DTYPES.values():
            for to_name, to in exact.DTYPES.items():
                with self.subTest(source=source.name, to=to_name):
                    data = values_of(source)
                    data = data[[has_value(element, to) for element in elements(data)]]
                    self.assertGreater(len(data), 0)
                    (actual,) = self.compute(make_model(data, to_name), {"x": data})
                    self.assert_same_bits(actual, exact.cast(data, to))

    def test_elements_that_a_type_lacks(self):
        for source in (exact.DTYPES[name] for name in exact.FLOATS):
            for to_name in exact.INTEGERS:
                for element in first_beyond(source, exact.DTYPES[to_name]):
                    with self.subTest(element=element, source=source.name, to=to_name):
                        self.check_refusal(element, to_name)

    def check_refusal(self, element, to_name):
        data = np.zeros((2, 3), element.dtype)
        data[1, 2] = element[0]
        line = self.refusal(make_model(data, to_name), {"x": data})
        self.assertIn("Cast", line)
        self.assertIn("(1,2)", line)
        self.assertIn(to_name, line)


if __name__ == "__main__":
    unittest.main()
