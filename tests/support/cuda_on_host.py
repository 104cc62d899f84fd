"""CUDA kernels compiled as plain C++ and run by the processor, one thread after another; none waits for another."""

from __future__ import annotations

import ctypes
import re
import shutil
import subprocess
from importlib import resources

import pytest

PRELUDE = """
#include <cstddef>
#define __device__ static inline
#define __global__
struct uint4 { unsigned x, y, z, w; };
struct Place { unsigned x, y, z; };
static Place blockIdx, threadIdx, blockDim;
"""
LOOP = """
extern "C" void start_{name}(unsigned blocks, unsigned rows, unsigned threads, void** a) {{
    blockDim.x = threads;
    for (blockIdx.y = 0; blockIdx.y < rows; ++blockIdx.y)
        for (blockIdx.x = 0; blockIdx.x < blocks; ++blockIdx.x)
            for (threadIdx.x = 0; threadIdx.x < threads; ++threadIdx.x) {name}({arguments});
}}
"""


def launcher_on_host(file, folder):
    """Return what starts the kernels of a file with tensors of PyTorch in main memory."""
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        pytest.skip("the tests of CUDA kernels need a C++ compiler")
    source = resources.files("thresher._core.cuda").joinpath(file).read_text(encoding="utf-8")
    loops = []
    for name, parameters in re.findall(r"__global__ void (\w+)\(([^)]*)\)", source):
        kinds = [re.sub(r"\w+$", "", part.strip()) for part in parameters.split(",")]
        casts = ", ".join(f"({kind})a[{k}]" for k, kind in enumerate(kinds))
        loops.append(LOOP.format(name=name, arguments=casts))
    path = folder / f"{file}.cpp"
    path.write_text(PRELUDE + source + "".join(loops), encoding="utf-8")
    built = folder / f"{file}.so"
    flags = [
        "-std=c++17",
        "-O1",
        "-shared",
        "-fPIC",
        "-w",
        "-fsanitize=undefined",
        "-fsanitize-undefined-trap-on-error",
    ]
    subprocess.run([compiler, *flags, str(path), "-o", str(built)], check=True, capture_output=True, text=True)
    library = ctypes.CDLL(str(built))

    def launch(name, blocks, threads, arrays):
        assert all(array.is_contiguous() for array in arrays)
        pointers = (ctypes.c_void_p * len(arrays))(*(array.data_ptr() for array in arrays))
        getattr(library, f"start_{name}")(*blocks, threads, pointers)

    return launch
