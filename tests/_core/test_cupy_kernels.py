"""The kernels for CuPy without its device: their texts are compiled for the processor and called as CuPy would."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
import types

import numpy as np
import pytest

from thresher._core import cupy_kernels

COMPILER = shutil.which("g++") or shutil.which("clang++")
pytestmark = pytest.mark.skipif(COMPILER is None, reason="a C++ compiler stands in for the device's")

TYPES = {"int8": "signed char", "int16": "short", "int32": "int", "int64": "long long"}
# One thread a block: a warp of one adds what it found itself.
DEVICE = """
#define __device__
#define __global__
static struct { long long x; } blockIdx, blockDim = {1}, threadIdx = {0};
static unsigned long long __shfl_down_sync(unsigned, unsigned long long, int) { return 0; }
static void atomicAdd(unsigned long long* total, unsigned long long more) { *total += more; }
"""


def pointer(array):
    return array.ctypes.data_as(ctypes.c_void_p)


@pytest.fixture
def device(tmp_path, monkeypatch):
    """Put a stand-in for CuPy in its place, whose arrays are NumPy's."""

    def compiled(text):
        place = tmp_path / f"{len(list(tmp_path.iterdir()))}.cpp"
        place.write_text(text)
        made = place.with_suffix(".so")
        subprocess.run([COMPILER, "-shared", "-fPIC", "-O1", "-w", place, "-o", made], check=True)
        return ctypes.CDLL(str(made))

    def elementwise(inputs, output, body, name):
        def call(bits, positive, *numbers):
            takes = [word.split() for word in inputs.split(",")][2:]
            given = "".join(f"T {one} = (T){int(value)}LL;" for (_, one), value in zip(takes, numbers, strict=True))
            library = compiled(
                f"typedef {TYPES[bits.dtype.name]} T;\n"
                'extern "C" void run(long long n, const T* every, const bool* which, T* out) {'
                f"{given} for (long long i = 0; i < n; ++i) {{ T bits = every[i]; bool positive = which[i]; "
                f"{output}; {body} out[i] = packed; }} }}"
            )
            out = np.empty_like(bits)
            library.run(ctypes.c_longlong(bits.size), pointer(bits), pointer(positive), pointer(out))
            return out

        return call

    def raw(text, name):
        key = re.search(r"const (.+?)\* few", text)[1]
        library = compiled(
            DEVICE + text + 'extern "C" void run(long long blocks, const void* few, long long n, const void* many, '
            "long long size, long long shift, unsigned long long* total) { for (blockIdx.x = 0; blockIdx.x < blocks; "
            f"++blockIdx.x) {name}((const {key}*)few, n, (const {key}*)many, size, ({key})shift, total); }}"
        )

        def call(blocks, threads, given):
            few, count, many, size, shift, total = given
            numbers = (ctypes.c_longlong(int(number)) for number in (count, size, shift))
            n, length, moved = numbers
            each = ctypes.c_longlong(blocks[0] * threads[0])
            library.run(each, pointer(few), n, pointer(many), length, moved, pointer(total))

        return call

    stand_in = types.ModuleType("cupy")
    stand_in.zeros, stand_in.uint64, stand_in.int64 = np.zeros, np.uint64, np.int64
    stand_in.ElementwiseKernel, stand_in.RawKernel = elementwise, raw
    monkeypatch.setitem(__import__("sys").modules, "cupy", stand_in)
    caches = cupy_kernels._packing, cupy_kernels._meeting
    for each in caches:
        each.cache_clear()
    yield
    for each in caches:
        each.cache_clear()


@pytest.mark.parametrize("dtype", ["int16", "int32", "int64"])
def test_pairs_that_meet_are_counted(device, dtype):
    rng = np.random.default_rng(0)
    many = np.sort(rng.integers(-300, 300, 2000).astype(dtype))
    for few, shift in ((0, 0), (1, 0), (7, 37), (3000, 0), (3000, 37)):
        some = np.sort(rng.integers(-200, 450, few).astype(dtype))
        wanted = some.astype(np.int64) - shift
        exact = sum(int(np.searchsorted(many, wanted, side=side).sum()) for side in ("left", "right"))
        assert cupy_kernels.twice_beaten(many, some, shift) == exact
        assert cupy_kernels.twice_beaten(many[:0], some, shift) == 0


@pytest.mark.parametrize(("dtype", "same"), [(np.float32, np.int32), (np.float64, np.int64)])
def test_packed_keys_keep_the_order_within_each_class(device, dtype, same):
    rng = np.random.default_rng(0)
    scores = np.concatenate((rng.normal(size=500), [0.0, -0.0, 1.5, -1.5])).astype(dtype)
    positive = rng.random(scores.size) < 0.4
    bits, most = scores.view(same), int(np.iinfo(same).max)
    reach = 2 ** (8 * dtype().itemsize - 2) - 2
    gap = max(int(np.abs(scores).max().view(same)) - reach, 0)
    found = cupy_kernels.packed(bits, positive, flip=most, gap=gap, least=-reach, past=reach + 1)
    assert (found[positive] >= 0).all()
    assert (found[~positive] < 0).all()
    for mine in (positive, ~positive):
        order = np.argsort(scores[mine], kind="stable")
        steps, keys = np.diff(scores[mine][order]), found[mine][order].astype(object)
        assert ((np.diff(keys) > 0) == (steps > 0)).all()
