# SPDX-License-Identifier: Apache-2.0
"""libhalfulp_bench, by the declarations of bench/native/bench.hpp."""

import ctypes

POINTER, SIZE = ctypes.c_void_p, ctypes.c_size_t


def load(path):
    library = ctypes.CDLL(str(path))
    extents = ctypes.POINTER(ctypes.c_int64)
    for name, result, arguments in (
        ("halfulp_bench_read", ctypes.c_float, (POINTER, SIZE, ctypes.c_uint)),
        ("halfulp_bench_copy", None, (POINTER, POINTER, SIZE, ctypes.c_uint)),
        ("halfulp_bench_target", ctypes.c_char_p, ()),
        ("halfulp_bench_repeat", ctypes.c_int, (POINTER, POINTER, POINTER, POINTER, SIZE)),
        (
            "halfulp_bench_onednn_create",
            POINTER,
            (ctypes.c_int, ctypes.c_int, SIZE, extents, extents, POINTER, POINTER, ctypes.c_int),
        ),
        ("halfulp_bench_onednn_run", None, (POINTER,)),
        ("halfulp_bench_onednn_destroy", None, (POINTER,)),
        ("halfulp_bench_onednn_error", ctypes.c_char_p, ()),
        ("halfulp_bench_onednn_version", ctypes.c_char_p, ()),
    ):
        function = getattr(library, name)
        function.restype = result
        function.argtypes = arguments
    return library
