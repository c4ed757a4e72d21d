# SPDX-License-Identifier: Apache-2.0
"""The source package and the wheels: what is in them, and that they work by themselves.

Makes them with tools/build-wheels, for each Python that tools/find-pythons finds, and installs each
wheel with pip, which takes numpy and ml_dtypes from PyPI, in environments of their own.
"""

import argparse
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import unittest
from pathlib import Path

# What a wheel may need of the system: the C and C++ runtimes, which Python itself or numpy needs.
SYSTEM_LIBRARIES = re.compile(r"(linux-vdso|ld-linux.*|libc|libm|libgcc_s|libstdc\+\+)\.so\S*")
# Tests that need no other package.
TESTS = ["arrays_test.py", "errors_test.py", "plan_test.py"]
# Not in the source package: it is what builds and installs halfulp.
LEFT_OUT = ("tests", "bench")


def run(*words, **more):
    done = subprocess.run(
        list(map(str, words)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more
    )
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, words))}\n{done.stdout}")
    return done.stdout


def version_of(python):
    return tuple(map(int, run(python, "-c", "import sys; print(*sys.version_info[:2])").split()))


def undesired_libraries(binary, own_folder):
    """What the loader would take for it from elsewhere than its wheel, but for the runtimes."""
    for line in run("ldd", binary).splitlines():
        name, _, path = line.strip().partition(" => ")
        if own_folder not in Path(path.split(" (")[0]).resolve().parents:
            if not SYSTEM_LIBRARIES.fullmatch(Path(name.split(" (")[0]).name):
                yield line.strip()


class WheelTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="halfulp-wheels-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.pythons = run(ROOT / "tools/find-pythons").split()
        run(ROOT / "tools/build-wheels", cls.folder, BUILD, sys.executable, *cls.pythons)

    def wheel_for(self, python):
        tag = "cp311-cp311" if version_of(python) == (3, 11) else "cp312-abi3"
        (wheel,) = self.folder.glob(f"halfulp-*-{tag}-manylinux_*.whl")
        return wheel

    def test_no_others_are_made(self):
        wheels = {self.wheel_for(python) for python in self.pythons}
        self.assertEqual(set(self.folder.glob("*.whl")), wheels)

    def test_source_package_is_complete(self):
        (package,) = self.folder.glob("halfulp-*.tar.gz")
        with tarfile.open(package) as archive:
            packed = {name.partition("/")[2] for name in archive.getnames()}
        sources = run(ROOT / "tools/list-sources").replace("./", "").split()
        sources += [str(p.relative_to(ROOT)) for p in ROOT.glob("python/halfulp/**/*.py*")]
        needed = {s for s in sources if s.split("/")[0] not in LEFT_OUT and "__pycache__" not in s}
        self.assertGreater(len(needed), 100)
        self.assertEqual(needed - packed, set())
        self.assertFalse({name.split("/")[0] for name in packed} & {*LEFT_OUT, "build"})

    def test_each_python(self):
        for python in self.pythons:
            with self.subTest(python):
                self.check_installed(python, self.wheel_for(python))

    def check_installed(self, python, wheel):
        environment = self.folder / f"venv-{version_of(python)[1]}"
        run(python, "-m", "venv", environment)
        own = environment / "bin/python"
        pip = [own, "-m", "pip", "--quiet", "--disable-pip-version-check"]
        run(*pip, "install", "--only-binary", ":all:", wheel)
        run(*pip, "check")

        # Not in the folder of the sources, and without what the surrounding test was given.
        elsewhere = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
        where = {"cwd": self.folder, "env": elsewhere}
        code = "import halfulp; print(halfulp.__version__, halfulp.__file__)"
        version, path = run(own, "-c", code, **where).split()
        site = Path(path).resolve().parents[1]
        self.assertIn(environment.resolve(), site.parents)
        command = environment / "bin/halfulp"
        self.assertEqual(run(command, "--version", **where).split()[-1], version)
        self.check_libraries(site)

        oracle = {**elsewhere, "PYTHONPATH": str(ROOT / "tests/onnx")}
        for test in TESTS:
            run(own, "-B", ROOT / "tests/python" / test, cwd=self.folder, env=oracle)

    def check_libraries(self, site):
        binaries = [*site.glob("halfulp/_core*.so"), *site.glob("halfulp.scripts/halfulp")]
        self.assertEqual(len(binaries), 2)
        for binary in binaries:
            self.assertEqual(list(undesired_libraries(binary, site)), [])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=Path, help="of the sources")
    parser.add_argument("build", type=Path, help="a build folder of them")
    arguments, rest = parser.parse_known_args()
    ROOT, BUILD = arguments.root.resolve(), arguments.build.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
