# SPDX-License-Identifier: Apache-2.0
"""Random models, valid by the onnx package's checker, against the exact value of every output."""

import unittest

import numpy as np
import onnx

import command
import evaluate
import random_models

MODELS = 80
NODES_PER_MODEL = 12


class RandomTest(command.ModelTestCase):
    def test_models(self):
        for seed in range(MODELS):
            with self.subTest(seed=seed):
                self.check(np.random.default_rng(seed))

    def check(self, rng):
        maker = random_models.Maker(rng, self.folder)
        maker.fill(NODES_PER_MODEL)
        model = maker.model()
        # By its path, for the external data.
        onnx.checker.check_model(self.save_model(model), full_check=True)
        # What is valid, but not to the checker: any order of nodes, the other name of ONNX's own
        # domain, and outputs of a function that are left out at the end.
        for node in [*model.graph.node, *(n for f in model.functions for n in f.node)]:
            node.domain = node.domain or maker.pick(["", "ai.onnx"])
            if node.output[-1] == "" and maker.chance(0.5):
                del node.output[-1]
        nodes = [model.graph.node[index] for index in rng.permutation(len(model.graph.node))]
        del model.graph.node[:]
        model.graph.node.extend(nodes)

        self.check_inference(model, maker)
        names = [output.name for output in model.graph.output]
        for wanted in (names, [*rng.permutation(names)[:2]]):
            suffix = maker.pick(command.FILE_FORMATS)
            for name, actual in zip(wanted, self.compute(model, maker.fed, wanted, suffix)):
                self.assert_same_bits(actual, maker.values[name], name)

    def check_inference(self, model, maker):
        """What is known before the run has to agree with what is there after it."""
        shown = [output for node in self.inspect(model)["nodes"] for output in node["outputs"]]
        shown = {output["name"]: output for output in shown}
        for name in maker.results:
            array = maker.values[name]
            self.assertEqual(shown[name]["type"], evaluate.name_of(array.dtype), name)
            extents = shown[name]["shape"]
            if extents is not None:
                self.assertEqual(len(extents), array.ndim, name)
                for extent, right in zip(extents, array.shape):
                    self.assertIn(extent, (right, maker.symbol(right), None), name)


if __name__ == "__main__":
    unittest.main()
