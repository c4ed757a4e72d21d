# SPDX-License-Identifier: Apache-2.0
"""Plans: computations with everything settled but the data."""

from . import _core


class Plan:
    """What `plan` returns: a function of arrays of one shape and type.

    Immutable, and may be called by many threads at once.
    """

    __slots__ = ("_plan",)

    def __init__(self):
        raise TypeError("a Plan is made by halfulp.plan()")

    def __call__(self, x, *, out=None, threads=None):
        """Computes the plan for an array, as the function of its operator does.

        x: an array of the plan's shape and type. With other strides than those of C order, a part
            of the plan is made anew for each call.
        out, threads: as reduce_l1 has them.
        """
        return self._plan.run(x, out, threads)

    @property
    def shape(self):
        """The shape of what it takes."""
        return self._plan.shape

    @property
    def dtype(self):
        """The numpy dtype of what it takes."""
        return self._plan.dtype

    @property
    def out_shape(self):
        """The shape of what it gives."""
        return self._plan.out_shape

    @property
    def out_dtype(self):
        """The numpy dtype of what it gives."""
        return self._plan.out_dtype

    def __reduce__(self):
        return _make, self._plan.arguments

    def __repr__(self):
        operator = self._plan.arguments[0]
        return (
            f"<halfulp.Plan {operator}: {self.dtype} {self.shape} -> "
            f"{self.out_dtype} {self.out_shape}>"
        )


def _make(*arguments):
    made = object.__new__(Plan)
    made._plan = _core.make_plan(*arguments)
    return made


def plan(
    op, shape, dtype, *, axes=None, keepdims=True, noop_with_empty_axes=False, axis=-1, p=2, eps=0,
    out_dtype=None,
):  # fmt: skip
    """Settles everything of a computation but the data, for many calls.

    op: "reduce_l1", "reduce_l2", "reduce_sum_square" or "lp_normalize", or the operator's name in
        ONNX.
    shape, dtype: of the arrays that will come.
    axes, keepdims, noop_with_empty_axes: of a reduction, as reduce_l1 has them.
    axis, p, eps: of lp_normalize.
    out_dtype: the result's type, what the functions call dtype.

    Raises TypeError for types, ValueError for other arguments that do not fit.

    >>> import numpy as np
    >>> normalize = plan("lp_normalize", (2, 2), np.float32)
    >>> normalize
    <halfulp.Plan LpNormalization: float32 (2, 2) -> float32 (2, 2)>
    >>> normalize(np.array([[3, 4], [5, 12]], np.float32))
    array([[0.6      , 0.8      ],
           [0.3846154, 0.9230769]], dtype=float32)
    """
    return _make(op, shape, dtype, axes, keepdims, noop_with_empty_axes, axis, p, eps, out_dtype)
