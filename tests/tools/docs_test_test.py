# SPDX-License-Identifier: Apache-2.0
"""The documents' test on small made-up documents: it has to fail where it should."""

import subprocess
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
        )

    def assert_passes(self, markdown, blocks=1):
        self.assertEqual(docs_test.run_document(markdown, self.tools), (blocks, []))

    def assert_fails(self, markdown, pattern):
        problems = docs_test.run_document(markdown, self.tools)[1]
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
        self.assert_passes(fenced("python", "print(6 * 7)"))

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

    def test_block_that_is_not_run(self):
        self.assert_passes("<!-- not run: slow -->\n" + fenced("sh", "make test"), blocks=0)

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
