#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The manual page and the completions, against what the command says itself.

Completions of bash are tried in bash. Those of another shell are skipped where there is none.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

OPERATORS = {"ReduceL1", "ReduceL2", "ReduceSumSquare", "LpNormalization"}
TYPES = {
    "bfloat16", "float16", "float32", "float64", "int32", "int64", "uint32", "uint64",
}  # fmt: skip
FILES = ["a.npy", "a b.npy", "c.pb", "d.safetensors", "e.txt", "folder/f.npy", "m.onnx"]

# Stands in for what bash does at the press of the tab key.
COMPLETE = """
compopt() { :; }
source "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_halfulp
((${#COMPREPLY[@]} == 0)) || printf '%s\\n' "${COMPREPLY[@]}"
"""

arguments = None


def run(command, **rest):
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **rest
    )
    if done.returncode != 0:
        raise AssertionError(f"{command}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def help_of(*words):
    return run([arguments.command, *words, "--help"])


def words():
    """The command's words, out of its help."""
    section = re.search(r"^Commands:\n((?:  .*\n)+)", help_of(), re.M)[1]
    return re.findall(r"^  (\S+)", section, re.M)


def options(text):
    """The options that a help lists."""
    lines = re.findall(r"^  (-\S+)", text, re.M)
    return {name for line in lines for name in line.split(",")}


def flattened(text):
    """The text without what differs between help and page: lines, columns and marks of "more"."""
    return re.sub(r"(?<=[a-z]),(?=--)", ", ", " ".join(text.replace(" ...", "").split()))


class ManualTest(unittest.TestCase):
    def setUp(self):
        self.page = arguments.help / "halfulp.1"

    def render(self):
        return run(["groff", "-man", "-Tascii", "-P-cbou", "-rLL=200n", self.page])

    def test_every_line_is_text_or_a_request_that_is_meant(self):
        known = re.compile(r'\.(\\"|(TH|SH|SS|TP|PP|RS|RE|nf|fi|br|nh|ad)\b)')
        for line in self.page.read_text(encoding="utf-8").splitlines():
            self.assertFalse(line.startswith("'"), line)
            if line.startswith("."):
                self.assertRegex(line, known)
            self.assertTrue(line.isascii(), line)

    def test_groff_has_nothing_to_warn_of(self):
        self.assertEqual(run(["groff", "-man", "-ww", "-z", self.page]), "")

    def test_shows_the_words_options_and_footers_of_the_help(self):
        page = flattened(self.render())
        self.assertIn("halfulp - computes ONNX's norm operators", page)
        for section in ["SYNOPSIS", "OPTIONS", "COMMANDS", "FILES", "EXIT STATUS", "EXAMPLES"]:
            self.assertIn(section, page)
        for word in words():
            for line in help_of(word).splitlines():
                if not line.startswith(("Usage:", "Positionals:", "Options:")):
                    self.assertIn(flattened(line), page)


class BashTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="halfulp-completion-")
        cls.addClassCleanup(cls.folder.cleanup)
        for name in FILES:
            path = Path(cls.folder.name) / name
            path.parent.mkdir(exist_ok=True)
            path.touch()

    def complete(self, *line):
        """What is offered for the last of the words, which are as bash cuts them."""
        script = ["bash", "--norc", "-c", COMPLETE, "bash", arguments.help / "halfulp"]
        printed = run([*script, "halfulp", *line], cwd=self.folder.name)
        return set(printed.splitlines())

    def test_words(self):
        offered = self.complete("")
        self.assertLessEqual(set(words()), offered)
        self.assertEqual(offered - set(words()), {"-h", "--help", "--version"})
        self.assertEqual(self.complete("des"), {"describe"})

    def test_options_are_those_of_the_help(self):
        for word in words():
            self.assertEqual(self.complete(word, "-"), options(help_of(word)))

    def test_operators(self):
        self.assertEqual(self.complete("op", ""), OPERATORS)
        self.assertEqual(self.complete("describe", "Lp"), {"LpNormalization"})

    def test_files(self):
        files = {"a.npy", "a b.npy", "c.pb", "d.safetensors", "folder"}
        self.assertEqual(self.complete("op", "ReduceL1", ""), files)
        self.assertEqual(self.complete("inspect", ""), files | {"m.onnx"})
        self.assertEqual(self.complete("op", "ReduceL1", "a"), {"a.npy", "a b.npy"})
        self.assertEqual(self.complete("op", "ReduceL1", "folder/"), {"folder/f.npy"})
        self.assertEqual(self.complete("op", "ReduceL1", "a.npy", "-o", "c"), {"c.pb"})

    def test_values_of_options(self):
        self.assertEqual(self.complete("op", "--type", ""), TYPES)
        self.assertEqual(self.complete("op", "--output-type", "=", "bf"), {"bfloat16"})
        self.assertEqual(self.complete("op", "--keepdims", "="), {"0", "1"})
        self.assertEqual(self.complete("op", "--p", ""), {"1", "2"})
        self.assertEqual(self.complete("op", "--output", "=", "c"), {"c.pb"})
        self.assertEqual(self.complete("op", "--axes", ""), set())

    def test_files_of_names(self):
        self.assertEqual(self.complete("run", "--input", "x"), set())
        self.assertEqual(self.complete("run", "--input", "x", "=", "c"), {"c.pb"})
        self.assertEqual(self.complete("run", "--input", "=", "x", "=", "c"), {"c.pb"})
        models = {"m.onnx", "folder"}
        self.assertEqual(self.complete("run", "--input", "x", "=", "c.pb", ""), models)

    def test_values_are_no_arguments(self):
        self.assertEqual(self.complete("op", "--axes", "-1", "--json", ""), OPERATORS)
        self.assertEqual(self.complete("op", "--axes", "=", "-1", ""), OPERATORS)
        self.assertEqual(self.complete("op", "ReduceL1", "x.safetensors", ":", "w", ""), set())
        self.assertEqual(self.complete("op", "ReduceL1", "--axes", "0", "c"), {"c.pb"})

    def test_nothing_where_nothing_fits(self):
        self.assertEqual(self.complete("no-such-word", ""), set())
        self.assertEqual(self.complete("op", "ReduceL1", "a.npy", ""), set())
        self.assertEqual(self.complete("op", "ReduceL1", "e"), set())


