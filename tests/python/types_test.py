# SPDX-License-Identifier: Apache-2.0
"""The stubs agree with the package, and with what typed_use.py expects of them."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import halfulp

PACKAGE = Path(halfulp.__file__).parent
# The module in C++ says nothing of its functions' arguments.
NOT_COMPARED = r"halfulp\._core\..*"


def check(module, *arguments, folder):
    paths = dict.fromkeys(["MYPYPATH", "PYTHONPATH"], str(PACKAGE.parent))
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=folder,
        env={**os.environ, **paths},
        capture_output=True,
        text=True,
    )


class TypesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="halfulp-types-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def expect_success(self, done):
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_package_is_typed(self):
        self.assertTrue((PACKAGE / "py.typed").exists())

    def test_use(self):
        source = Path(__file__).with_name("typed_use.py")
        self.expect_success(check("mypy", "--strict", str(source), folder=self.folder))

    def test_stubs_are_of_this_package(self):
        allowed = Path(self.folder) / "allowed"
        allowed.write_text(NOT_COMPARED + "\n")
        self.expect_success(
            check("mypy.stubtest", "halfulp", "--allowlist", str(allowed), folder=self.folder)
        )


if __name__ == "__main__":
    unittest.main()
