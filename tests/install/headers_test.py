#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles each public header alone: in C++20, and those that end in .h in C99 and C++11 too."""

import argparse
import shlex
import subprocess
import sys
from pathlib import Path

WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Werror"]


def compile_alone(compiler, language, standard, include, header, definitions):
    """Returns what the compiler says, nothing where it is content."""
    command = [
        *shlex.split(compiler), "-x", language, f"-std={standard}", *WARNINGS, *definitions,
        f"-I{include}", "-fsyntax-only", "-",
    ]  # fmt: skip
    # Twice: a header has to guard itself.
    source = f'#include "{header}"\n' * 2
    done = subprocess.run(
        command, input=source, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    return done.stdout or (f"exit status {done.returncode}" if done.returncode else "")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("include", type=Path, help="the folder that includes start from")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--cxx", default="c++")
    arguments = parser.parse_args()

    headers = sorted(arguments.include.glob("halfulp/*"))
    failed = not headers
    for path in headers:
        header = path.relative_to(arguments.include)
        uses = [(arguments.cxx, "c++", "c++20")]
        if path.suffix == ".h":
            uses += [(arguments.cc, "c", "c99"), (arguments.cxx, "c++", "c++11")]
        for compiler, language, standard in uses:
            for definitions in ([], ["-DHALFULP_STATIC"]):
                said = compile_alone(
                    compiler, language, standard, arguments.include, header, definitions
                )
                if said:
                    print(f"{header} in {standard} {' '.join(definitions)}:\n{said}")
                    failed = True
    print(f"{len(headers)} header(s)")
    sys.exit(failed)


if __name__ == "__main__":
    main()
