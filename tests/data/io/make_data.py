# SPDX-License-Identifier: Apache-2.0
"""Makes the files beside it: tensors as other software writes them, for the tests of src/io.

    pip install numpy onnx ml_dtypes safetensors
    python3 make_data.py

The tests have the same elements as numbers of their own (golden.hpp in tests/io).
"""

import pathlib

import ml_dtypes
import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from safetensors.numpy import save_file

FOLDER = pathlib.Path(__file__).parent
SHAPE = (2, 3)

FLOATS = [1.5, -2.25, 0.0, -0.0, np.inf, 96.0]


def integers(dtype):
    info = np.iinfo(dtype)
    return [1, 2, info.min, info.max, info.max - 1, 0]


DTYPES = {
    "bfloat16": ml_dtypes.bfloat16,
    "float16": np.float16,
    "float32": np.float32,
    "float64": np.float64,
    "int32": np.int32,
    "int64": np.int64,
    "uint32": np.uint32,
    "uint64": np.uint64,
}
ARRAYS = {
    name: np.array(integers(dtype) if "int" in name else FLOATS, dtype).reshape(SHAPE)
    for name, dtype in DTYPES.items()
}


def make_npy():
    for name, array in ARRAYS.items():
        np.save(FOLDER / f"{name}.npy", array)
        np.save(FOLDER / f"{name}_fortran.npy", np.asfortranarray(array))
        if name != "bfloat16":
            np.save(FOLDER / f"{name}_big.npy", array.astype(array.dtype.newbyteorder(">")))
    big = ARRAYS["float32"].astype(">f4")
    np.save(FOLDER / "float32_big_fortran.npy", np.asfortranarray(big))
    for version in (2, 3):
        with open(FOLDER / f"float32_version{version}.npy", "wb") as file:
            np.lib.format.write_array(file, ARRAYS["float32"], version=(version, 0))
    np.save(FOLDER / "scalar.npy", np.float32(1.5))
    np.save(FOLDER / "vector.npy", np.array([1.5, -2.25, 96], np.float32))
    np.save(FOLDER / "empty.npy", np.zeros((0, 3), np.float32))
    np.save(FOLDER / "int16.npy", np.array([1, 2, 3], np.int16))
    np.save(FOLDER / "structured.npy", np.zeros(2, [("a", "<f4"), ("b", "<i4", (2,))]))


def make_tensor_proto():
    def save(name, tensor):
        (FOLDER / f"{name}.pb").write_bytes(tensor.SerializeToString())

    for name, array in ARRAYS.items():
        data_type = helper.np_dtype_to_tensor_dtype(array.dtype)
        save(f"{name}_raw", numpy_helper.from_array(array, "x"))
        save(f"{name}_typed", helper.make_tensor("x", data_type, SHAPE, array.ravel()))
    save("scalar", numpy_helper.from_array(np.array(1.5, np.float32), "x"))
    save("empty", numpy_helper.from_array(np.zeros((0, 3), np.float32), "x"))
    save("int8", numpy_helper.from_array(np.array([1, 2, 3], np.int8), "x"))
    save("string", helper.make_tensor("x", TensorProto.STRING, [2], ["a", "b"]))
    external = numpy_helper.from_array(ARRAYS["float32"], "x")
    onnx.external_data_helper.set_external_data(external, "weights.bin")
    external.ClearField("raw_data")
    save("external", external)
    node = helper.make_node("Abs", ["x"], ["y"])
    ends = [helper.make_tensor_value_info(n, TensorProto.FLOAT, SHAPE) for n in "xy"]
    graph = helper.make_graph([node], "graph", ends[:1], ends[1:])
    save("model", helper.make_model(graph))


def make_safetensors():
    others = {"bool": np.array([True, False]), "int8": np.arange(3, dtype=np.int8)}
    save_file(ARRAYS | others, FOLDER / "types.safetensors", metadata={"made by": "the reference"})
    save_file({"output": ARRAYS["float32"]}, FOLDER / "one.safetensors")


if __name__ == "__main__":
    make_npy()
    make_tensor_proto()
    make_safetensors()
