# SPDX-License-Identifier: Apache-2.0
'''ONNX models made of the norm operators, Identity, Constant, Cast and functions of these.

`Model` and `run` need no other package. `Backend`, for what takes an onnx.backend.base.Backend, and
`new_ops`, for onnx.reference.ReferenceEvaluator, need the package onnx.

>>> import numpy as np
>>> from onnx import parser
>>> model = parser.parse_model("""
...     <ir_version: 10, opset_import: ["": 22]>
...     unit (float[N, 2] x) => (float[N, 2] y) { y = LpNormalization(x) }
... """)
>>> run(model, [np.array([[3, 4]], np.float32)])
[array([[0.6, 0.8]], dtype=float32)]
'''

import os
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from .. import _core

__all__ = ["Backend", "Model", "ValueInfo", "new_ops", "run"]


class ValueInfo(NamedTuple):
    """What a model says of an input or output. What it does not say is None.

    In a shape, a str stands for one extent wherever the model has it.
    """

    name: str
    dtype: object
    shape: tuple | None


class Model:
    """A model that was read and checked: run it as often as you like, from many threads at once.

    model: a path, the content of a file as bytes, or an onnx.ModelProto. External data of
        initializers, where there are any, lie in the folder of the path.

    Raises ValueError for what is no valid model or not supported, TypeError for types, and OSError.
    """

    __slots__ = ("_model",)

    def __init__(self, model):
        if isinstance(model, (str, os.PathLike)):
            self._model = _read_file(os.fsencode(model))
        elif hasattr(model, "SerializeToString"):
            self._model = _read_bytes(model.SerializeToString())
        elif isinstance(model, (bytes, bytearray, memoryview)):
            self._model = _read_bytes(model)
        else:
            kind = type(model).__name__
            raise TypeError(f"model is of type {kind} (allowed: a path, bytes, an onnx.ModelProto)")

    @property
    def inputs(self):
        """A ValueInfo for each input, in the order of the graph."""
        return tuple(ValueInfo(*value) for value in self._model.inputs)

    @property
    def outputs(self):
        """A ValueInfo for each output, in the order of the graph."""
        return tuple(ValueInfo(*value) for value in self._model.outputs)

    def run(self, inputs, outputs=None, *, threads=None):
        """Computes the named outputs, by default all of them, as a list of numpy arrays.

        inputs: a dict of arrays by name, or a list of them in the order of the graph. An input that
            has an initializer may be left out.
        outputs: a list of names, or one name.
        threads: as reduce_l1 has them.
        """
        names = [] if outputs is None else _names(outputs, "outputs")
        return self._model.run(self._named(inputs), names, threads)

    def _named(self, inputs):
        if isinstance(inputs, Mapping):
            return dict(zip(_names(inputs, "inputs"), inputs.values()))
        # Not any sequence: the rows of an array are one, too.
        if not isinstance(inputs, (list, tuple)):
            raise TypeError(f"inputs is of type {type(inputs).__name__} (allowed: a dict, a list)")
        names = [name for name, _, _ in self._model.inputs]
        if len(inputs) > len(names):
            raise ValueError(f"there are {len(inputs)} inputs (allowed: at most {len(names)})")
        return dict(zip(names, inputs))


def _read_bytes(content):
    return _core.read_model_bytes(bytes(memoryview(content)))


def _read_file(path):
    if b"\0" in path:
        raise ValueError(f"model is {path!a} (allowed: a path, which has no null character)")
    try:
        return _core.read_model_file(path)
    except OSError as error:
        if os.path.exists(path):
            raise
        raise FileNotFoundError(str(error)) from None


def _names(given, what):
    """A list of the names, which must be such."""
    if isinstance(given, str):
        given = [given]
    if not isinstance(given, Iterable):
        raise TypeError(f"{what} is of type {type(given).__name__} (allowed: a list of str)")
    names = list(given)
    for name in names:
        if not isinstance(name, str):
            kind = type(name).__name__
            raise TypeError(f"a name of the {what} is of type {kind} (allowed: a str)")
        try:
            name.encode(errors="surrogateescape")
        except UnicodeEncodeError:
            raise ValueError(f"a name of the {what} is no Unicode text: {name!a}") from None
    return names


def run(model, inputs, outputs=None, *, threads=None):
    """Reads a model and runs it once: Model(model).run(inputs, outputs, threads=threads)."""
    return Model(model).run(inputs, outputs, threads=threads)


def __getattr__(name):
    # The package onnx is imported for these alone.
    if name == "Backend":
        from ._backend import Backend

        return Backend
    if name == "new_ops":
        from ._reference import new_ops

        return new_ops
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
