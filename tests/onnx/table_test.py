# SPDX-License-Identifier: Apache-2.0
"""The operator table, as `halfulp describe` shows it, against the schemas of the onnx package."""

import json
import unittest

from onnx import defs, helper

import command
import evaluate

OPSETS = range(1, evaluate.NEWEST_OPSET + 1)


def describe(operator, opset):
    done = command.execute("describe", operator, "--opset", opset, "--json")
    if done.returncode != 0:
        raise AssertionError(done.stderr.decode())
    return json.loads(done.stdout)


def last_opset(operator, opset):
    """The last opset that selects the same version."""
    since = evaluate.since_version(operator, opset)
    return max(o for o in OPSETS if evaluate.since_version(operator, o) == since)


def default_of(attribute):
    """None where the attribute has no default, as for axes: absent means all."""
    if not attribute.default_value.name:
        return None
    return helper.get_attribute_value(attribute.default_value)


class TableTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.versions = [
            (operator, opset, describe(operator, opset))
            for operator in evaluate.NORM_OPERATORS
            for opset in OPSETS
        ]

    def for_each_version(self, check):
        for operator, opset, shown in self.versions:
            with self.subTest(operator=operator, opset=opset):
                check(evaluate.schema_of(operator, opset), shown, opset)

    def test_versions(self):
        def check(schema, shown, opset):
            self.assertEqual(shown["version"], schema.since_version)
            self.assertEqual(shown["last_opset"], last_opset(schema.name, opset))

        self.for_each_version(check)

    def test_types(self):
        def check(schema, shown, opset):
            # All that the schema has, too: a type that halfulp does not know would be missing.
            spelled = {f"tensor({evaluate.SPELLINGS.get(t, t)})" for t in shown["types"]}
            self.assertEqual(spelled, set(schema.type_constraints[0].allowed_type_strs))
            self.assertEqual(shown["types"], evaluate.types_of(schema.name, opset))

        self.for_each_version(check)

    def test_attributes(self):
        def check(schema, shown, _):
            attributes = {a["name"]: (a["type"], a["default"]) for a in shown["attributes"]}
            expected = {
                name: (attribute.type.name, default_of(attribute))
                for name, attribute in schema.attributes.items()
            }
            self.assertEqual(attributes, expected)

        self.for_each_version(check)

    def test_inputs_and_outputs(self):
        optional = defs.OpSchema.FormalParameterOption.Optional

        def check(schema, shown, _):
            self.assertEqual(
                [(i["name"], i["optional"]) for i in shown["inputs"]],
                [(i.name, i.option == optional) for i in schema.inputs],
            )
            self.assertEqual(
                [o["name"] for o in shown["outputs"]], [o.name for o in schema.outputs]
            )

        self.for_each_version(check)

    def test_newest_opset(self):
        newest = evaluate.NEWEST_OPSET
        for operator in evaluate.NORM_OPERATORS:
            self.assertEqual(last_opset(operator, newest), newest)
            done = command.execute("describe", operator, "--opset", newest + 1)
            self.assertEqual(done.returncode, 1)
            self.assertIn(f"opset {newest + 1}", done.stderr.decode())
            self.assertIn(f"1 to {newest}", done.stderr.decode())


if __name__ == "__main__":
    unittest.main()
