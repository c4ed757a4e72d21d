#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Installs a build, then uses what was installed as other projects would.

The installed files are compared with what is meant. Programs in C++ and C, the examples, are built
and run with find_package, pkg-config and add_subdirectory; the first two again after the installed
folder was moved.
"""

import argparse
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

HERE = Path(__file__).parent
LIBRARIES = ["halfulp", "halfulp_static"]

arguments = None


def run(command, fails=False, **rest):
    """What the command printed; raises where its exit status is not as expected."""
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **rest
    )
    if (done.returncode != 0) != fails:
        line = shlex.join(str(word) for word in command)
        raise AssertionError(f"{line}: exit status {done.returncode}\n{done.stdout}")
    return done.stdout


def cached(name):
    """A variable of the build's CMake cache."""
    text = (arguments.build / "CMakeCache.txt").read_text(encoding="utf-8")
    match = re.search(rf"^{name}:\w+=(.*)$", text, re.M)
    return match[1] if match else ""


def build_type():
    return cached("CMAKE_BUILD_TYPE") or "Release"  # as CMakeLists.txt has it


def library_folder():
    """Where the build installs libraries, relative to the prefix."""
    return cached("CMAKE_INSTALL_LIBDIR")


def files_below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


def expected_files():
    root, lib = arguments.root, library_folder()
    version = re.search(r"\n *VERSION (\S+)", (root / "CMakeLists.txt").read_text())[1]
    cmake = f"{lib}/cmake/halfulp"
    doc = "share/doc/halfulp"
    return {
        "bin/halfulp",
        *(f"include/halfulp/{path.name}" for path in root.glob("include/halfulp/*")),
        f"{lib}/libhalfulp.a",
        f"{lib}/libhalfulp.so",
        f"{lib}/libhalfulp.so.0",
        f"{lib}/libhalfulp.so.{version}",
        f"{lib}/pkgconfig/halfulp.pc",
        f"{cmake}/halfulp-config.cmake",
        f"{cmake}/halfulp-config-version.cmake",
        f"{cmake}/halfulp-shared-targets.cmake",
        f"{cmake}/halfulp-shared-targets-{build_type().lower()}.cmake",
        f"{cmake}/halfulp-static-targets.cmake",
        f"{cmake}/halfulp-static-targets-{build_type().lower()}.cmake",
        "share/man/man1/halfulp.1",
        "share/bash-completion/completions/halfulp",
        "share/zsh/site-functions/_halfulp",
        "share/fish/vendor_completions.d/halfulp.fish",
        f"{doc}/LICENSE",
        *(f"{doc}/{path.name}" for path in root.glob("*.md")),
        *(f"{doc}/docs/{path}" for path in files_below(root / "docs")),
        f"{doc}/examples/first_steps.c",
        f"{doc}/examples/first_steps.cpp",
    }


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="halfulp-install-")
        cls.addClassCleanup(scratch.cleanup)
        cls.scratch = Path(scratch.name)
        cls.installed = cls.scratch / "as installed"
        run([arguments.cmake, "--install", arguments.build, "--prefix", cls.installed])
        cls.moved = cls.scratch / "moved elsewhere"
        shutil.copytree(cls.installed, cls.moved, symlinks=True)

    def setUp(self):
        self.folder = self.scratch / self.id().rpartition(".")[2]
        self.folder.mkdir()

    # What the programs print, whichever way they were built.
    def assert_runs(self, program, ending, libraries=None):
        expected = {"cpp": "first_steps.txt", "c": "first_steps_c.txt"}[ending]
        environment = dict(os.environ)
        if libraries:
            environment["LD_LIBRARY_PATH"] = str(libraries)
        printed = run([program], env=environment)
        shown = (arguments.root / "examples/tests" / expected).read_text(encoding="utf-8")
        self.assertEqual(printed, shown)

    def configure(self, fails=False, **variables):
        variables = {
            "CMAKE_C_COMPILER": arguments.cc,
            "CMAKE_CXX_COMPILER": arguments.cxx,
            "CMAKE_BUILD_TYPE": build_type(),
            "CONSUMER_EXAMPLES": arguments.root / "examples",
            "CONSUMER_LANGUAGES": "C;CXX",
            "CONSUMER_LIBRARIES": ";".join(LIBRARIES),
        } | variables
        return run(
            [
                arguments.cmake, "-S", HERE / "consumer", "-B", self.folder, "-G", "Ninja",
                *(f"-D{name}={value}" for name, value in variables.items()),
            ],
            fails,
        )  # fmt: skip

    def build_and_run(self, libraries=LIBRARIES, endings=("c", "cpp")):
        run([arguments.cmake, "--build", self.folder])
        for library in libraries:
            for ending in endings:
                program = self.folder / f"{library}_{ending}"
                self.assert_runs(program, ending)
                self.assertEqual(needs_shared_library(program), library == "halfulp")

    def test_installed_files_are_those_that_are_meant(self):
        self.assertEqual(files_below(self.installed), expected_files())

    def test_links_between_the_documents_lead_somewhere(self):
        for document in (self.installed / "share/doc/halfulp").rglob("*.md"):
            for target in re.findall(r"\]\(([^):#]+)\)", document.read_text(encoding="utf-8")):
                self.assertTrue((document.parent / target).exists(), f"{document.name}: {target}")

    def test_the_shared_library_has_its_soname_and_the_links_to_it(self):
        folder = self.installed / library_folder()
        library = (folder / "libhalfulp.so").resolve()
        self.assertIn("soname: [libhalfulp.so.0]", run(["readelf", "--dynamic", library]))
        self.assertEqual((folder / "libhalfulp.so.0").resolve(), library)

    def test_the_command_runs(self):
        for prefix in (self.installed, self.moved):
            self.assertRegex(run([prefix / "bin/halfulp", "--version"]), r"^halfulp \d")

    def test_packages_name_no_folder_of_this_machine(self):
        folder = self.installed / library_folder()
        for path in [*folder.glob("cmake/halfulp/*"), folder / "pkgconfig/halfulp.pc"]:
            text = path.read_text(encoding="utf-8")
            for place in (arguments.root, arguments.build, self.installed):
                self.assertNotIn(str(place), text, path.name)

    def test_find_package(self):
        self.configure(halfulp_ROOT=self.installed, CONSUMER_VERSION="0.1")
        self.build_and_run()

    def test_find_package_after_a_move(self):
        self.configure(halfulp_ROOT=self.moved)
        self.build_and_run()

    def test_find_package_in_a_project_without_cpp(self):
        self.configure(
            halfulp_ROOT=self.installed, CONSUMER_LANGUAGES="C", CONSUMER_LIBRARIES="halfulp"
        )
        self.build_and_run(["halfulp"], ["c"])

    def test_find_package_without_fmt_has_the_shared_library(self):
        self.assert_shared_without("fmt")

    def test_find_package_without_tbb_has_the_shared_library(self):
        self.assert_shared_without("TBB")

    def test_find_package_without_highway_has_the_shared_library(self):
        self.assert_shared_without("HWY")

    def assert_shared_without(self, package):
        without = {
            "halfulp_ROOT": self.installed, f"CMAKE_DISABLE_FIND_PACKAGE_{package}": "ON",
        }  # fmt: skip
        self.configure(**without, CONSUMER_COMPONENTS="shared", CONSUMER_LIBRARIES="halfulp")
        self.build_and_run(["halfulp"])
        said = self.configure(fails=True, **without, CONSUMER_COMPONENTS="static")
        self.assertIn("the static library needs fmt", said)

    def test_find_package_of_another_version_fails(self):
        said = self.configure(fails=True, halfulp_ROOT=self.installed, CONSUMER_VERSION="0.2")
        self.assertIn("requested version \"0.2\"", " ".join(said.split()))

    def test_add_subdirectory(self):
        # This compiles the library: with this build's flags, so that a compiler cache has the
        # objects, or else as fast as can be.
        has_cache = os.access(cached("HALFULP_CCACHE"), os.X_OK)
        self.configure(
            CONSUMER_SUBDIRECTORY=arguments.root,
            CMAKE_BUILD_TYPE=build_type() if has_cache else "Debug",
            HALFULP_FEWER_TARGETS="OFF" if has_cache else "ON",
            HALFULP_WERROR=cached("HALFULP_WERROR"),
        )
        self.build_and_run()
        targets = run(["ninja", "-C", self.folder, "-t", "targets", "all"])
        self.assertNotRegex(targets, r"halfulp_command|gtest|halfulp/install", "not the library's")

    def test_pkg_config(self):
        for prefix in (self.installed, self.moved):
            for ending in ("c", "cpp"):
                with self.subTest(prefix=prefix.name, ending=ending):
                    program = self.compile(prefix, ending, pkg_config(prefix, "--libs"))
                    self.assert_runs(program, ending, prefix / library_folder())
                    self.assertTrue(needs_shared_library(program))

    def test_pkg_config_of_the_static_library(self):
        for prefix in (self.installed, self.moved):
            for ending in ("c", "cpp"):
                with self.subTest(prefix=prefix.name, ending=ending):
                    flags = pkg_config(prefix, "--static", "--libs")
                    # As in docs/installing.md: -static would ask for a static fmt, which Debian
                    # has not.
                    self.assertIn("-lhalfulp", flags)
                    flags[flags.index("-lhalfulp")] = "-l:libhalfulp.a"
                    program = self.compile(prefix, ending, flags, "--static")
                    self.assert_runs(program, ending)
                    self.assertFalse(needs_shared_library(program))

    def test_pkg_config_names_static_libraries_before_what_they_need(self):
        flags = pkg_config(self.installed, "--static", "--libs")
        order = [flags.index(library) for library in ("-lhalfulp", "-lfmt", "-lstdc++", "-lm")]
        self.assertEqual(order, sorted(order))

    def test_pkg_config_knows_the_version(self):
        version = pkg_config(self.installed, "--modversion")
        self.assertIn(f"{library_folder()}/libhalfulp.so.{version[0]}", files_below(self.installed))

    def compile(self, prefix, ending, libraries, *how):
        """Compiles an example with what pkg-config says."""
        compiler, standard = {
            "c": (arguments.cc, "-std=c99"),
            "cpp": (arguments.cxx, "-std=c++20"),
        }[ending]
        program = self.folder / f"{ending} in {prefix.name}"
        source = prefix / "share/doc/halfulp/examples" / f"first_steps.{ending}"
        run([
            *shlex.split(compiler), standard, *pkg_config(prefix, *how, "--cflags"), source,
            "-o", program, *libraries,
        ])  # fmt: skip
        return program

    def test_make_install_builds_nothing_that_is_built(self):
        if cached("CMAKE_GENERATOR") != "Ninja":
            self.skipTest("the Makefile's builds are Ninja's")
        # A tree whose build/release is this build.
        for name in ("Makefile", "tools"):
            (self.folder / name).symlink_to(arguments.root / name)
        (self.folder / "build").mkdir()
        (self.folder / "build/release").symlink_to(arguments.build)
        before = timestamps(arguments.build)
        stage = self.folder / "stage"
        run(["make", "-C", self.folder, "install", "PREFIX=/opt/half ulp", f"DESTDIR={stage}"])
        self.assertEqual(timestamps(arguments.build), before)
        self.assertEqual(files_below(stage / "opt/half ulp"), expected_files())
        self.assertEqual(os.listdir(stage), ["opt"])


def pkg_config(prefix, *options):
    path = prefix / library_folder() / "pkgconfig"
    environment = os.environ | {"PKG_CONFIG_PATH": str(path)}
    return shlex.split(run(["pkg-config", *options, "halfulp"], env=environment))


def needs_shared_library(program):
    return "libhalfulp.so.0" in run(["readelf", "--dynamic", program])


def timestamps(build):
    """Of what a build step would have changed."""
    patterns = ["*.o", "*.a", "*.so.*", ".ninja_log", ".ninja_deps", "CMakeCache.txt", "*.ninja"]
    return {
        path: path.stat().st_mtime_ns for pattern in patterns for path in build.rglob(pattern)
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=Path, help="the project's folder")
    parser.add_argument("build", type=Path, help="the folder of the build")
    parser.add_argument("--cmake", default="cmake")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--cxx", default="c++")
    arguments, rest = parser.parse_known_args()
    arguments.root = arguments.root.resolve()
    arguments.build = arguments.build.resolve()
    unittest.main(argv=[sys.argv[0], *rest])
