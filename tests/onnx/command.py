# SPDX-License-Identifier: Apache-2.0
"""Runs models through `halfulp run`, with their tensors in files."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import numpy as np
import onnx
from onnx import numpy_helper

import exact

COMMAND = os.environ["HALFULP_COMMAND"]
TIMEOUT_SECONDS = 120
FILE_FORMATS = [".npy", ".pb"]


def execute(*arguments):
    return subprocess.run(
        [COMMAND, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TIMEOUT_SECONDS,
    )


def save_tensor(array, path):
    if path.suffix == ".npy":
        np.save(path, array)
    else:
        path.write_bytes(numpy_helper.from_array(array).SerializeToString())


def load_tensor(path):
    if path.suffix == ".pb":
        return numpy_helper.to_array(onnx.TensorProto.FromString(path.read_bytes()))
    array = np.load(path, allow_pickle=False)
    # numpy has no bfloat16 of its own and stores two bytes without a meaning.
    return array.view(exact.DTYPES["bfloat16"]) if array.dtype == np.dtype("V2") else array


class ModelTestCase(unittest.TestCase):
    """A test with a folder of its own for models and tensors."""

    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="halfulp-onnx-")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def save_model(self, model):
        path = self.folder / "model.onnx"
        path.write_bytes(model.SerializeToString())
        return path

    def run_command(self, model, inputs, outputs=(), suffix=".npy"):
        """Saves everything and runs the model. The inputs are arrays by name, or paths of files."""
        for stale in self.folder.glob("output*"):
            stale.unlink()
        arguments = ["run", self.save_model(model)]
        for number, (name, tensor) in enumerate(inputs.items()):
            if not isinstance(tensor, Path):
                path = self.folder / f"input{number}{suffix}"
                save_tensor(tensor, path)
                tensor = path
            arguments += ["--input", f"{name}={tensor}"]
        for number, name in enumerate(outputs):
            arguments += ["--output", f"{name}={self.folder / f'output{number}{suffix}'}"]
        return execute(*arguments)

    def compute(self, model, inputs, outputs=None, suffix=".npy"):
        """The named outputs of a model, by default all of them, as arrays in their order."""
        if outputs is None:
            outputs = [output.name for output in model.graph.output]
        done = self.run_command(model, inputs, outputs, suffix)
        if done.returncode != 0 or done.stdout or done.stderr:
            self.fail(f"exit status {done.returncode}: {(done.stdout + done.stderr).decode()}")
        return [load_tensor(self.folder / f"output{n}{suffix}") for n in range(len(outputs))]

    def inspect(self, model):
        """What `halfulp inspect --json` shows of a model."""
        done = execute("inspect", self.save_model(model), "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def refusal(self, model, inputs, suffix=".npy"):
        """The one line that a refused model gives."""
        outputs = [output.name for output in model.graph.output]
        done = self.run_command(model, inputs, outputs, suffix)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertEqual(done.stdout, b"")
        self.assertRegex(done.stderr.decode(), r"\Ahalfulp: error: [^\n]+\n\Z")
        self.assertEqual(list(self.folder.glob("output*")), [], "something was written")
        return done.stderr.decode()

    def assert_same_bits(self, actual, expected, what=None):
        self.assertEqual(actual.dtype, expected.dtype, what)
        self.assertEqual(actual.shape, expected.shape, what)
        if actual.tobytes() != expected.tobytes():
            self.fail(f"{what}: {actual.tolist()}, expected {expected.tolist()}")
