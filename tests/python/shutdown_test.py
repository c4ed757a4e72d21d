# SPDX-License-Identifier: Apache-2.0
"""Interpreters that end, or are not the first one."""

import subprocess
import sys
import textwrap
import unittest

TIMEOUT_SECONDS = 120

DAEMONS = """
    import threading, numpy as np, halfulp

    x = np.ones((1000, 1000), np.float32)
    plan = halfulp.plan("reduce_l2", (1 << 24,), np.float32)
    ones = np.ones(1 << 24, np.float32)
    begun = threading.Barrier(5)

    def compute(f, x):
        f(x)
        begun.wait()
        while True:
            f(x)

    for i in range(4):
        work = [(halfulp.lp_normalize, x), (plan, ones)][i % 2]
        threading.Thread(target=compute, args=work, daemon=True).start()
    begun.wait()
"""

AT_EXIT = """
    import atexit, numpy as np

    x = np.ones((1000, 1000), np.float32)
    # Registered before the module's own handler, so it is called after it.
    atexit.register(lambda: print(float(halfulp.reduce_l1(x)[0, 0])))
    import halfulp
"""

FORK = """
    import os, sys, threading, numpy as np, halfulp

    x = np.ones((300, 300), np.float32)

    def compute():
        while True:
            halfulp.lp_normalize(x)

    for _ in range(4):
        threading.Thread(target=compute, daemon=True).start()
    for _ in range(20):
        child = os.fork()
        if child == 0:
            sys.exit(0 if halfulp.reduce_l1(x)[0, 0] == 90000 else 1)
        assert os.waitpid(child, 0)[1] == 0
"""

OTHER_INTERPRETER = """
    import halfulp

    try:
        import _interpreters as interpreters
    except ImportError:
        import _xxsubinterpreters as interpreters

    interpreters.run_string(interpreters.create(), '''if True:
        try:
            import halfulp
        except ImportError as error:
            print(error)
    ''')
"""


def run(program):
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )


class ShutdownTest(unittest.TestCase):
    def expect(self, program, output=""):
        done = run(program)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, output, ""))

    def test_while_daemon_threads_compute(self):
        for _ in range(5):
            self.expect(DAEMONS)

    def test_calls_of_the_last_hour(self):
        self.expect(AT_EXIT, "1000000.0\n")

    def test_in_a_child_of_busy_threads(self):
        self.expect(FORK)

    def test_another_interpreter_is_refused(self):
        self.expect(OTHER_INTERPRETER, "halfulp works in the main interpreter only\n")


if __name__ == "__main__":
    unittest.main()
