"""CUDA kernels compiled as plain C++ and run by the processor, one thread after another.

Where threads of a block wait for each other, blocks have one thread.
"""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from functools import cache

import pytest

from thresher._core.cuda.launch import source

PRELUDE = """
#include <cmath>
#include <cstddef>
using std::floor;
#define __device__ inline
#define __global__
#define __shared__ static
static void __syncthreads() {}
struct uint4 { unsigned x, y, z, w; };
struct Place { unsigned x, y, z; };
static unsigned long long atomicAdd(unsigned long long* total, unsigned long long more) {
    const unsigned long long before = *total;
    *total += more;
    return before;
}
static void atomicMax(unsigned long long* most, unsigned long long other) {
    if (*most < other) *most = other;
}
static const int warpSize = 1;  // no thread has neighbours to ask
template <class T>
static T __shfl_down_sync(unsigned, T value, int) { return value; }
static Place blockIdx, threadIdx, blockDim, gridDim;
"""
LOOP = """
extern "C" __attribute__((visibility("default")))
void start_{name}(unsigned blocks, unsigned rows, unsigned threads, void** a) {{
    if ({alone}) threads = 1;
    blockDim.x = threads;
    gridDim.x = blocks;
    for (blockIdx.y = 0; blockIdx.y < rows; ++blockIdx.y)
        for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
            for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) {name}({arguments});
}}
"""


def launcher_on_host(folder):
    """Return a stand-in for `cuda.launcher`: it starts kernels with tensors of PyTorch in main memory."""

    @cache
    def made(file, words):
        name = "_".join((file, *(word for _, word in words))).replace(".", "_").replace(" ", "_")
        return _compiled(source(file, words), folder / name)

    return lambda file, array, **words: made(file, tuple(words.items()))


def _compiled(text, path):
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("the tests of CUDA kernels need a C++ compiler")
    loops = []
    for name, parameters in re.findall(r"__global__ void (\w+)\(([^)]*)\)", text):
        kinds = [re.sub(r"\w+$", "", part.strip()) for part in parameters.split(",")]
        casts = ", ".join(f"({kind})a[{k}]" for k, kind in enumerate(kinds))  # pointers, or the numbers themselves
        loops.append(LOOP.format(name=name, arguments=casts, alone=int("__syncthreads" in text)))
    written, built = path.with_suffix(".cpp"), path.with_suffix(".so")
    written.write_text(PRELUDE + text + "".join(loops), encoding="utf-8")
    flags = [
        "-std=c++17",
        "-O1",
        "-shared",
        "-fPIC",
        "-fvisibility=hidden",  # of two files that differ in a type, each keeps its own
        "-w",
        "-ffp-contract=off",
        "-fsanitize=undefined",
        "-fsanitize-undefined-trap-on-error",
    ]
    subprocess.run([compiler, *flags, str(written), "-o", str(built)], check=True, capture_output=True, text=True)
    library = ctypes.CDLL(str(built))

    def launch(name, blocks, threads, given):
        assert all(isinstance(one, int) or one.is_contiguous() for one in given)
        values = [one if isinstance(one, int) else one.data_ptr() for one in given]
        places = (ctypes.c_void_p * len(values))(*(value % 2**64 for value in values))
        getattr(library, f"start_{name}")(*blocks, threads, places)

    return launch
