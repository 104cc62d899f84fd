"""Kernels are compiled for the device of an array, and asked for elsewhere there are none."""

from __future__ import annotations

import ctypes
import sys
import types
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest

from thresher._core.cuda import contiguous, launch, launcher


def test_words_of_a_text():
    text = launch.source("ranks.cu", (("KEY", "short"), ("TILE", "8")))
    assert "KEY" not in text.partition("typedef")[2]
    assert "const short* few" in text


@pytest.mark.parametrize("file", ["keys.cu", "ranks.cu", "replicates.cu"])
def test_kernels_take_pointers_and_wide_integers(file):
    """Whoever starts them passes everything in 64 bits."""
    text = launch.source(file, (("KEY", "int"),))
    heads = [part.partition(")")[0] for part in text.split("__global__ void ")[1:]]
    assert len(heads) >= 2
    for head in heads:
        for parameter in head.partition("(")[2].split(","):
            assert "*" in parameter or parameter.split()[0] == "i64"


def test_no_launcher_in_main_memory():
    assert launcher("ranks.cu", np.zeros(3)) is None
    torch = pytest.importorskip("torch", reason="tensors in main memory have no kernels either")
    assert launcher("ranks.cu", torch.zeros(3)) is None
    assert contiguous(torch.zeros(4, 3).T).is_contiguous()


def test_contiguous():
    assert contiguous(np.zeros((4, 3)).T).flags.c_contiguous


def test_a_library_that_is_not_there(tmp_path):
    assert launch._nvidia(Path(tmp_path)) is None


def test_errors_of_the_driver():
    launch._check(0)
    with pytest.raises(RuntimeError, match="error 2"):
        launch._check(2)


def test_machine_code_comes_from_the_run_time_compiler():
    calls = []

    class Compiler:
        def __getattr__(self, name):
            def call(*given):
                calls.append(name)
                if name == "nvrtcGetCUBINSize":
                    ctypes.cast(given[1], ctypes.POINTER(ctypes.c_size_t))[0] = 4
                if name == "nvrtcGetCUBIN":
                    given[1].raw = b"code"
                return 0

            return call

    assert launch._compiled(Compiler(), "text", "sm_90") == b"code"
    assert calls[-1] == "nvrtcDestroyProgram"


@pytest.mark.parametrize("works", [True, False])
def test_cupy_is_given_numbers_in_64_bits(works, monkeypatch):
    started = []

    class Module:
        def __init__(self, code, options):
            assert "twice_beaten" in code
            assert options == ("--fmad=false",)

        def compile(self):
            if not works:
                raise RuntimeError("no compiler")

        def get_function(self, name):
            return lambda *given: started.append((name, *given))

    stand_in = types.ModuleType("cupy")
    stand_in.RawModule = Module
    errors = types.SimpleNamespace(CompileException=ValueError, CUDADriverError=ValueError)
    stand_in.cuda = types.SimpleNamespace(Device=lambda index: nullcontext(), compiler=errors, driver=errors)
    monkeypatch.setitem(sys.modules, "cupy", stand_in)
    launch._of_cupy.cache_clear()
    start = launch._of_cupy("ranks.cu", (("KEY", "int"),), 0)
    launch._of_cupy.cache_clear()
    if not works:
        assert start is None
        return
    start("twice_beaten", (3, 1), 256, (np.zeros(2), 7))
    name, blocks, threads, (array, number) = started[0]
    assert (name, blocks, threads, number) == ("twice_beaten", (3, 1), (256,), 7)
    assert array.size == 2
    assert isinstance(number, np.int64)
