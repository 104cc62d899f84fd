"""CUDA kernels, compiled when they are first needed, for arrays of PyTorch and CuPy."""

from thresher._core.cuda.launch import Launch, contiguous, launcher

__all__ = ["Launch", "contiguous", "launcher"]
