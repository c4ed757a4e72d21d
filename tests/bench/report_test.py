# SPDX-License-Identifier: Apache-2.0
"""The table of cases, and the report of a small made-up results file."""

import sys
import unittest
import xml.etree.ElementTree
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "bench"))

import cases
import micro
import report
import results as values
import tables
import text_table


def measurement(participant, threads, best, right=1.0, wrong=False):
    check = {"outputs": 4, "correctly_rounded": right, "max_ulp": 0.5, "wrong": wrong}
    return {"participant": participant, "threads": threads, "best": best, "check": check}


def case(name, measurements, **fields):
    return {
        "name": name, "group": "Rows", "limit": "read", "floor": 0.8, "aim": 0.9, "ceiling": None,
        "small": False, "data": "ordinary", "tiers": None, "measurements": measurements,
    } | fields  # fmt: skip


def results():
    return {
        "machine": {
            "date": "2000-01-01", "cpu": "Example", "processors": 2, "memory": 1 << 34,
            "caches": [{"level": 1, "bytes": 1 << 15, "instances": 1}], "kernel": "6",
            "compiler": "g++", "python": "3", "target": "AVX2",
        },
        "versions": {"halfulp": "1", "other": "2"},
        "missing": {"JAX": "not installed"},
        "settings": {"bytes": 1 << 27, "bytes_reason": "as asked for", "rounds": 7},
        "micro": [{"name": "32 elements/float32 ReduceL1", "seconds": 5e-8}],
        "cases": [
            case("float32 ReduceL1 rows of 768", [
                measurement(values.READ, 1, 0.009), measurement(values.OURS, 1, 0.010),
                measurement("other", 1, 0.005, right=0.25, wrong=True),
                measurement("third", 1, 0.02, right=0.5),
            ]),
            case("float32 LpNormalization p=2 columns", [
                measurement(values.READ, 1, 0.004), measurement(values.COPY, 1, 0.008),
                measurement(values.OURS, 1, 0.015),
            ], limit="read+copy"),
            case("float32 ReduceL1 rows of 768 of integers", [
                measurement(values.OURS, 1, 0.03), measurement(values.ORDINARY, 1, 0.01),
            ], data="integers", floor=None, aim=None, ceiling=2.0,
                 tiers={"fast": 1, "extracted": 2, "exact": 1}),
            case("float32 ReduceL1 32 elements", [
                measurement(values.OURS, 1, 1e-7), measurement("third", 1, 2e-6),
            ], floor=None, aim=None, small=True),
        ],
    }  # fmt: skip


def row_of(table, start):
    return next(line for line in table.splitlines() if line.startswith(f"| {start}"))


class CasesTest(unittest.TestCase):
    def test_names_are_unique(self):
        names = [case.name for case in cases.all_cases()]
        self.assertEqual(sorted(set(names)), sorted(names))

    def test_each_peer_case_exists(self):
        self.assertLessEqual(cases.PEER_CASES, {case.name for case in cases.all_cases()})

    def test_bounds_fit_together(self):
        for case in cases.all_cases():
            with self.subTest(case.name):
                self.assertEqual(case.floor is None, case.aim is None)
                if case.floor is not None:
                    self.assertLess(0, case.floor)
                    self.assertLess(case.floor, case.aim)
                    self.assertLess(case.aim, 1)
                self.assertTrue(case.ceiling is None or case.data != "ordinary")

    def test_what_is_written_is_compared_with_a_copy(self):
        for case in cases.all_cases():
            writes = case.operator == "LpNormalization"
            self.assertEqual(case.limit != "read", writes, case.name)

    def test_sizes(self):
        for case in cases.all_cases():
            if cases.FILL not in case.shape:
                continue
            with self.subTest(case.name):
                size = cases.ITEMSIZE[case.dtype]
                for extent in case.sized(1 << 27):
                    size *= extent
                self.assertLessEqual(size, 1 << 27)
                self.assertGreater(size, (1 << 27) * 0.9)

    def test_one_slice_of_each_is_no_larger_than_said(self):
        for case in cases.all_cases():
            size = cases.ITEMSIZE[case.dtype]
            for extent in case.sized(0):
                size *= extent
            self.assertLessEqual(size, cases.LARGEST_FIXED, case.name)

    def test_every_type_has_each_layout(self):
        for layout in ("rows of 768", "all elements", "columns, 768 wide", "short rows of 2"):
            types = {case.dtype for case in cases.all_cases() if case.layout == layout}
            self.assertEqual(types, set(cases.ITEMSIZE), layout)


