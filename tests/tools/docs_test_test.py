# SPDX-License-Identifier: Apache-2.0
"""The documents' test on small made-up documents: it has to fail where it should."""

import dataclasses
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import docs_test

COMMAND = """#!/bin/sh
if [ "$1" = fail ]; then echo 'halfulp: error: no' >&2; exit 1; fi
echo "$# words"
"""


def fenced(language, text):
    return f"```{language}\n{text}\n```\n"


class DocsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        folder = Path(cls.scratch.name)
        for name, text in {
            "halfulp": COMMAND,
            "library.c": "int answer(void) { return 42; }\n",
            "include/answer.h": 'extern\n#ifdef __cplusplus\n"C"\n#endif\nint answer(void);\n',
            "examples/input.txt": "one\ntwo\n",
            "packages/answer.py": "def answer(): return 42\n",
        }.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, encoding="utf-8")
        (folder / "halfulp").chmod(0o755)
        library = folder / "libanswer.so"
        subprocess.run(
            ["cc", "-shared", "-fPIC", folder / "library.c", "-o", library], check=True
        )
        cls.tools = docs_test.Tools(
            command=folder / "halfulp",
            library=library,
            include=folder / "include",
            examples=folder / "examples",
            cc="cc",
            cxx="c++",
            python=Path(sys.executable),
            python_path=folder / "packages",
        )

    def assert_passes(self, markdown, blocks=1, left_out=(), **tools):
        outcome = docs_test.run_document(markdown, dataclasses.replace(self.tools, **tools))
        self.assertEqual(outcome, docs_test.Outcome(blocks, [], list(left_out)))

    def assert_fails(self, markdown, pattern, **tools):
        outcome = docs_test.run_document(markdown, dataclasses.replace(self.tools, **tools))
        problems = outcome.problems
        self.assertEqual(len(problems), 1, problems)
        self.assertRegex(problems[0], pattern)

    def test_sh_blocks_share_a_folder(self):
        self.assert_passes(
            fenced("sh", "head -n 1 examples/input.txt > a.txt")
            + "Text.\n"
            + fenced("sh", "test $(cat a.txt) = one; halfulp; build/halfulp"),
            blocks=2,
        )

    def test_sh_block_that_fails(self):
        self.assert_fails("Text.\n\n" + fenced("sh", "false\ntrue"), "^3: sh block: exit status 1")

    def test_sh_block_that_fails_in_a_pipe(self):
        self.assert_fails(fenced("sh", "halfulp fail | cat"), "exit status 1")

    def test_sh_block_with_an_unset_variable(self):
        self.assert_fails(fenced("sh", 'echo "$no_such_variable"'), "unbound variable")

    def test_output_of_a_block(self):
        block = fenced("sh", "halfulp a b")
        self.assert_passes(block + "<!-- output -->\n" + fenced("text", "2 words"))
        self.assert_fails(block + "<!-- output -->\n" + fenced("text", "3 words"), r"\+2 words")

    def test_console(self):
        self.assert_passes(
            fenced("console", "$ halfulp a\n1 words\n$ cat \\\nexamples/input.txt\none\ntwo\n$ true")
        )

    def test_console_with_other_output(self):
        self.assert_fails(fenced("console", "$ halfulp a\n2 words"), r"-2 words\n\+1 words")

    def test_console_with_missing_output(self):
        self.assert_fails(fenced("console", "$ cat examples/input.txt\none"), r"\+two")

    def test_console_with_left_out_lines(self):
        self.assert_passes(fenced("console", "$ seq 5\n1\n...\n5"))
        self.assert_fails(fenced("console", "$ seq 5\n1\n...\n6"), "-6")

    def test_console_may_show_an_error(self):
        self.assert_passes(fenced("console", "$ halfulp fail\nhalfulp: error: no"))

    def test_console_that_fails_silently(self):
        self.assert_fails(fenced("console", "$ false"), "exit status 1")

    def test_console_without_a_command(self):
        self.assert_fails(fenced("console", "halfulp"), "before the first command")

    def test_programs(self):
        body = '#include "answer.h"\nint main(void) { return answer() - 42; }'
        self.assert_passes(fenced("c", body) + fenced("cpp", body), blocks=2)

    def test_program_that_does_not_compile(self):
        self.assert_fails(fenced("cpp", "int main() { return answer(); }"), "answer")

    def test_program_with_a_warning(self):
        self.assert_fails(fenced("c", "int main(void) { int unused = 1; return 0; }"), "unused")

    def test_program_that_fails(self):
        self.assert_fails(fenced("cpp", "int main() { return 3; }"), "exit status 3")

    def test_program_with_other_output(self):
        program = fenced("c", '#include <stdio.h>\nint main(void) { puts("hi"); return 0; }')
        self.assert_passes(program + "\n<!-- output -->\n\n" + fenced("text", "hi"))
        self.assert_fails(program + "\n<!-- output -->\n\n" + fenced("text", "ho"), r"\+hi")

    def test_python_blocks_are_one_session(self):
        self.assert_passes(
            fenced("python", "from answer import answer\nx = answer()")
            + fenced("sh", "echo 42 > file")
            + fenced("pycon", ">>> x == int(open('file').read())\nTrue\n>>> y = x + 1")
            + fenced("python", "assert y == 43"),
            blocks=4,
        )

    def test_python_sessions_of_documents_differ(self):
        self.assert_passes(fenced("python", "x = 1"))
        self.assert_fails(fenced("python", "x"), "NameError")

    def test_python_finds_what_blocks_define(self):
        self.assert_passes(
            fenced("python", "import pickle\nclass A: pass")
            + fenced("python", "assert type(pickle.loads(pickle.dumps(A()))) is A"),
            blocks=2,
        )

    def test_python_that_fails(self):
        self.assert_fails(
            "Text.\n\n" + fenced("python", "x = 1\nassert x == 2"),
            r'^3: python block: exit status 1\nTraceback.*\n  File "document", line 5, in'
            r" <module>\n    assert x == 2\n",
        )
        self.assert_fails(fenced("python", "x ="), "SyntaxError")

    def test_python_that_exits(self):
        self.assert_fails(fenced("python", "raise SystemExit(0)"), "SystemExit: 0")
        self.assert_fails(fenced("python", "import os\nos._exit(0)"), "Python ended, exit status 0")

    def test_output_of_python(self):
        for shown in (
            "print(6 * 7)",
            "import os\nos.write(1, b'42')",
            "import os\nos.system('echo 42')",
            "import sys\nprint('42', file=sys.stderr)",
        ):
            block = fenced("python", "print(1)") + fenced("python", shown) + "<!-- output -->\n"
            with self.subTest(shown):
                self.assert_passes(block + fenced("text", "42"), blocks=2)
                self.assert_fails(block + fenced("text", "43"), r"-43\n\+42")

    def test_python_reads_no_requests(self):
        self.assert_fails(fenced("python", "input()"), "EOFError")

    def test_pycon(self):
        self.assert_passes(
            fenced("pycon", ">>> for i in 1, 2:\n...     print(i)\n1\n2\n\n>>> None")
        )

    def test_pycon_with_other_output(self):
        self.assert_fails(
            "Text.\n\n" + fenced("pycon", ">>> 1\n1\n>>> 6 * 7\n43"),
            r'(?s)^3: pycon block: .*"document", line 6, .*Expected:\n    43\nGot:\n    42\n',
        )

    def test_pycon_with_missing_output(self):
        self.assert_fails(fenced("pycon", ">>> 42"), "Expected nothing")

    def test_pycon_with_left_out_output(self):
        self.assert_passes(fenced("pycon", ">>> list(range(5))\n[0, ..., 4]"))
        self.assert_fails(fenced("pycon", ">>> list(range(5))\n[0, ..., 5]"), "Got")

    def test_pycon_may_show_an_error(self):
        error = "Traceback (most recent call last):\n  ...\nValueError: "
        block = ">>> raise ValueError('no')\n" + error
        self.assert_passes(fenced("pycon", block + "no"))
        self.assert_fails(fenced("pycon", block + "yes"), "Expected")
        self.assert_fails(fenced("pycon", ">>> 1\n" + error + "no"), "Expected")
        self.assert_fails(fenced("pycon", ">>> raise ValueError('no')"), "ValueError: no")

    def test_pycon_with_lines_that_nothing_prints(self):
        self.assert_fails(fenced("pycon", ">>> 1\n1\n\n2"), "no >>> line prints this: 2")
        self.assert_fails(fenced("pycon", "1 + 1"), "no >>> line")

    def test_pycon_that_skips(self):
        self.assert_fails(fenced("pycon", ">>> 1  # doctest: +SKIP\n2"), "has to run: 1")

    def test_output_of_pycon(self):
        self.assert_fails(
            fenced("pycon", ">>> 1\n1") + "<!-- output -->\n" + fenced("text", "1"),
            "output of no block",
        )

    def test_without_python(self):
        python = fenced("python", "1 / 0") + "<!-- output -->\n" + fenced("text", "x")
        self.assert_passes(
            python + fenced("pycon", ">>> 1 / 0") + fenced("sh", "true"),
            left_out=["without --python"] * 2,
            python=None,
        )

    def test_python_without_the_package(self):
        self.assert_fails(fenced("python", "import answer"), "No module", python_path=None)

    def test_python_that_is_not_there(self):
        self.assert_fails(fenced("python", ""), "cannot start Python", python=Path("/no/python"))

    def test_block_that_needs_a_module(self):
        needs = "<!-- needs torch -->\n"
        text = needs + fenced("python", "1 / 0") + needs + fenced("pycon", ">>> 1 / 0")
        with tempfile.TemporaryDirectory() as folder:
            # Whether torch is there or not, these decide.
            module = Path(folder) / "torch.py"
            module.write_text("raise ImportError", encoding="utf-8")
            self.assert_passes(
                text + fenced("sh", "true"),
                left_out=["without torch"] * 2,
                python_path=Path(folder),
            )
            module.write_text("", encoding="utf-8")
            self.assert_fails(text.partition("\n<!--")[0], "ZeroDivision", python_path=Path(folder))

    def test_needs_of_other_blocks(self):
        self.assert_fails("<!-- needs torch -->\n" + fenced("sh", "true"), "only Python's blocks")
        self.assert_fails("<!-- needs trch -->\n" + fenced("python", ""), "trch is not one of")
        self.assert_fails("<!-- needs -->\n" + fenced("python", ""), "what does <!-- needs -->")
        self.assert_fails("<!-- needs torch -->\nText.\n", "no block after")

    def test_what_an_outcome_says(self):
        self.assertEqual(
            str(docs_test.Outcome(3, ["no"], ["without torch", "without jax", "without torch"])),
            "3 block(s), 1 problem(s), 1 left out without jax, 2 left out without torch",
        )

    def test_block_that_is_not_run(self):
        self.assert_passes("<!-- not run: slow -->\n" + fenced("sh", "make test"), blocks=0)
        self.assert_passes("<!-- not run: slow -->\n" + fenced("sh", "pip install ."), blocks=0)

    def test_block_that_has_to_run(self):
        self.assert_fails(
            "<!-- not run: lazy -->\n" + fenced("sh", "make test\nhalfulp"), "has to run: halfulp"
        )

    def test_not_run_without_a_reason(self):
        self.assert_fails("<!-- not run -->\n" + fenced("sh", "make test"), "what does")

    def test_misspelt_rule(self):
        self.assert_fails("<!-- outptu -->\n" + fenced("text", "x"), "what does <!-- outptu -->")

    def test_rule_without_a_block(self):
        self.assert_fails("<!-- output -->\nText.\n", "no block after")

    def test_output_of_no_block(self):
        self.assert_fails("<!-- output -->\n" + fenced("text", "x"), "output of no block")

    def test_language_that_nothing_runs(self):
        self.assert_fails(fenced("", "halfulp"), "the block's language is ''")

    def test_block_without_an_end(self):
        self.assert_fails("```sh\ntrue\n", "1: the block has no end")


if __name__ == "__main__":
    unittest.main()
