# SPDX-License-Identifier: Apache-2.0
# The usual ways to build, test and measure. Each preset of CMakePresets.json has its folder
# build/PRESET; everything that is made lies under build/.

JOBS := $(shell nproc)
BUILD = cmake --build --parallel $(JOBS) --preset
CTEST = ctest --parallel $(JOBS) --preset

# Warnings are errors with the compilers that the project is checked with. Others have other
# warnings, which must not keep a user from building.
ifneq ($(shell g++ -dumpversion 2>/dev/null),12)
RELEASE_FLAGS = -DHALFULP_WERROR=OFF
endif

# With the packages that the tests in Python need, among them what builds the Python package.
PYTHON = $(CURDIR)/build/venv/bin/python
PYTHON_FLAGS = -DHALFULP_BUILD_PYTHON=ON -DPython_EXECUTABLE=$(PYTHON)

# The steps of `make test` take all processors themselves.
.NOTPARALLEL:
.PHONY: help deps deps-build deps-python build install wheels demo test test-release test-clang \
	test-sanitize test-threads test-pip test-exhaustive test-arm64 test-avx512 fuzz bench \
	bench-docs lint check-format check-tidy format clean

help: ## list these targets
	@echo "usage: make TARGET"
	@sed -n 's/^\([a-z0-9-]*\):.* ## /\1|/p' $(MAKEFILE_LIST) | \
	  while IFS='|' read -r target text; do printf '  %-16s %s\n' "$$target" "$$text"; done

deps: ## install what building, testing and linting need and this system lacks
	@tools/install-deps

deps-build:
	@tools/install-deps build

deps-python: deps
	@tools/python-env

build: deps-build ## build the library and the command, which lands at build/halfulp
	@# Tests stay out of a new folder and, so that no object is built twice, in one that has them.
	cmake --preset release $(RELEASE_FLAGS) \
	  $(if $(wildcard build/release/CMakeCache.txt),,-DHALFULP_BUILD_TESTS=OFF)
	$(BUILD) release --target halfulp_installed
	@ln -sfn release/halfulp build/halfulp

PREFIX = /usr/local

# Builds only where something is missing or out of date, so that `sudo make install` after
# `make build` leaves nothing of root's in build/ but the list of what was installed. The next
# installation, which may be another user's, makes that list anew.
install: ## install under PREFIX (default: /usr/local); DESTDIR is put before it
	@ninja -C build/release -n halfulp_installed 2>/dev/null | grep -q 'no work to do' || $(MAKE) build
	@rm -f build/release/install_manifest.txt
	DESTDIR='$(DESTDIR)' cmake --install build/release --prefix '$(PREFIX)'
	@# The loader finds a new shared library in /usr/local/lib and its like by its cache.
	@if [ -z '$(DESTDIR)' ] && [ "$$(id -u)" = 0 ] && [ -x /sbin/ldconfig ]; then /sbin/ldconfig; fi

wheels: build deps-python ## make wheels of the Python package and its source package, in build/wheels
	tools/build-wheels build/wheels build/release $(PYTHON) $$(tools/find-pythons)

demo: build ## normalise word embeddings and compare the sums with plain float's
	$(BUILD) release --target halfulp_examples
	examples/run-demo build/release

test: deps check-format test-release test-clang test-sanitize ## build with each compiler, run every test but the exhaustive ones
	@echo "make test: everything passed"

test-release: deps-python ## build with GCC, test
	cmake --preset release $(RELEASE_FLAGS) -DHALFULP_BUILD_TESTS=ON \
	  $(PYTHON_FLAGS) -DHALFULP_TEST_PYTHON=$(PYTHON)
	$(BUILD) release
	$(CTEST) release

test-clang: deps ## build with Clang, test
	cmake --preset clang
	$(BUILD) clang
	$(CTEST) clang

test-sanitize: deps-python ## build with Clang's address and undefined-behaviour sanitizers, test
	cmake --preset sanitize $(PYTHON_FLAGS)
	$(BUILD) sanitize
	$(CTEST) sanitize

test-threads: deps ## build with Clang's thread sanitizer, run the tests with threads
	cmake --preset thread
	$(BUILD) thread
	$(CTEST) thread

test-pip: deps-python ## install the Python package from source with pip, test
	tests/package/pip-install $(PYTHON)

test-exhaustive: deps ## run the tests of whole value ranges, which take long
	cmake --preset release $(RELEASE_FLAGS) -DHALFULP_BUILD_TESTS=ON
	$(BUILD) release
	$(CTEST) exhaustive

test-arm64: ## cross-compile for AArch64, test under QEMU
	@tools/install-deps arm64
	cmake --preset arm64
	$(BUILD) arm64
	$(CTEST) arm64

# The targets that only processors with AVX-512 have. Bochs 2.7 gets some instructions that AVX2 has,
# too, wrong: the same program gives other digests on a processor than on Bochs. So what AVX-512 has to
# match is what AVX2 gives on the same machine.
test-avx512: ## compare the digests of AVX-512 with those of AVX2 on an emulated processor
	@tools/install-deps avx512
	cmake --preset release $(RELEASE_FLAGS) -DHALFULP_BUILD_TESTS=ON
	$(BUILD) release --target halfulp_digests
	tests/avx512/run-emulated build/avx512 \
	  "build/release/tests/digests/halfulp_digests --target AVX2 --update emulated.txt" \
	  "build/release/tests/digests/halfulp_digests --target AVX3 --check emulated.txt"

# How long each target runs.
FUZZ_SECONDS = 300

fuzz: deps ## look for files that break the readers, FUZZ_SECONDS (300) for each kind
	cmake --preset sanitize
	$(BUILD) sanitize --target halfulp_fuzz
	tests/fuzz/run-fuzz build/sanitize/tests/fuzz build/fuzz $(FUZZ_SECONDS)

# More words for bench/run.py; `build/bench/venv/bin/python bench/run.py --help` lists them.
BENCH_ARGS =

bench: ## measure this and other libraries side by side; BENCH_ARGS='--case PATTERN --quick ...'
	@tools/install-deps bench
	@bench/python-env
	cmake --preset release $(RELEASE_FLAGS) -DHALFULP_BUILD_BENCH=ON \
	  $(if $(wildcard build/release/CMakeCache.txt),,-DHALFULP_BUILD_TESTS=OFF)
	$(BUILD) release --target halfulp_bench halfulp_micro
	build/bench/venv/bin/python bench/run.py $(BENCH_ARGS)
	$(if $(filter --list --help -h,$(BENCH_ARGS)),,bench/report.py build/bench/results.json --folder build/bench/report)

bench-docs: ## make docs/benchmarks.md from the last `make bench`
	bench/report.py build/bench/results.json --folder docs

lint: deps-python check-format check-tidy ## check the layout and the habits of the sources, which takes long

check-format:
	@tools/list-sources | xargs clang-format-16 --dry-run -Werror
	@echo "clang-format: every source is laid out as .clang-format says"

check-tidy:
	@cmake --preset tidy $(PYTHON_FLAGS) >/dev/null
	@echo "clang-tidy: takes some ten minutes and more"
	@run-clang-tidy-16 -quiet -p build/tidy -j $(JOBS) '^$(CURDIR)/' >build/clang-tidy.log 2>&1 || \
	  { grep -v ' warnings generated' build/clang-tidy.log; exit 1; }
	@echo "clang-tidy: nothing found"

format: deps ## lay out the sources as .clang-format says
	tools/list-sources | xargs clang-format-16 -i

clean: ## remove build/
	rm -rf build
