# SPDX-License-Identifier: Apache-2.0
"""The include graph's checker on small made-up trees: it has to fail where it should."""

import tempfile
import unittest
from pathlib import Path

import include_graph

TABLE = """
| room | holds | may include |
| --- | --- | --- |
| `include/lib/` | public headers | nothing |
| `src/low/` | basics | `include/lib/` |
| `src/middle/` | more | `src/low/` |
| `src/high/` | most | `src/middle/` |
| `tests/` | tests | anything |
"""

TREE = {
    "include/lib/lib.h": "#include <stddef.h>\n",
    "src/low/low.hpp": '#include "lib/lib.h"\n',
    "src/middle/middle.hpp": '#include "low/low.hpp"\n',
    "src/high/high.cpp": '#include "high/high.hpp"\n#include "low/low.hpp"\n',
    "src/high/high.hpp": '#include <lib/lib.h>\n#include "middle/middle.hpp"\n',
    "tests/high_test.cpp": '#include "high/high.hpp"\n',
}


class IncludeGraphTest(unittest.TestCase):
    def problems(self, changes):
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder)
            for name, text in (TREE | changes).items():
                if text is not None:
                    (root / name).parent.mkdir(parents=True, exist_ok=True)
                    (root / name).write_text(text, encoding="utf-8")
            return include_graph.check(root, include_graph.parse_rooms(TABLE))[0]

    def assert_one_problem(self, changes, expected):
        self.assertEqual(self.problems(changes), [expected])

    def test_a_tree_that_follows_the_table_passes(self):
        self.assertEqual(self.problems({}), [])

    def test_forbidden_arrow(self):
        self.assert_one_problem(
            {"src/low/up.cpp": '\n#include "high/high.hpp"\n'},
            "src/low/up.cpp:2: src/low may not include src/high/high.hpp",
        )

    def test_forbidden_arrow_in_angle_brackets(self):
        self.assert_one_problem(
            {"src/low/up.cpp": "#  include <middle/middle.hpp>\n"},
            "src/low/up.cpp:1: src/low may not include src/middle/middle.hpp",
        )

    def test_forbidden_arrow_by_a_relative_path(self):
        self.assert_one_problem(
            {"src/low/up.cpp": '#include "../middle/middle.hpp"\n'},
            "src/low/up.cpp:1: src/low may not include src/middle/middle.hpp",
        )

    def test_public_header_includes_private_one(self):
        self.assert_one_problem(
            {"include/lib/lib.h": '#include "low/small.hpp"\n', "src/low/small.hpp": ""},
            "include/lib/lib.h:1: include/lib may not include src/low/small.hpp",
        )

    def test_include_that_resolves_to_nothing(self):
        self.assert_one_problem(
            {"tests/high_test.cpp": '#include "high/gone.hpp"\n'},
            'tests/high_test.cpp:1: no file "high/gone.hpp"',
        )

    def test_cycle(self):
        self.assert_one_problem(
            {"src/low/a.hpp": '#include "b.hpp"\n', "src/low/b.hpp": '#include "low/a.hpp"\n'},
            "cycle: src/low/a.hpp -> src/low/b.hpp -> src/low/a.hpp",
        )

    def test_file_in_no_room(self):
        self.assert_one_problem({"src/loose.cpp": ""}, "src/loose.cpp: in no room of the table")

    def test_room_without_files(self):
        self.assert_one_problem(
            {"tests/high_test.cpp": None}, "tests: in the table, but holds no source file"
        )

    def test_commented_out_includes_are_none(self):
        self.assertEqual(
            self.problems(
                {"src/low/low.hpp": '// #include "gone.hpp"\n/*\n#include "gone.hpp"\n*/\n'}
            ),
            [],
        )

    def test_table_that_names_an_unknown_room(self):
        with self.assertRaisesRegex(include_graph.TableError, "src/gone, which has no row"):
            include_graph.parse_rooms(TABLE.replace("| nothing |", "| `src/gone/` |"))

    def test_document_without_a_table(self):
        with self.assertRaises(include_graph.TableError):
            include_graph.parse_rooms("# Architecture\n")

    def test_dot(self):
        graph = include_graph.dot(["a", "b"], {("a", "b"): 3})
        self.assertIn('  "a" -> "b" [label=3];', graph.splitlines())


if __name__ == "__main__":
    unittest.main()
