# SPDX-License-Identifier: Apache-2.0
# The types of the functions; their documentation is in the sources.
from collections.abc import Sequence
from typing import Any, Literal, Protocol, SupportsFloat, SupportsIndex, TypeVar, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import onnx as onnx

__all__ = [
    "Plan",
    "__version__",
    "lp_normalize",
    "plan",
    "reduce_l1",
    "reduce_l2",
    "reduce_sum_square",
    "vector_norm",
]

__version__: str

class _DLPackArray(Protocol):
    """An array of PyTorch, JAX or any other library that has DLPack. Results are of the same."""

    def __dlpack__(self) -> Any: ...
    def __dlpack_device__(self) -> Any: ...

_Array = TypeVar("_Array", bound=_DLPackArray)
_Axes = SupportsIndex | Sequence[SupportsIndex] | None
# A dtype of numpy, PyTorch or JAX, a scalar type or a name. They have no type in common.
_DType = Any

@overload
def reduce_l1(
    x: NDArray[Any],
    axes: _Axes = None,
    keepdims: bool = True,
    *,
    noop_with_empty_axes: bool = False,
    dtype: _DType = None,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> NDArray[Any]: ...
@overload
def reduce_l1(
    x: _Array,
    axes: _Axes = None,
    keepdims: bool = True,
    *,
    noop_with_empty_axes: bool = False,
    dtype: _DType = None,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> _Array: ...
@overload
def reduce_l1(
    x: ArrayLike,
    axes: _Axes = None,
    keepdims: bool = True,
    *,
    noop_with_empty_axes: bool = False,
    dtype: _DType = None,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> NDArray[Any]: ...
@overload
def reduce_l1(
    x: _DLPackArray | ArrayLike,
    axes: _Axes = None,
    keepdims: bool = True,
    *,
    noop_with_empty_axes: bool = False,
    dtype: _DType = None,
    out: _Array,
    threads: SupportsIndex | None = None,
) -> _Array: ...
@overload
def reduce_l2(
    x: NDArray[Any],
    axes: _Axes = None,
    keepdims: bool = True,
    *,
    noop_with_empty_axes: bool = False,
    dtype: _DType = None,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> NDArray[Any]: ...
@overload
def reduce_l2(
    x: _Array,
    axes: _Axes = None,
    keepdims: bool = True,
    *,
    noop_with_empty_axes: bool = False,
    dtype: _DType = None,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> _Array: ...
@overload
def reduce_l2(
    x: ArrayLike,
    axes: _Axes = None,
    keepdims: bool = True,
    *,
    noop_with_empty_axes: bool = False,
    dtype: _DType = None,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> NDArray[Any]: ...
@overload
def reduce_l2(
    x: _DLPackArray | ArrayLike,
    axes: _Axes = None,
    keepdims: bool = True,
    *,
    noop_with_empty_axes: bool = False,
    dtype: _DType = None,
    out: _Array,
    threads: SupportsIndex | None = None,
) -> _Array: ...
@overload
def reduce_sum_square(
    x: NDArray[Any],
    axes: _Axes = None,
    keepdims: bool = True,
    *,
    noop_with_empty_axes: bool = False,
    dtype: _DType = None,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> NDArray[Any]: ...
@overload
def reduce_sum_square(
    x: _Array,
    axes: _Axes = None,
    keepdims: bool = True,
    *,
    noop_with_empty_axes: bool = False,
    dtype: _DType = None,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> _Array: ...
@overload
def reduce_sum_square(
    x: ArrayLike,
    axes: _Axes = None,
    keepdims: bool = True,
    *,
    noop_with_empty_axes: bool = False,
    dtype: _DType = None,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> NDArray[Any]: ...
@overload
def reduce_sum_square(
    x: _DLPackArray | ArrayLike,
    axes: _Axes = None,
    keepdims: bool = True,
    *,
    noop_with_empty_axes: bool = False,
    dtype: _DType = None,
    out: _Array,
    threads: SupportsIndex | None = None,
) -> _Array: ...
@overload
def lp_normalize(
    x: NDArray[Any],
    axis: SupportsIndex = -1,
    p: Literal[1, 2] = 2,
    *,
    eps: SupportsFloat = 0,
    dtype: _DType = None,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> NDArray[Any]: ...
@overload
def lp_normalize(
    x: _Array,
    axis: SupportsIndex = -1,
    p: Literal[1, 2] = 2,
    *,
    eps: SupportsFloat = 0,
    dtype: _DType = None,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> _Array: ...
@overload
def lp_normalize(
    x: ArrayLike,
    axis: SupportsIndex = -1,
    p: Literal[1, 2] = 2,
    *,
    eps: SupportsFloat = 0,
    dtype: _DType = None,
    out: None = None,
    threads: SupportsIndex | None = None,
) -> NDArray[Any]: ...
@overload
def lp_normalize(
    x: _DLPackArray | ArrayLike,
    axis: SupportsIndex = -1,
    p: Literal[1, 2] = 2,
    *,
    eps: SupportsFloat = 0,
    dtype: _DType = None,
    out: _Array,
    threads: SupportsIndex | None = None,
) -> _Array: ...
@overload
def vector_norm(
    x: NDArray[Any],
    /,
    *,
    axis: _Axes = None,
    keepdims: bool = False,
    ord: Literal[1, 2] = 2,
    dtype: _DType = None,
) -> NDArray[Any]: ...
@overload
def vector_norm(
    x: _Array,
    /,
    *,
    axis: _Axes = None,
    keepdims: bool = False,
    ord: Literal[1, 2] = 2,
    dtype: _DType = None,
) -> _Array: ...
@overload
def vector_norm(
    x: ArrayLike,
    /,
    *,
    axis: _Axes = None,
    keepdims: bool = False,
    ord: Literal[1, 2] = 2,
    dtype: _DType = None,
) -> NDArray[Any]: ...

class Plan:
    @overload
    def __call__(
        self, x: NDArray[Any], *, out: None = None, threads: SupportsIndex | None = None
    ) -> NDArray[Any]: ...
    @overload
    def __call__(
        self, x: _Array, *, out: None = None, threads: SupportsIndex | None = None
    ) -> _Array: ...
    @overload
    def __call__(
        self, x: ArrayLike, *, out: None = None, threads: SupportsIndex | None = None
    ) -> NDArray[Any]: ...
    @overload
    def __call__(
        self, x: _DLPackArray | ArrayLike, *, out: _Array, threads: SupportsIndex | None = None
    ) -> _Array: ...
    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> np.dtype[Any]: ...
    @property
    def out_shape(self) -> tuple[int, ...]: ...
    @property
    def out_dtype(self) -> np.dtype[Any]: ...

def plan(
    op: str,
    shape: SupportsIndex | Sequence[SupportsIndex],
    dtype: _DType,
    *,
    axes: _Axes = None,
    keepdims: bool = True,
    noop_with_empty_axes: bool = False,
    axis: SupportsIndex = -1,
    p: Literal[1, 2] = 2,
    eps: SupportsFloat = 0,
    out_dtype: _DType = None,
) -> Plan: ...
