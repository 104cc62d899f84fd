"""Rows for tests of devices: as arrays, and as tensors of PyTorch in main memory, which stand for those elsewhere."""

from __future__ import annotations

import numpy as np


def rows(kind, share=0.3, n=2000):
    rng = np.random.default_rng(7)
    positive = rng.random(n) < share
    scores = rng.normal(size=n) + positive
    if kind == "probabilities":
        scores = 1 / (1 + np.exp(-scores))
    if kind == "ties":
        scores = np.round(scores, 1)
    if kind == "integers":
        return positive.astype(np.int64), np.round(10 * scores).astype(np.int32)
    return positive.astype(np.int64), scores.astype(np.float32 if kind == "single" else np.float64)


def tensors(*arrays):
    import torch

    return tuple(torch.from_numpy(array) for array in arrays)
