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
  python   statements, run with the Python that has the package
  pycon    ">>> " lines and what they print, by the rules of doctest, with its option ELLIPSIS
  text     no code. After the comment <!-- output -->: what the block before it prints

All python and pycon blocks of a document are one session, so names stay from one to the next. They
need the argument --python, and are left out and counted without it. <!-- needs MODULE --> before such
a block is for modules that this Python may lack: then the block is left out and counted.

In what is printed, a line "..." stands for any lines. <!-- not run: REASON --> before a block is for
what cannot run inside a test: make, git clone, pip install and cd.
"""

import argparse
import collections
import difflib
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, field
from pathlib import Path

LANGUAGES = {"sh", "console", "c", "cpp", "python", "pycon", "text"}
PYTHON_LANGUAGES = {"python", "pycon"}
NOT_RUN_LINE = re.compile(r"(make|git clone|pip install|cd)\b|#|$")
# What <!-- needs MODULE --> may name; a misspelt module would be missing everywhere.
OPTIONAL_MODULES = {"jax", "torch"}
TIMEOUT_SECONDS = 300

# Runs in the Python that has the package: takes a request a line, and answers each with a line. What
# blocks print goes into a file of their own.
SESSION = r"""
import doctest, importlib, json, linecache, os, sys, tempfile, traceback, types

answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
requests = os.fdopen(os.dup(0), encoding="utf-8")
os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
printed = tempfile.TemporaryFile()
os.dup2(printed.fileno(), 1)
os.dup2(printed.fileno(), 2)
sys.stdout.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
session = sys.modules["__main__"]
main = sys.modules["__main__"] = types.ModuleType("__main__")


class Wrong(Exception):
    pass


def is_there(name):
    try:
        importlib.import_module(name)
    except ImportError:
        return False
    return True


def run_statements(name, line, text):
    source = "\n" * line + text  # so that a traceback has the document's lines
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    exec(compile(source, name, "exec"), main.__dict__)


def run_examples(name, line, text):
    parts = doctest.DocTestParser().parse(text, name)
    examples = [part for part in parts if isinstance(part, doctest.Example)]
    if not examples:
        raise Wrong("no >>> line")
    for part in parts:
        if part not in examples and part.strip():
            raise Wrong("no >>> line prints this: " + part.strip())
    for example in examples:
        if doctest.SKIP in example.options:
            raise Wrong("this has to run: " + example.source.strip())
    test = doctest.DocTest(examples, {}, name, name, line, None)
    test.globs = main.__dict__  # no copy, which would lose what the block defines
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS)
    reports = []
    if runner.run(test, out=reports.append, clear_globs=False).failed:
        raise Wrong("".join(reports))


def run(language, **block):
    try:
        {"python": run_statements, "pycon": run_examples}[language](**block)
    except Wrong as error:
        print(error)
        return 1
    except BaseException as error:  # SystemExit too: it would leave out the rest of the block
        frames = error.__traceback__
        while frames and frames.tb_frame.f_globals is globals():
            frames = frames.tb_next
        traceback.print_exception(type(error), error, frames)
        return 1
    return 0


for request in requests:
    request = json.loads(request)
    if "module" in request:
        answer = {"there": is_there(request["module"])}
    else:
        os.ftruncate(1, 0)
        os.lseek(1, 0, os.SEEK_SET)
        status = run(**request)
        sys.stdout.flush()
        sys.stderr.flush()
        os.lseek(1, 0, os.SEEK_SET)
        with open(os.dup(1), "rb") as file:
            answer = {"status": status, "printed": file.read().decode(errors="replace")}
    print(json.dumps(answer), file=answers, flush=True)
"""


class DocumentError(Exception):
    pass


@dataclass
class Block:
    line: int
    language: str
    text: str
    output: str | None = None
    run: bool = True
    needs: str | None = None  # a module that Python may lack


@dataclass
class Tools:
    command: Path
    library: Path
    include: Path
    examples: Path
    cc: str
    cxx: str
    prefix: Path | None = None  # where halfulp is installed
    python: Path | None = None  # has the package; without one, Python's blocks are left out
    python_path: Path | None = None  # the package's folder, where that Python does not know it


@dataclass
class Outcome:
    """What became of a document's blocks."""

    run: int = 0
    problems: list = field(default_factory=list)
    left_out: list = field(default_factory=list)  # why, for each block

    def __str__(self):
        counts = [f"{self.run} block(s)", f"{len(self.problems)} problem(s)"]
        for reason, count in sorted(collections.Counter(self.left_out).items()):
            counts.append(f"{count} left out {reason}")
        return ", ".join(counts)


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
    return comment == "output" or re.match(r"not run: \S|needs \S", comment)


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
        shown_elsewhere = ("text", "console", "pycon")
        if not blocks or blocks[-1].language in shown_elsewhere or not blocks[-1].run:
            raise DocumentError(f"{block.line}: output of no block")
        blocks[-1].output = block.text
    elif comment and comment.startswith("needs "):
        block.needs = comment.removeprefix("needs ")
        if block.language not in PYTHON_LANGUAGES:
            raise DocumentError(f"{block.line}: only Python's blocks need a module")
        if block.needs not in OPTIONAL_MODULES:
            raise DocumentError(
                f"{block.line}: {block.needs} is not one of " + ", ".join(sorted(OPTIONAL_MODULES))
            )
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


