#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the dynamic symbols of the shared library with symbols.txt, the interface that is meant.

After a change of the interface:

  tests/install/symbols_test.py --update build/release/src/libhalfulp.so
"""

import argparse
import difflib
import subprocess
import sys
from pathlib import Path

LIST = Path(__file__).with_name("symbols.txt")


def dynamic_symbols(library):
    """The demangled names, sorted. A constructor's two symbols have one name."""
    command = ["nm", "--dynamic", "--defined-only", "--demangle", "--format=just-symbols", library]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return sorted(set(printed.splitlines()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("library", type=Path)
    parser.add_argument("--update", action="store_true", help="write symbols.txt anew")
    arguments = parser.parse_args()

    actual = dynamic_symbols(arguments.library)
    if arguments.update:
        LIST.write_text("".join(name + "\n" for name in actual), encoding="utf-8")
        return
    expected = LIST.read_text(encoding="utf-8").splitlines()
    if actual != expected:
        print("\n".join(difflib.unified_diff(expected, actual, str(LIST), "library", lineterm="")))
        print(f"If that is meant: tests/install/symbols_test.py --update {arguments.library}")
        sys.exit(1)
    print(f"{len(actual)} symbols, as listed")


if __name__ == "__main__":
    main()
