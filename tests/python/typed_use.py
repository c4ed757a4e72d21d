# SPDX-License-Identifier: Apache-2.0
"""What a type checker has to see of the package. Checked by types_test.py, never run."""

from pathlib import Path
from typing import Any, assert_type

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx.backend import base

import halfulp
import halfulp.onnx


class Tensor:
    """An array of some library with DLPack."""

    def __dlpack__(self, *, stream: Any = None) -> object:
        raise NotImplementedError

    def __dlpack_device__(self) -> tuple[int, int]:
        raise NotImplementedError


def functions(x: NDArray[np.float32], tensor: Tensor) -> None:
    assert_type(halfulp.reduce_l1(x), NDArray[Any])
    assert_type(halfulp.reduce_l2(tensor, 1, False), Tensor)
    assert_type(halfulp.reduce_sum_square([1, 2], axes=(0,), dtype="float32"), NDArray[Any])
    assert_type(halfulp.reduce_l1(3.0, noop_with_empty_axes=True), NDArray[Any])
    assert_type(halfulp.lp_normalize(x, out=x), NDArray[np.float32])
    assert_type(halfulp.lp_normalize(x, axis=0, p=1, eps=1e-12, threads=2, out=tensor), Tensor)
    assert_type(halfulp.vector_norm(tensor, axis=(0, 1), ord=1), Tensor)
    halfulp.lp_normalize(x, p=3)  # type: ignore[call-overload]
    halfulp.vector_norm(x=x)  # type: ignore[call-overload]


def plans(x: NDArray[np.float32], tensor: Tensor) -> None:
    plan = halfulp.plan("lp_normalize", (3, 2), np.float32, axis=0, out_dtype=np.float64)
    assert_type(plan, halfulp.Plan)
    assert_type(plan(x), NDArray[Any])
    assert_type(plan(tensor), Tensor)
    assert_type(plan(x, out=tensor), Tensor)
    assert_type(plan.out_shape, tuple[int, ...])
    halfulp.plan("lp_normalize", "3", np.float32)  # type: ignore[arg-type]


def models(path: Path, proto: onnx.ModelProto, x: NDArray[np.float32]) -> None:
    assert_type(halfulp.onnx.run(path, {"x": x}), list[NDArray[Any]])
    assert_type(halfulp.onnx.Model(proto).run([x], ["y"], threads=1), list[NDArray[Any]])
    assert_type(halfulp.onnx.Model(b"").inputs[0].shape, tuple[int | str | None, ...] | None)
    assert_type(halfulp.onnx.Backend, type[base.Backend])
    halfulp.onnx.run(3, [x])  # type: ignore[arg-type]
