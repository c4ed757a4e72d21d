# SPDX-License-Identifier: Apache-2.0
"""Loads the other libraries that are there."""


def numpy():
    from participants.numpy import Numpy

    return Numpy()


def onnxruntime():
    from participants.onnxruntime import OnnxRuntime

    return OnnxRuntime()


def openvino():
    from participants.openvino import OpenVino

    return OpenVino()


def jax():
    from participants.jax import Jax

    return Jax()


def pytorch():
    from participants.pytorch import PyTorch

    return PyTorch()


def load(names, bench):
    """The peers of these names (None: all), and why others are missing, by name."""

    def onednn():
        from participants.onednn import OneDnn

        return OneDnn(bench)

    loaders = {
        "numpy": numpy, "ONNX Runtime": onnxruntime, "OpenVINO": openvino, "oneDNN": onednn,
        "JAX": jax, "PyTorch": pytorch,
    }  # fmt: skip
    found, missing = [], {}
    for name, loader in loaders.items():
        if names is None or name.lower() in names:
            try:
                found.append(loader())
            except ImportError as error:
                missing[name] = str(error)
    return found, missing