class ResultsTest(unittest.TestCase):
    def setUp(self):
        self.rows, self.columns, self.hard, self.small = results()["cases"]

    def test_share_of_a_read(self):
        self.assertAlmostEqual(values.ratio(self.rows, 1), 0.9)
        self.assertIsNone(values.ratio(self.rows, 2))

    def test_share_of_a_read_and_a_copy(self):
        self.assertAlmostEqual(values.ratio(self.columns, 1), 0.8)

    def test_small_cases_have_none(self):
        self.assertIsNone(values.ratio(self.small, 1))

    def test_verdicts(self):
        for best, verdict in ((0.0099, "aim"), (0.0105, "floor"), (0.02, "missed")):
            self.rows["measurements"][1]["best"] = best
            self.assertEqual(values.verdict(self.rows, 1), verdict)
        self.assertEqual(values.verdict(self.hard, 1), "missed")
        self.hard["ceiling"] = 3.5
        self.assertEqual(values.verdict(self.hard, 1), "aim")
        self.assertEqual(values.verdict(self.small, 1), "")

    def test_answers_of_ours_that_are_not_right(self):
        everything = results()
        self.assertEqual(values.not_correctly_rounded(everything), [])
        everything["cases"][1]["measurements"][2]["check"]["correctly_rounded"] = 0.999
        self.assertEqual(
            values.not_correctly_rounded(everything), ["float32 LpNormalization p=2 columns"]
        )


class ReportTest(unittest.TestCase):
    def setUp(self):
        self.results = results()
        self.template = report.TEMPLATE.read_text(encoding="utf-8")

    def test_floors_that_are_missed(self):
        self.assertEqual(
            tables.missed(self.results),
            "- float32 ReduceL1 rows of 768 of integers, 1 thread: 3.00 times ordinary data"
            " (at most 2)",
        )

    def test_wrong_answers_are_struck_out_and_cannot_win(self):
        self.assertEqual(
            row_of(tables.peers(self.results, small=False), "float32 ReduceL1 rows"),
            "| float32 ReduceL1 rows of 768, 1 thread | **10 ms** | ~~5 ms~~ | 20 ms |",
        )
        self.assertEqual(
            row_of(tables.accuracy(self.results), "float32"),
            "| float32 ReduceL1 rows of 768 | 100 %, 0.5 | ~~25 %, 0.5~~ | 50 %, 0.5 |",
        )

    def test_almost_all_is_not_all(self):
        check = {"correctly_rounded": 0.99999, "max_ulp": 0.6, "wrong": False}
        self.assertEqual(tables.ulp_text(check), "99.9 %, 0.6")

    def test_hard_data(self):
        self.assertEqual(
            row_of(tables.hard(self.results), "float32"),
            "| float32 ReduceL1 rows of 768 of integers | 3.00 | 2 | **missed** | 25 % | 50 % | 25 % |",
        )

    def test_every_part_of_the_template_is_filled(self):
        document, drawings = report.render(self.template, self.results)
        self.assertNotIn("{{", document)
        self.assertNotIn("template:", document)
        self.assertEqual(set(drawings), {"share-rows.svg", "peers-1.svg"})
        for name in drawings:
            self.assertIn(f"(benchmarks/{name})", document)

    def test_a_template_that_lacks_a_part_is_refused(self):
        with self.assertRaises(ValueError):
            report.render(self.template.replace("{{missed}}", ""), self.results)

    def test_charts_are_svg_and_show_the_numbers(self):
        _, drawings = report.render(self.template, self.results)
        for drawing in drawings.values():
            xml.etree.ElementTree.fromstring(drawing)
        self.assertIn(">0.90<", drawings["share-rows.svg"])
        self.assertIn(">0.5, wrong<", drawings["peers-1.svg"])

    def test_table_for_a_terminal(self):
        line = text_table.render(self.results).splitlines()[1]
        self.assertEqual(
            line.split(), "float32 ReduceL1 rows of 768 1 10 0.90 0.80 0.90 floor".split()
        )


class MicroTest(unittest.TestCase):
    def test_the_best_repetition_counts_and_statistics_do_not(self):
        entries = [
            {"run_name": "a", "run_type": "iteration", "real_time": 20.0, "time_unit": "ns"},
            {"run_name": "a", "run_type": "iteration", "real_time": 10.0, "time_unit": "ns"},
            {"run_name": "a", "run_type": "aggregate", "real_time": 1.0, "time_unit": "ns"},
        ]
        (found,) = micro.best_of_repetitions(entries)
        self.assertEqual(found["name"], "a")
        self.assertAlmostEqual(found["seconds"], 10e-9)


class DocumentTest(unittest.TestCase):
    def test_it_is_what_its_results_give(self):
        folder = ROOT / "docs"
        stored = folder / report.NAME / "results.json"
        if not stored.exists():
            self.assertFalse((folder / f"{report.NAME}.md").exists(), f"{stored} is missing")
            return
        files = report.files_of(
            stored.read_text(encoding="utf-8"), report.TEMPLATE.read_text(encoding="utf-8")
        )
        self.assertEqual(report.differences(files, folder), [], "run make bench-docs")


if __name__ == "__main__":
    unittest.main()