class PythonSession:
    """A process that runs Python's blocks, one after another."""

    def __init__(self, python, folder, environment):
        try:
            self.process = subprocess.Popen(
                [python, "-B", "-c", SESSION],
                cwd=folder,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
            )
        except OSError as error:
            raise DocumentError(f"cannot start Python: {error}") from error

    def ask(self, request):
        """Returns the answer. Raises DocumentError where there is none."""
        timer = threading.Timer(TIMEOUT_SECONDS, self.process.kill)
        timer.start()
        try:
            self.process.stdin.write(json.dumps(request) + "\n")
            self.process.stdin.flush()
            answer = self.process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        finally:
            timer.cancel()
        if not answer:
            status = self.process.wait()
            raise DocumentError(f"Python ended, exit status {status}, or took too long")
        return json.loads(answer)

    def close(self):
        with self.process:
            self.process.kill()


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
        self.session = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.session:
            self.session.close()

    def reason_to_leave_out(self, block):
        """Why the block cannot run here, or None."""
        if block.language not in PYTHON_LANGUAGES:
            return None
        if self.tools.python is None:
            return "without --python"
        if block.needs and not self.ask({"module": block.needs})["there"]:
            return f"without {block.needs}"
        return None

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
        if block.language in PYTHON_LANGUAGES:
            return self.run_python(block)
        program = self.programs / f"line{block.line}"
        source = program.with_suffix("." + block.language)
        source.write_text(block.text, encoding="utf-8")
        status, printed = self.execute(self.compile(block.language, source, program))
        if status != 0:
            return status, printed
        return self.execute([program])

    def run_python(self, block):
        answer = self.ask(
            {
                "language": block.language,
                "name": "document",
                "line": block.line,
                "text": block.text,
            }
        )
        return answer["status"], answer["printed"]

    def ask(self, request):
        if self.session is None:
            self.session = PythonSession(self.tools.python, self.folder, self.python_environment())
        return self.session.ask(request)

    def python_environment(self):
        path = [self.tools.python_path, os.environ.get("PYTHONPATH")]
        return self.environment | {"PYTHONPATH": os.pathsep.join(str(p) for p in path if p)}

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
    """Runs a document's blocks; returns their Outcome."""
    outcome = Outcome()
    try:
        blocks = parse(markdown)
    except DocumentError as error:
        outcome.problems.append(str(error))
        return outcome
    with (
        tempfile.TemporaryDirectory(prefix="halfulp-docs-") as folder,
        Runner(tools, Path(folder)) as runner,
    ):
        for block in blocks:
            try:
                reason = runner.reason_to_leave_out(block)
                if reason:
                    outcome.left_out.append(reason)
                    continue
                problem = runner.run(block)
            except (DocumentError, subprocess.TimeoutExpired) as error:
                problem = str(error)
            outcome.run += 1
            if problem:
                outcome.problems.append(f"{block.line}: {block.language} block: {problem}")
    return outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=Path, help="the project's folder")
    parser.add_argument("--command", type=Path, required=True, help="the halfulp command")
    parser.add_argument("--library", type=Path, required=True, help="the shared library")
    parser.add_argument("--build", type=Path, required=True, help="the build that is installed")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--python", type=Path, help="a Python for the blocks of python and pycon")
    parser.add_argument(
        "--python-path", type=Path, metavar="FOLDER", help="where it finds the package halfulp"
    )
    parser.add_argument(
        "--document", action="append", metavar="FILE", help="only this one, docs/onnx.md; repeatable"
    )
    arguments = parser.parse_args()
    if arguments.python_path and not arguments.python:
        parser.error("--python-path is of no use without --python")

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
        # Not resolved: a virtual environment's Python is a link, and knows by its place what it has.
        python=arguments.python and arguments.python.absolute(),
        python_path=arguments.python_path and arguments.python_path.resolve(),
    )
    failed = False
    documents = [root / "README.md", root / "CONTRIBUTING.md", *sorted(root.glob("docs/*.md"))]
    if arguments.document:
        documents = [root / name for name in arguments.document]
    for document in documents:
        outcome = run_document(document.read_text(encoding="utf-8"), tools)
        name = document.relative_to(root)
        print(f"{name}: {outcome}")
        for problem in outcome.problems:
            print(f"{name}:{problem}")
        failed = failed or bool(outcome.problems)
    return not failed


if __name__ == "__main__":
    main()
