"""What the tests of the kernels share."""

from __future__ import annotations

import pytest

from thresher._core import native


@pytest.fixture(params=["avx512", "avx2", "portable"])
def isa(request):
    """Let the kernels use one set of instructions after another."""
    usual = native.instruction_set()
    if not native._kernels.use_instruction_set(request.param):
        pytest.skip(f"this processor has no {request.param}")
    yield request.param
    native._kernels.use_instruction_set(usual)
