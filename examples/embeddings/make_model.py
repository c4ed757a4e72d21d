#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes unit_vectors.onnx, the model of the demo.

    embeddings (N, 384) -> LpNormalization -> unit_vectors (N, 384)
    embeddings (N, 384) -> ReduceL1 over the last axis -> l1_norms (N)

Needs the PyPI package onnx.
"""

import pathlib

from onnx import TensorProto, checker, helper, save

HERE = pathlib.Path(__file__).resolve().parent


def tensor(name, shape):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)


def main():
    nodes = [
        helper.make_node("LpNormalization", ["embeddings"], ["unit_vectors"], "normalize", axis=-1),
        helper.make_node("ReduceL1", ["embeddings", "axes"], ["l1_norms"], "sum", keepdims=0),
    ]
    graph = helper.make_graph(
        nodes,
        "unit_vectors",
        inputs=[tensor("embeddings", ["N", 384])],
        outputs=[tensor("unit_vectors", ["N", 384]), tensor("l1_norms", ["N"])],
        initializer=[helper.make_tensor("axes", TensorProto.INT64, [1], [-1])],
    )
    model = helper.make_model(
        graph,
        producer_name="halfulp-examples",
        opset_imports=[helper.make_opsetid("", 22)],
        ir_version=10,
    )
    checker.check_model(model, full_check=True)
    save(model, HERE / "unit_vectors.onnx")


if __name__ == "__main__":
    main()
