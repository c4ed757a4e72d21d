# SPDX-License-Identifier: Apache-2.0
"""Calls from many threads, and from processes that were forked in the midst of them."""

import multiprocessing
import os
import sys
import threading
import time
import unittest
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import halfulp

CALLERS = 16
CALLS = 1000
LIMIT_SECONDS = 60

# Beyond what a call computes on the calling thread alone.
LARGE = np.random.default_rng(1).normal(0, 1, (500, 600)).astype(np.float32)
SMALL = LARGE[:7, :11]


def all_of(x, threads=None):
    """Results of every kind of work: rows, columns, one long slice, quotients."""
    results = [
        halfulp.reduce_l1(x, axes=1, threads=threads),
        halfulp.reduce_l2(x, axes=0, threads=threads),
        halfulp.reduce_sum_square(x, threads=threads),
        halfulp.lp_normalize(x, threads=threads),
    ]
    return [result.tobytes() for result in results]


def results_with_every_number_of_threads(_=None):
    return [all_of(LARGE, threads) for threads in (1, 2, None)]


class ManyThreadsTest(unittest.TestCase):
    def test_same_bits(self):
        right = {True: all_of(LARGE, 1), False: all_of(SMALL, 1)}
        plan = halfulp.plan("reduce_l2", LARGE.shape, LARGE.dtype, axes=0)

        def call(number):
            large = number % 20 == 0
            if large and plan(LARGE).tobytes() != right[True][1]:
                return "plan"
            same = all_of(LARGE if large else SMALL) == right[large]
            return None if same else f"call {number}"

        with ThreadPoolExecutor(CALLERS) as pool:
            wrong = [what for what in pool.map(call, range(CALLS)) if what]
        self.assertEqual(wrong, [])

    def test_errors_in_many_threads(self):
        def call(number):
            with self.assertRaises(ValueError) as caught:
                halfulp.reduce_l1(SMALL, axes=number)
            return str(caught.exception)

        with ThreadPoolExecutor(CALLERS) as pool:
            for number, message in enumerate(pool.map(call, range(2, 200)), 2):
                self.assertIn(f"axis {number} is out of range", message)

    def test_numbers_of_threads_give_the_same_bits(self):
        one, two, default = results_with_every_number_of_threads()
        self.assertEqual(one, two)
        self.assertEqual(one, default)


class InterpreterTest(unittest.TestCase):
    """Other threads run Python while one computes."""

    def setUp(self):
        # From now on, no thread gets the interpreter unless another one gives it away.
        self.addCleanup(sys.setswitchinterval, sys.getswitchinterval())
        sys.setswitchinterval(1e6)

    def check(self, compute):
        waiting = threading.Semaphore(0)
        progress = []

        def wait():
            waiting.acquire()
            progress.append(True)

        thread = threading.Thread(target=wait)
        thread.start()
        waiting.release()
        end = time.monotonic() + LIMIT_SECONDS
        while not progress and time.monotonic() < end:
            compute()
        made_progress = bool(progress)
        thread.join()
        self.assertTrue(made_progress)

    def test_functions(self):
        self.check(lambda: halfulp.reduce_l1(LARGE, threads=1))
        self.check(lambda: halfulp.lp_normalize(LARGE))

    def test_plan(self):
        plan = halfulp.plan("reduce_l2", LARGE.shape, LARGE.dtype)
        self.check(lambda: plan(LARGE))


class ProcessTest(unittest.TestCase):
    def setUp(self):
        self.right = results_with_every_number_of_threads()
        with ThreadPoolExecutor(CALLERS) as pool:
            for results in pool.map(results_with_every_number_of_threads, range(CALLERS)):
                self.assertEqual(results, self.right)

    def exit_status(self, child):
        end = time.monotonic() + LIMIT_SECONDS
        while time.monotonic() < end:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.01)
        os.kill(child, 9)
        os.waitpid(child, 0)
        self.fail(f"the child did not end within {LIMIT_SECONDS} s")

    def fork(self):
        with warnings.catch_warnings():
            # That the parent has threads is the point.
            warnings.simplefilter("ignore", DeprecationWarning)
            return os.fork()

    def check_fork(self):
        child = self.fork()
        if child == 0:
            status = 1
            try:
                status = 0 if results_with_every_number_of_threads() == self.right else 2
            finally:
                os._exit(status)
        self.assertEqual(self.exit_status(child), 0)

    def test_fork(self):
        for _ in range(5):
            self.check_fork()
        self.assertEqual(results_with_every_number_of_threads(), self.right)

    def test_fork_while_others_compute(self):
        stop = threading.Event()

        def compute():
            while not stop.is_set():
                all_of(LARGE)

        threads = [threading.Thread(target=compute) for _ in range(3)]
        for thread in threads:
            thread.start()
        try:
            for _ in range(5):
                self.check_fork()
        finally:
            stop.set()
            for thread in threads:
                thread.join()

    def test_fork_of_a_fork(self):
        child = self.fork()
        if child == 0:
            status = 1
            try:
                self.assertEqual(results_with_every_number_of_threads(), self.right)
                self.check_fork()
                status = 0
            finally:
                os._exit(status)
        self.assertEqual(self.exit_status(child), 0)

    def check_pool(self, method):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            pool = multiprocessing.get_context(method).Pool(2)
        with pool:
            done = pool.map_async(results_with_every_number_of_threads, range(4))
            for results in done.get(LIMIT_SECONDS):
                self.assertEqual(results, self.right)

    def test_multiprocessing_by_fork(self):
        self.check_pool("fork")

    def test_multiprocessing_by_spawn(self):
        self.check_pool("spawn")


if __name__ == "__main__":
    unittest.main()
