# SPDX-License-Identifier: Apache-2.0
"""The examples in the docstrings run, and whatever is public has a docstring."""

import doctest
import inspect
import unittest

import halfulp
import halfulp._functions
import halfulp._plan
import halfulp.onnx

MODULES = [halfulp, halfulp._functions, halfulp._plan, halfulp.onnx]


def public_names(owner):
    names = getattr(owner, "__all__", None) or vars(owner)
    return [name for name in names if not name.startswith("_")]


class DocstringsTest(unittest.TestCase):
    def test_examples(self):
        for module in MODULES:
            with self.subTest(module.__name__):
                failed, attempted = doctest.testmod(module)
                self.assertGreater(attempted, 0)
                self.assertEqual(failed, 0)

    def test_every_function_has_an_example(self):
        finder = doctest.DocTestFinder()
        for function in (
            halfulp.reduce_l1,
            halfulp.reduce_l2,
            halfulp.reduce_sum_square,
            halfulp.lp_normalize,
            halfulp.vector_norm,
            halfulp.plan,
        ):
            with self.subTest(function.__name__):
                (found,) = finder.find(function)
                self.assertGreater(len(found.examples), 0)

    def test_every_parameter_is_explained(self):
        for name in public_names(halfulp):
            function = getattr(halfulp, name)
            if inspect.isfunction(function):
                for parameter in inspect.signature(function).parameters:
                    with self.subTest(name, parameter=parameter):
                        self.assertRegex(function.__doc__, rf"(?m)^ +(\w+, )*{parameter}(, \w+)*:")

    def test_no_placeholder_is_left(self):
        for name in public_names(halfulp):
            self.assertNotIn("{", inspect.getdoc(getattr(halfulp, name)), name)

    def test_public_names(self):
        for module in (halfulp, halfulp.onnx):
            for name in public_names(module):
                value = getattr(module, name)
                with self.subTest(module.__name__, name=name):
                    if not isinstance(value, list):
                        self.assertTrue(value.__doc__)
                    if inspect.isclass(value) and value.__module__.startswith("halfulp"):
                        self.check_members(value)
        for operator in halfulp.onnx.new_ops:
            self.assertTrue(operator.__doc__)

    def check_members(self, cls):
        for name in public_names(cls):
            self.assertTrue(inspect.getdoc(getattr(cls, name)), name)

    def test_all_is_what_there_is(self):
        for module in (halfulp, halfulp.onnx):
            self.assertEqual(sorted(module.__all__), module.__all__)
            for name in module.__all__:
                getattr(module, name)


if __name__ == "__main__":
    unittest.main()
