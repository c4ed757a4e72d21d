# SPDX-License-Identifier: Apache-2.0
"""Arrays of other libraries, by DLPack: JAX's, and some of our own."""

import ctypes
import sys
import unittest

import jax
import jax.numpy as jnp
import ml_dtypes
import numpy as np

import array_test_case
import exact
import expected
import halfulp
import random_values
from array_test_case import calls_for, compute

SHAPE = (3, 4, 5)
CPU = (1, 0)
CUDA = (2, 0)


class Producer:
    """A library's array that has nothing but DLPack."""

    def __init__(self, array, device=CPU):
        self.array = array
        self.device_of_dlpack = device

    def __dlpack__(self, **arguments):
        return self.array.__dlpack__(**arguments)

    def __dlpack_device__(self):
        return self.device_of_dlpack


class OldProducer(Producer):
    """Of the time before DLPack 1, which makes capsules without a version."""

    def __dlpack__(self, stream=None):
        return self.array.__dlpack__()


class FailingProducer(Producer):
    def __dlpack__(self, **arguments):
        raise BufferError("not today")


class ProducerTest(array_test_case.ArrayTestCase):
    def setUp(self):
        rng = np.random.default_rng(1)
        names = exact.DTYPES.keys() - {"bfloat16"}  # which numpy does not give by DLPack
        self.arrays = [random_values.random_array(rng, exact.DTYPES[n], SHAPE) for n in names]

    def test_results_are_numpy_arrays(self):
        for data in self.arrays:
            for array in (data, data.T, data[::-1, :, ::2], data[:0], np.array(data[0, 0, 0])):
                if array.ndim != 3:
                    self.check("reduce_l1", Producer(array), array)
                    continue
                for function, arguments in calls_for(data.dtype):
                    self.check(function, Producer(array), array, **arguments)

    def test_old_producer(self):
        for data in self.arrays:
            for function, arguments in calls_for(data.dtype):
                self.check(function, OldProducer(data), data, **arguments)

    def test_read_only(self):
        data = np.arange(3.0)
        data.flags.writeable = False
        self.check("reduce_l2", Producer(data), data)

    def test_it_is_not_copied(self):
        # A result on top of it is refused, so it was read where it is.
        data = np.ones((2, 4))
        for kind in (Producer, OldProducer):
            with self.assertRaisesRegex(ValueError, "overlaps"):
                halfulp.reduce_l1(kind(data), out=data[:1, :1])
            self.assertIs(halfulp.lp_normalize(kind(data), out=data), data)
            self.assertTrue((data == 0.5).all())
            data[...] = 1

    def test_it_is_given_back(self):
        data = np.ones((2, 3))
        for kind in (Producer, OldProducer):
            x = kind(data)
            before = sys.getrefcount(data)
            halfulp.reduce_l1(x)
            with self.assertRaises(ValueError):
                halfulp.reduce_l1(x, axes=2)
            self.assertEqual(sys.getrefcount(data), before)

    def test_plan(self):
        data = np.arange(6.0).reshape(2, 3)
        plan = halfulp.plan("reduce_l2", (2, 3), float, axes=1)
        self.assert_same_bits(plan(Producer(data)), expected.result("reduce_l2", data, axes=1))

    def test_another_device(self):
        x = Producer(np.ones(3), CUDA)
        with self.assertRaisesRegex(ValueError, r"^x is on the device \(2, 0\), .*cpu\(\)"):
            halfulp.reduce_l1(x)
        x.device = "gpu 3"
        with self.assertRaisesRegex(ValueError, "^x is on the device gpu 3, "):
            halfulp.lp_normalize(x)

    def test_memory_that_cuda_and_rocm_share_with_the_processor(self):
        for kind in (3, 11):
            x = Producer(np.ones(3), (kind, 0))
            self.check("reduce_l1", x, np.ones(3))

    def test_errors_of_the_producer_come_through(self):
        with self.assertRaisesRegex(BufferError, "^not today$"):
            halfulp.reduce_l1(FailingProducer(np.ones(3)))

    def test_other_types(self):
        for dtype in (np.int8, np.complex64, bool):
            with self.assertRaisesRegex(TypeError, "^x has .*allowed: bfloat16"):
                halfulp.reduce_l1(Producer(np.ones(3, dtype)))

    def test_what_is_no_capsule(self):
        x = Producer(np.ones(3))
        x.array = type("Liar", (), {"__dlpack__": lambda self, **arguments: 3})()
        with self.assertRaisesRegex(TypeError, "^x ") as caught:
            halfulp.reduce_l1(x)
        self.assertNotIn("\n", str(caught.exception))

    def test_out_is_not_written_by_dlpack(self):
        with self.assertRaisesRegex(TypeError, "^out is of type Producer "):
            halfulp.reduce_l1(np.ones(3), out=Producer(np.ones(1)))


