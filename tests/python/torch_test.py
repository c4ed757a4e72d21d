# SPDX-License-Identifier: Apache-2.0
"""PyTorch's tensors. Left out where PyTorch is not installed."""

import importlib.util
import unittest
import warnings

import numpy as np

import array_test_case
import exact
import expected
import halfulp
import random_values
from array_test_case import calls_for, compute

if importlib.util.find_spec("torch"):
    import torch
else:
    torch = None

SHAPE = (3, 4, 5)


def tensor_of(array):
    """numpy and PyTorch do not pass bfloat16 to each other."""
    if array.dtype == exact.DTYPES["bfloat16"]:
        return torch.from_numpy(array.view(np.int16)).view(torch.bfloat16)
    return torch.from_numpy(array)


def array_of(tensor):
    if tensor.dtype == torch.bfloat16:
        return tensor.view(torch.int16).numpy().view(exact.DTYPES["bfloat16"])
    return tensor.numpy()


@unittest.skipUnless(torch, "PyTorch is not installed")
class TorchTest(array_test_case.ArrayTestCase):
    def setUp(self):
        self.rng = np.random.default_rng(1)

    def random_tensor(self, name):
        return tensor_of(random_values.random_array(self.rng, exact.DTYPES[name], SHAPE))

    def assert_tensor(self, actual, right, what=None):
        self.assertIs(type(actual), torch.Tensor)
        self.assert_same_bits(array_of(actual), right, what)

    def check_tensor(self, function, x, **arguments):
        actual = compute(function, x, **arguments)
        if isinstance(arguments.get("dtype"), torch.dtype):
            arguments["dtype"] = str(arguments["dtype"]).removeprefix("torch.")
        right = expected.result(function, array_of(x), **arguments)
        self.assert_tensor(actual, right, f"{function} of {x.dtype}")

    def test_every_type_and_layout(self):
        for name, dtype in exact.DTYPES.items():
            x = self.random_tensor(name)
            layouts = [x, x.permute(2, 0, 1), x[:, ::2, 1::3], x[:1].expand(SHAPE), x[:0]]
            for layout in layouts:
                for function, arguments in calls_for(dtype):
                    self.check_tensor(function, layout, **arguments)

    def test_no_dimensions(self):
        x = torch.ones(2, 3)
        self.assertEqual(halfulp.vector_norm(x, ord=1).shape, ())
        self.check_tensor("vector_norm", x)
        self.check_tensor("reduce_l1", torch.tensor(-2.0))

    def test_another_type(self):
        x = torch.arange(6, dtype=torch.int32).reshape(2, 3)
        for name in exact.DTYPES:
            self.check_tensor("reduce_l2", x, dtype=name)
            self.check_tensor("reduce_l2", x, dtype=getattr(torch, name))
        self.check_tensor("vector_norm", x)

    def test_out(self):
        for name in exact.DTYPES:
            x = self.random_tensor(name)
            right = expected.result("reduce_l1", array_of(x), axes=1)
            for out in (
                torch.empty(3, 1, 5, dtype=x.dtype),
                torch.empty(5, 1, 3, dtype=x.dtype).permute(2, 1, 0),
                torch.empty(6, 4, 15, dtype=x.dtype)[::2, 3:, 1::3],
            ):
                self.assertIs(halfulp.reduce_l1(x, axes=1, out=out), out)
                self.assert_tensor(out.contiguous(), right, name)

    def test_out_of_another_library(self):
        x = torch.ones(2, 3)
        out = np.zeros((1, 3), np.float32)
        self.assertIs(halfulp.reduce_l1(x, axes=0, out=out), out)
        self.assertEqual(out.tolist(), [[2, 2, 2]])
        out = torch.zeros(1, 3)
        self.assertIs(halfulp.reduce_l1(x.numpy(), axes=0, out=out), out)
        self.assertEqual(out.tolist(), [[2, 2, 2]])

    def test_in_place(self):
        for name in exact.FLOATS:
            for axes in ((0, 1, 2), (2, 1, 0)):
                x = self.random_tensor(name).permute(axes)
                right = expected.result("lp_normalize", array_of(x).copy(), axis=1)
                address = x.data_ptr()
                self.assertIs(halfulp.lp_normalize(x, axis=1, out=x), x)
                self.assertEqual(x.data_ptr(), address)
                self.assert_tensor(x.contiguous(), right, name)

    def test_it_is_not_copied(self):
        x = torch.ones(2, 3)
        for out in (x[:1, :1], x.numpy()[:1, :1]):
            with self.assertRaisesRegex(ValueError, "overlaps"):
                halfulp.reduce_l1(x, out=out)

    def test_plan(self):
        x = torch.arange(6.0).reshape(2, 3)
        plan = halfulp.plan("lp_normalize", x.shape, x.dtype)
        self.assert_tensor(plan(x), expected.result("lp_normalize", array_of(x)))
        self.assertIs(plan(x, out=x), x)

    def test_parameters_and_subclasses(self):
        class Own(torch.Tensor):
            pass

        x = torch.tensor([3.0, 4.0])
        parameter = torch.nn.Parameter(x, requires_grad=False)
        for kind in (parameter, x.as_subclass(Own)):
            self.assert_tensor(halfulp.reduce_l2(kind), np.array([5], np.float32))
        self.assert_refused(torch.nn.Parameter(x), ValueError, r"^x requires grad.*detach\(\)")
        with torch.inference_mode():
            self.assert_tensor(halfulp.reduce_l2(x + 0), np.array([5], np.float32))

    def test_result_outlives_the_input(self):
        x = torch.ones(200, 300)
        result = halfulp.lp_normalize(x, p=1)
        del x
        self.assertEqual(halfulp.reduce_l1(result, keepdims=False).item(), 200)
        result += 1
        self.assertTrue((result > 1).all())

    def assert_refused(self, x, exception, message, **arguments):
        with self.assertRaisesRegex(exception, message) as caught:
            halfulp.lp_normalize(x, **arguments)
        self.assertNotIn("\n", str(caught.exception))

    def test_requires_grad(self):
        x = torch.ones(3, requires_grad=True)
        message = r" requires grad, .*detach\(\)"
        self.assert_refused(x, ValueError, "^x" + message)
        self.assert_refused(x * 2, ValueError, "^x" + message)
        with torch.no_grad():
            self.assert_refused(x, ValueError, "^x" + message)
        self.assert_refused(torch.ones(3), ValueError, "^out" + message, out=x)
        self.check_tensor("lp_normalize", x.detach())

    def test_views_of_negated_numbers(self):
        x = torch.ones(3, dtype=torch.complex64).conj().imag
        self.assertTrue(x.is_neg())
        self.assert_refused(x, ValueError, r"^x is a view of negated numbers.*resolve_neg\(\)")
        self.assert_refused(torch.ones(3), ValueError, "^out is a view of negated", out=x)
        self.check_tensor("lp_normalize", x.resolve_neg())

    def test_tensors_without_memory_of_the_processor(self):
        self.assert_refused(torch.ones(3, device="meta"), ValueError, "meta")
        self.assert_refused(torch.ones(3), ValueError, "meta", out=torch.ones(3, device="meta"))

    def test_fake_tensors(self):
        # As torch.compile traces with: on the processor by what they say, but nowhere in memory.
        from torch._subclasses import FakeTensorMode

        fake = FakeTensorMode().from_tensor(torch.ones(3))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            self.assert_refused(fake, (TypeError, ValueError), "^x ")

    def test_other_kinds_of_tensors(self):
        eye = torch.eye(3)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            sparse = [eye.to_sparse(), eye.to_sparse_csr()]
        for x in sparse:
            self.assert_refused(x, BufferError, "layout")
            self.assert_refused(eye, BufferError, "layout", out=x)
        self.assert_refused(torch.ones(3, dtype=torch.complex64).conj(), BufferError, "conjugate")

    def test_other_types(self):
        for dtype in (torch.int8, torch.bool, torch.complex64, torch.float8_e4m3fn):
            x = torch.ones(3).to(dtype)
            self.assert_refused(x, TypeError, f"^x has dtype {dtype} ")

    def test_out_that_does_not_fit(self):
        x = torch.ones(2, 2)
        for out, exception, message in [
            (torch.ones(2, 2, dtype=torch.float64), TypeError, "^out has dtype float64.*float32"),
            (torch.ones(2), ValueError, r"^out has shape .*\(2,2\)"),
            (torch.ones(1, 2).expand(2, 2), ValueError, "output' has strides"),
            (x.T, ValueError, "overlaps the input"),
        ]:
            self.assert_refused(x, exception, message, out=out)
            self.assertTrue((out == 1).all())


if __name__ == "__main__":
    unittest.main()