class OtherShellsTest(unittest.TestCase):
    @unittest.skipUnless(shutil.which("zsh"), "no zsh")
    def test_zsh_reads_its_completions(self):
        run(["zsh", "-f", "-n", arguments.help / "_halfulp"])

    @unittest.skipUnless(shutil.which("fish"), "no fish")
    def test_fish_completes(self):
        with tempfile.TemporaryDirectory(prefix="halfulp-completion-") as scratch:
            home, folder = Path(scratch) / "home", Path(scratch) / "folder"
            home.mkdir()
            folder.mkdir()
            for name in ("a b.npy", "c.pb", "e.txt"):
                (folder / name).touch()
            environment = os.environ | {"HOME": str(home), "XDG_CONFIG_HOME": str(home)}
            for line, expected in {
                "halfulp ": set(words()),
                "halfulp op ": OPERATORS,
                "halfulp op --output-type ": TYPES,
                "halfulp op --axes 0 ReduceL1 ": {"a b.npy", "c.pb"},
                "halfulp op --output=c": {"--output=c.pb"},
            }.items():
                script = 'source $argv[1]; complete -C "$argv[2]"'
                printed = run(
                    ["fish", "--no-config", "-c", script, arguments.help / "halfulp.fish", line],
                    cwd=folder,
                    env=environment,
                )
                offered = {entry.split("\t")[0] for entry in printed.splitlines()}
                self.assertEqual(offered, expected, line)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("help", type=Path, help="the folder of the manual page and the completions")
    parser.add_argument("--command", type=Path, required=True, help="the halfulp command")
    arguments, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