class JaxTest(array_test_case.ArrayTestCase):
    def check_jax(self, function, x, **arguments):
        actual = compute(function, x, **arguments)
        self.assertIsInstance(actual, jax.Array)
        right = expected.result(function, np.asarray(x), **arguments)
        self.assert_same_bits(np.asarray(actual), right, f"{function} of {x.dtype} {arguments}")

    def test_results_are_jax_arrays(self):
        rng = np.random.default_rng(2)
        with jax.enable_x64(True):
            for dtype in exact.DTYPES.values():
                x = jnp.asarray(random_values.random_array(rng, dtype, SHAPE))
                self.assertEqual(x.dtype, dtype)
                for array in (x, x.T, x[:0]):
                    for function, arguments in calls_for(dtype):
                        self.check_jax(function, array, **arguments)

    def test_another_type(self):
        x = jnp.arange(6, dtype=jnp.int32)
        self.check_jax("reduce_l2", x, dtype=jnp.bfloat16)
        self.check_jax("reduce_l2", x, dtype=ml_dtypes.bfloat16)
        self.check_jax("reduce_l1", x.astype(jnp.bfloat16), dtype="float32")
        with jax.enable_x64(True):
            self.check_jax("reduce_l1", x, dtype="uint64")

    def test_64_bits_without_x64_come_back_as_numpy(self):
        self.assertFalse(jax.config.jax_enable_x64)
        x = jnp.asarray([[3, -4], [5, 12]], jnp.int32)
        data = np.asarray(x)
        for dtype in ("float64", "int64", "uint64"):
            self.check("reduce_l1", x, data, dtype=dtype)
        self.check("vector_norm", x, data, axis=1)
        self.check("lp_normalize", x.astype(jnp.float32), data.astype(np.float32), dtype="float64")

    def test_no_dimensions(self):
        self.check_jax("vector_norm", jnp.ones((2, 3)))
        self.check_jax("reduce_l1", jnp.float32(-2))

    def test_it_is_not_copied(self):
        x = jnp.ones((2, 3)) + 1
        memory = (ctypes.c_float * 6).from_address(x.unsafe_buffer_pointer())
        out = np.frombuffer(memory, np.float32).reshape(2, 3)
        with self.assertRaisesRegex(ValueError, "overlaps"):
            halfulp.reduce_l1(x, out=out[:1, :1])
        self.assertTrue((x == 2).all())

    def test_result_outlives_the_input(self):
        x = jnp.ones((200, 300))
        result = halfulp.lp_normalize(x, p=1)
        del x
        self.assertEqual(float(halfulp.reduce_l1(result, keepdims=False)), 200)

    def test_results_are_of_use(self):
        result = jax.jit(lambda a: a * 2)(halfulp.reduce_l1(jnp.ones((2, 3)), axes=1))
        self.assertEqual(result.tolist(), [[6], [6]])

    def test_numpy_out(self):
        out = np.zeros((1, 1), np.float32)
        self.assertIs(halfulp.reduce_l1(jnp.ones((2, 3)), out=out), out)
        self.assertEqual(out, 6)

    def test_other_types(self):
        for x in (jnp.ones(3, jnp.int8), jnp.ones(3, bool), jnp.ones(3, jnp.complex64)):
            with self.assertRaisesRegex(TypeError, f"^x has dtype {x.dtype} "):
                halfulp.reduce_l1(x)


if __name__ == "__main__":
    unittest.main()
