# SPDX-License-Identifier: Apache-2.0
"""Tensors of a model in every form in which ONNX stores their elements."""

from onnx import TensorProto, numpy_helper

import evaluate
import exact

# The field that holds a type's elements where raw_data does not.
TYPED_FIELDS = {
    "bfloat16": "int32_data",  # its bits
    "float16": "int32_data",  # its bits
    "float32": "float_data",
    "float64": "double_data",
    "int32": "int32_data",
    "int64": "int64_data",
    "uint32": "uint64_data",
    "uint64": "uint64_data",
}


def raw(name, array):
    return numpy_helper.from_array(array, name)


def typed(name, array):
    type_name = evaluate.name_of(array.dtype)
    tensor = TensorProto(name=name, data_type=evaluate.ELEMENT_TYPES[type_name], dims=array.shape)
    is_16_bit = array.dtype.itemsize == 2
    elements = exact.bits_of(array) if is_16_bit else array.reshape(-1).tolist()
    getattr(tensor, TYPED_FIELDS[type_name]).extend(elements)
    return tensor


def load(tensor):
    """The elements as they are stored: Python's floats, and so the typed fields, have no signaling
    NaN."""
    return numpy_helper.to_array(tensor)


class ExternalFile:
    """A file beside the model, to which tensors are added one after the other, with gaps."""

    def __init__(self, folder, location):
        self.path = folder / location
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_bytes(b"")
        self.location = location

    def add(self, name, array):
        offset = self.path.stat().st_size + 3
        with open(self.path, "ab") as file:
            file.write(b"gap" + array.tobytes())
        type_name = evaluate.name_of(array.dtype)
        tensor = TensorProto(
            name=name, data_type=evaluate.ELEMENT_TYPES[type_name], dims=array.shape
        )
        tensor.data_location = TensorProto.EXTERNAL
        entries = {"location": self.location, "offset": offset, "length": array.nbytes}
        for key, value in entries.items():
            tensor.external_data.add(key=key, value=str(value))
        return tensor
