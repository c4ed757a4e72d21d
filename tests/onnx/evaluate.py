# SPDX-License-Identifier: Apache-2.0
"""What a node of a valid model gives, by exact.py: attributes, defaults, versions and functions."""

import numpy as np
import onnx
from onnx import AttributeProto, helper, numpy_helper

import exact

REDUCTIONS = ["ReduceL1", "ReduceL2", "ReduceSumSquare"]
NORM_OPERATORS = [*REDUCTIONS, "LpNormalization"]
OPERATORS = [*NORM_OPERATORS, "Identity", "Cast", "Constant"]
NEWEST_OPSET = onnx.defs.onnx_opset_version()

# The names of the types as ONNX spells them in a schema, and their numbers in a file.
SPELLINGS = {"float32": "float", "float64": "double"}
ELEMENT_TYPES = {
    name: onnx.TensorProto.DataType.Value(SPELLINGS.get(name, name).upper())
    for name in exact.DTYPES
}


class Invalid(Exception):
    """The node breaks a rule of its operator."""


def expect(condition, what):
    if not condition:
        raise Invalid(what)


def schema_of(operator, opset):
    return onnx.defs.get_schema(operator, opset, "")


def since_version(operator, opset):
    return schema_of(operator, opset).since_version


def oldest_ir_version(opset):
    """The IR version of the first release of ONNX that had this opset, or one past it."""
    return min(release[1] for release in helper.VERSION_TABLE if release[2] >= opset)


def types_of(operator, opset):
    """The names of the eight types that this version takes, in the order of exact.DTYPES."""
    schema = schema_of(operator, opset)
    allowed = schema.type_constraints[0].allowed_type_strs
    return [name for name in exact.DTYPES if f"tensor({SPELLINGS.get(name, name)})" in allowed]


def name_of(dtype):
    return next(name for name, known in exact.DTYPES.items() if known == dtype)


def bound_attributes(node, bindings):
    """The node's attributes by name, with those that a function's caller gives put in."""
    attributes = {}
    for attribute in node.attribute:
        if not attribute.ref_attr_name:
            attributes[attribute.name] = attribute
        elif attribute.ref_attr_name in bindings:
            given = AttributeProto()
            given.CopyFrom(bindings[attribute.ref_attr_name])
            given.name = attribute.name
            attributes[attribute.name] = given
    return attributes


def constant(attributes):
    ((name, attribute),) = attributes.items()
    value = helper.get_attribute_value(attribute)
    if name == "value":
        return numpy_helper.to_array(value)
    return np.array(value, np.int64 if name in ("value_int", "value_ints") else np.float32)


def check_axes(axes, rank):
    expect(all(-rank <= axis < rank for axis in axes), "an axis out of range")
    expect(len({axis % rank for axis in axes}) == len(axes), "an axis named twice")


def compute(operator, opset, attributes, inputs):
    """One node of ONNX's own operators. `inputs` has None where an input is left out."""
    if operator == "Constant":
        result = constant(attributes)
        expect(name_of(result.dtype) in types_of(operator, opset), "the type of the constant")
        return result
    data = inputs[0]
    expect(name_of(data.dtype) in types_of(operator, opset), "the type of the input")
    values = {name: helper.get_attribute_value(value) for name, value in attributes.items()}
    if operator == "Identity":
        return data
    if operator == "Cast":
        to = values["to"]
        # A string in version 1, a number since.
        number = onnx.TensorProto.DataType.Value(to.decode()) if opset < 6 else to
        expect(number in ELEMENT_TYPES.values(), "the type to cast to")
        name = next(name for name, known in ELEMENT_TYPES.items() if known == number)
        expect(name in types_of(operator, opset), "the type to cast to")
        return exact.cast(data, exact.DTYPES[name])
    if operator == "LpNormalization":
        check_axes([values.get("axis", -1)], data.ndim)
        return exact.lp_normalization(data, **values)
    if opset >= 18 and len(inputs) > 1 and inputs[1] is not None:
        expect(inputs[1].dtype == np.int64 and inputs[1].ndim == 1, "axes are no list of int64")
        values["axes"] = inputs[1].tolist()
    check_axes(values.get("axes", ()), data.ndim)
    return exact.reduce(operator, data, **values)


def run_node(node, values, opset, functions, bindings=None):
    """Computes a node, or a call of one of `functions` (by domain, name and overload), and adds its
    outputs to `values`."""
    attributes = bound_attributes(node, bindings or {})
    inputs = [values[name] if name else None for name in node.input]
    function = functions.get((node.domain, node.op_type, node.overload))
    if function is None:
        values[node.output[0]] = compute(node.op_type, opset, attributes, inputs)
        return
    for default in function.attribute_proto:
        attributes.setdefault(default.name, default)
    inner = dict(zip(function.input, inputs))
    inner |= dict.fromkeys(function.input[len(inputs) :])
    for body_node in function.node:
        run_node(body_node, inner, opset, functions, attributes)
    for outer_name, name in zip(node.output, function.output):
        if outer_name:
            values[outer_name] = inner[name]
