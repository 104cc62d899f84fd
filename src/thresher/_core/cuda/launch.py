"""Kernels of this folder compiled for the device of an array, and started there.

PyTorch and CuPy bring NVIDIA's run-time compiler along; nothing else has to be installed. Where there is none, or no
CUDA, there is no launcher, and callers compute in another way.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import array_api_compat
import numpy as np

_AS_WRITTEN = "--fmad=false"
"""A product and a sum are rounded apart, as the processor does it."""
KernelWords = tuple[tuple[str, str], ...]
Launch = Callable[[str, tuple[int, int], int, Sequence[Any]], None]
"""Starts a kernel by name, with so many blocks along x and y, threads in each, and its arguments: arrays, integers."""


def launcher(file: str, array: Any, **words: str) -> Launch | None:
    """Return what starts the kernels of a file of this folder where an array lives; None where that cannot be."""
    if array_api_compat.is_cupy_array(array):
        return _of_cupy(file, tuple(words.items()), int(array.device.id))
    if array_api_compat.is_torch_array(array) and array.device.type == "cuda":
        return _of_torch(file, tuple(words.items()), int(array.device.index or 0))
    return None


def contiguous(array: Any) -> Any:
    """Return an array whose elements follow each other in memory."""
    if array_api_compat.is_torch_array(array):
        return array.contiguous()
    return array_api_compat.array_namespace(array).ascontiguousarray(array)


def source(file: str, words: KernelWords) -> str:
    """Return the text of a file of this folder, with its own words where others stand for them."""
    text = resources.files(__package__).joinpath(file).read_text(encoding="utf-8")
    for word, meaning in words:
        text = re.sub(rf"\b{word}\b", meaning, text)
    return text


@cache
def _of_cupy(file: str, words: KernelWords, index: int) -> Launch | None:
    import cupy

    try:
        with cupy.cuda.Device(index):
            module = cupy.RawModule(code=source(file, words), options=(_AS_WRITTEN,))
            module.compile()
    except (cupy.cuda.compiler.CompileException, cupy.cuda.driver.CUDADriverError, RuntimeError, OSError):
        return None

    def launch(name: str, blocks: tuple[int, int], threads: int, given: Sequence[Any]) -> None:
        with cupy.cuda.Device(index):
            values = tuple(np.int64(one) if isinstance(one, int) else one for one in given)
            module.get_function(name)(blocks, (threads,), values)

    return launch


@cache
def _of_torch(file: str, words: KernelWords, index: int) -> Launch | None:
    import torch

    library = _nvidia(Path(torch.__file__).parent / "lib")
    if torch.version.cuda is None or library is None:
        return None
    try:
        with torch.cuda.device(index):
            torch.cuda.current_stream()  # makes the context of this device the current one
            major, minor = torch.cuda.get_device_capability(index)
            module = ctypes.c_void_p()
            code = _compiled(library, source(file, words), f"sm_{major}{minor}")
            _check(library.cuModuleLoadData(ctypes.byref(module), code))
    except (RuntimeError, AttributeError):
        return None

    @cache
    def function(name: str) -> ctypes.c_void_p:
        found = ctypes.c_void_p()
        _check(library.cuModuleGetFunction(ctypes.byref(found), module, name.encode()))
        return found

    def launch(name: str, blocks: tuple[int, int], threads: int, given: Sequence[Any]) -> None:
        values = [ctypes.c_longlong(one if isinstance(one, int) else one.data_ptr()) for one in given]
        places = (ctypes.c_void_p * len(values))(*(ctypes.addressof(value) for value in values))
        with torch.cuda.device(index):
            stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
            sizes = (*blocks, 1, threads, 1, 1, 0)
            _check(library.cuLaunchKernel(function(name), *sizes, stream, places, None))

    return launch


@cache
def _nvidia(folder: Path) -> ctypes.CDLL | None:
    """Return a library through which both the driver and the compiler are found: PyTorch links one to both."""
    try:
        library = ctypes.CDLL(str(folder / "libcaffe2_nvrtc.so"))
        for name in ("cuLaunchKernel", "nvrtcCompileProgram"):
            getattr(library, name)
    except (OSError, AttributeError):
        return None
    return library


def _compiled(library: Any, text: str, target: str) -> bytes:
    """Return machine code for a device."""
    program, size = ctypes.c_void_p(), ctypes.c_size_t()
    _check(library.nvrtcCreateProgram(ctypes.byref(program), text.encode(), b"thresher.cu", 0, None, None))
    try:
        options = (ctypes.c_char_p * 2)(f"--gpu-architecture={target}".encode(), _AS_WRITTEN.encode())
        _check(library.nvrtcCompileProgram(program, 2, options))
        _check(library.nvrtcGetCUBINSize(program, ctypes.byref(size)))
        code = ctypes.create_string_buffer(size.value)
        _check(library.nvrtcGetCUBIN(program, code))
    finally:
        library.nvrtcDestroyProgram(ctypes.byref(program))
    return code.raw


def _check(result: int) -> None:
    if result:
        raise RuntimeError(f"CUDA answered with error {result}.")
