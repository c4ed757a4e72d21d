# SPDX-License-Identifier: Apache-2.0
from collections.abc import Iterable, Mapping
from os import PathLike
from typing import Any, NamedTuple, Protocol, SupportsIndex

import numpy as np
from numpy.typing import NDArray
from onnx.backend import base
from onnx.reference.op_run import OpRun

__all__ = ["Backend", "Model", "ValueInfo", "new_ops", "run"]

class _ModelProto(Protocol):
    def SerializeToString(self) -> bytes: ...

_Model = str | PathLike[str] | bytes | bytearray | memoryview | _ModelProto
_Inputs = Mapping[str, Any] | list[Any] | tuple[Any, ...]

class ValueInfo(NamedTuple):
    name: str
    dtype: np.dtype[Any] | None
    shape: tuple[int | str | None, ...] | None

class Model:
    def __init__(self, model: _Model) -> None: ...
    @property
    def inputs(self) -> tuple[ValueInfo, ...]: ...
    @property
    def outputs(self) -> tuple[ValueInfo, ...]: ...
    def run(
        self,
        inputs: _Inputs,
        outputs: Iterable[str] | None = None,
        *,
        threads: SupportsIndex | None = None,
    ) -> list[NDArray[Any]]: ...

def run(
    model: _Model,
    inputs: _Inputs,
    outputs: Iterable[str] | None = None,
    *,
    threads: SupportsIndex | None = None,
) -> list[NDArray[Any]]: ...

Backend: type[base.Backend]
new_ops: list[type[OpRun]]
