#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the code blocks of the documents, so that what they show is what happens.

Every document has a scratch folder, with a copy of examples/, in which its blocks run in order with
the command on PATH and as build/halfulp. The build is installed where CMake, pkg-config and the
loader find it. By the word after the fence:

  sh       a script for `bash -euo pipefail`
  console  lines that start with "$ " are commands, the others what they print. A command may fail
           only where the shown output has an error of the command
  c, cpp   a whole program, compiled with the library and run
  python   a whole program
  text     no code. After the comment <!-- output -->: what the block before it prints

In what is printed, a line "..." stands for any lines. <!-- not run: REASON --> before a block is for
what cannot run inside a test: make, git clone and cd.
"""

import argparse
import difflib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = {"sh", "console", "c", "cpp", "python", "text"}
NOT_RUN_LINE = re.compile(r"(make|git clone|cd)\b|#|$")
TIMEOUT_SECONDS = 300


class DocumentError(Exception):
    pass


@dataclass
class Block:
    line: int
    language: str
    text: str
    output: str | None = None
    run: bool = True


@dataclass
class Tools:
    command: Path
    library: Path
    include: Path
    examples: Path
    cc: str
    cxx: str
    prefix: Path | None = None  # where halfulp is installed


def parse(markdown):
    """The blocks of a document that are to run. Raises DocumentError where it breaks the rules."""
    blocks = []
    comment = None  # the last line's, which may give a rule for the block that follows
    lines = iter(enumerate(markdown.splitlines(), 1))
    for number, line in lines:
        fence = re.match(r"(\s*)(```+|~~~+)(.*)$", line)
        if fence:
            indent, marks, language = fence[1], fence[2], fence[3].strip()
            text = []
            for _, inner in lines:
                if inner.strip() == marks:
                    break
                text.append(inner.removeprefix(indent))
            else:
                raise DocumentError(f"{number}: the block has no end")
            add_block(blocks, Block(number, language, "".join(t + "\n" for t in text)), comment)
            comment = None
        elif line.strip():
            expect_no_rule(comment)
            match = re.fullmatch(r"\s*<!--\s*(.*?)\s*-->", line)
            comment = match and match[1]
    expect_no_rule(comment)
    return [block for block in blocks if block.run and block.language != "text"]


def is_rule(comment):
    return comment == "output" or re.match(r"not run: \S", comment)


def expect_no_rule(comment):
    if comment and is_rule(comment):
        raise DocumentError(f"no block after <!-- {comment} -->")


def add_block(blocks, block, comment):
    if block.language not in LANGUAGES:
        raise DocumentError(
            f"{block.line}: the block's language is '{block.language}', not one of "
            + ", ".join(sorted(LANGUAGES))
        )
    if comment and not is_rule(comment):
        raise DocumentError(f"{block.line}: what does <!-- {comment} --> say about the block?")
    if comment == "output":
        if block.language != "text":
            raise DocumentError(f"{block.line}: output belongs in a text block")
        if not blocks or blocks[-1].language in ("text", "console") or not blocks[-1].run:
            raise DocumentError(f"{block.line}: output of no block")
        blocks[-1].output = block.text
    elif comment:
        block.run = False
        for line in block.text.splitlines():
            if not NOT_RUN_LINE.match(line):
                raise DocumentError(f"{block.line}: this has to run: {line}")
    blocks.append(block)


def matches(expected, actual):
    """Whether the lines agree, where a line "..." of the expected ones stands for any lines."""
    parts = ["(?s:.*)" if e == "..." else re.escape(e + "\n") for e in printed_lines(expected)]
    return re.fullmatch("".join(parts), "".join(a + "\n" for a in printed_lines(actual)))


def printed_lines(text):
    return [line.rstrip() for line in text.rstrip().splitlines()]


def difference(expected, actual):
    return "\n".join(
        difflib.unified_diff(
            printed_lines(expected), printed_lines(actual), "shown", "printed", lineterm=""
        )
    )


def execute(command, folder, environment):
    """Runs a command; returns its status and what it printed, errors included."""
    done = subprocess.run(
        command,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=TIMEOUT_SECONDS,
    )
    return done.returncode, done.stdout.decode(errors="replace")


def console_steps(text):
    """Yields each command of a console block, and what the block shows that it prints."""
    command, shown = None, []
    continued = False
    for line in text.splitlines():
        if continued:
            command += "\n" + line
        elif line.startswith("$ "):
            if command is not None:
                yield command, "\n".join(shown)
            command, shown = line.removeprefix("$ "), []
        elif command is None:
            raise DocumentError(f"output before the first command: {line}")
        else:
            shown.append(line)
            continue
        continued = line.endswith("\\")
    if command is None:
        raise DocumentError("no command")
    yield command, "\n".join(shown)


class Runner:
    """Runs the blocks of one document in its scratch folder."""

    def __init__(self, tools, folder):
        self.tools = tools
        self.folder = folder / "document"
        self.programs = folder / "programs"
        self.programs.mkdir()
        (self.folder / "build").mkdir(parents=True)
        (self.folder / "build" / "halfulp").symlink_to(tools.command)
        shutil.copytree(tools.examples, self.folder / "examples")
        path = f"{self.folder / 'build'}{os.pathsep}{os.environ['PATH']}"
        self.environment = os.environ | {"PATH": path} | installed_at(tools.prefix)

    def run(self, block):
        """Returns what went wrong, or None."""
        if block.language == "console":
            for command, shown in console_steps(block.text):
                status, printed = self.execute(self.bash(command))
                if not matches(shown, printed):
                    return f"$ {command}\n{difference(shown, printed)}"
                if status != 0 and "halfulp: error:" not in shown:
                    return f"$ {command}\nexit status {status}"
            return None
        status, printed = self.run_program(block)
        if status != 0:
            return f"exit status {status}\n{printed}"
        if block.output is not None and not matches(block.output, printed):
            return difference(block.output, printed)
        return None

    def run_program(self, block):
        if block.language == "sh":
            return self.execute(self.bash(block.text))
        program = self.programs / f"line{block.line}"
        source = program.with_suffix("." + block.language)
        source.write_text(block.text, encoding="utf-8")
        if block.language == "python":
            return self.execute([sys.executable, source])
        status, printed = self.execute(self.compile(block.language, source, program))
        if status != 0:
            return status, printed
        return self.execute([program])

    def compile(self, language, source, program):
        compiler, standard = {
            "c": (self.tools.cc, "-std=c11"),
            "cpp": (self.tools.cxx, "-std=c++20"),
        }[language]
        library = self.tools.library
        return [
            *shlex.split(compiler), standard, "-Wall", "-Wextra", "-Werror",
            f"-I{self.tools.include}", source, "-o", program, library, f"-Wl,-rpath,{library.parent}",
        ]  # fmt: skip

    @staticmethod
    def bash(script):
        return ["bash", "-euo", "pipefail", "-c", script]

    def execute(self, command):
        return execute(command, self.folder, self.environment)


def installed_at(prefix):
    """The variables that lead to what is installed there."""
    if prefix is None:
        return {}
    packages = next(prefix.glob("lib/**/pkgconfig"))
    return {
        "CMAKE_PREFIX_PATH": str(prefix),
        "PKG_CONFIG_PATH": str(packages),
        "LD_LIBRARY_PATH": str(packages.parent),
    }


def run_document(markdown, tools):
    """Runs a document's blocks; returns how many there are, and what went wrong."""
    try:
        blocks = parse(markdown)
    except DocumentError as error:
        return 0, [str(error)]
    problems = []
    with tempfile.TemporaryDirectory(prefix="halfulp-docs-") as folder:
        runner = Runner(tools, Path(folder))
        for block in blocks:
            try:
                problem = runner.run(block)
            except (DocumentError, subprocess.TimeoutExpired) as error:
                problem = str(error)
            if problem:
                problems.append(f"{block.line}: {block.language} block: {problem}")
    return len(blocks), problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=Path, help="the project's folder")
    parser.add_argument("--command", type=Path, required=True, help="the halfulp command")
    parser.add_argument("--library", type=Path, required=True, help="the shared library")
    parser.add_argument("--build", type=Path, required=True, help="the build that is installed")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--cxx", default="c++")
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory(prefix="halfulp-docs-prefix-") as folder:
        prefix = Path(folder)
        subprocess.run(
            ["cmake", "--install", arguments.build, "--prefix", prefix],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        sys.exit(not run_documents(arguments, prefix))


def run_documents(arguments, prefix):
    """Runs all documents; returns whether every block did as it should."""
    root = arguments.root.resolve()
    tools = Tools(
        command=arguments.command.resolve(),
        library=arguments.library.resolve(),
        include=root / "include",
        examples=root / "examples",
        cc=arguments.cc,
        cxx=arguments.cxx,
        prefix=prefix,
    )
    failed = False
    documents = [root / "README.md", root / "CONTRIBUTING.md", *sorted(root.glob("docs/*.md"))]
    for document in documents:
        count, problems = run_document(document.read_text(encoding="utf-8"), tools)
        name = document.relative_to(root)
        print(f"{name}: {count} block(s), {len(problems)} problem(s)")
        for problem in problems:
            print(f"{name}:{problem}")
        failed = failed or bool(problems)
    return not failed


if __name__ == "__main__":
    main()
