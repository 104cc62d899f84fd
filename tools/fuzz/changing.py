"""Kernels whose arrays another thread writes to while they run: an error or an answer, never a crash.

Under AddressSanitizer this is what finds a write outside a kernel's own memory.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
from numpy.typing import NDArray

import thresher as th
from thresher._core import native
from thresher._core.threads import num_threads
from tools.fuzz.kernels import DTYPES, REFUSALS, values

__all__ = ["case"]

_CALLS = 20


class _Writer:
    """A thread that writes other values into arrays, some of them not numbers, until it is told to stop."""

    def __init__(self, arrays: list[NDArray[Any]], others: list[list[NDArray[Any]]]) -> None:
        self._arrays, self._others = arrays, others
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._write, daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _write(self) -> None:
        k = 0
        while not self._stop.is_set():
            for array, other in zip(self._arrays, self._others, strict=True):
                array[:] = other[k % len(other)]
            k += 1


def _table(scores: NDArray[Any], labels: NDArray[np.bool_]) -> None:
    found = th.Scores(labels, scores)
    if not (found.thresholds[1:] < found.thresholds[:-1]).all():
        raise AssertionError("thresholds must fall")
    if found.pos.min() < 0 or found.neg.min() < 0 or found.pos.sum() + found.neg.sum() != scores.size:
        raise AssertionError("every row must be counted once")


def _order(scores: NDArray[Any], _: NDArray[np.bool_]) -> None:
    if not np.array_equal(np.sort(native.order(scores)), np.arange(scores.size)):
        raise AssertionError("an order must have every row once")


def _batch(scores: NDArray[Any], labels: NDArray[np.bool_]) -> None:
    native.batch(scores, labels, np.linspace(0, scores.size, 20).astype(np.int64))


def _stream(scores: NDArray[Any], labels: NDArray[np.bool_]) -> None:
    if scores.dtype.char in "fdiIqQlL":
        made = native.stream(scores.dtype, 4096, 4096)
        made.learn(scores, 64)
        made.add(scores, labels.view(np.uint8), 0)
        made.counts(), made.frequent(), made.chunks(0)


def _counts(scores: NDArray[Any], labels: NDArray[np.bool_]) -> None:
    """Kernels that take tables: with counts that are none, and change."""
    whole = scores.view(np.uint8)[: scores.nbytes // 8 * 8].view(np.int64)
    if whole.size < 2:
        return
    half = whole.size // 2
    kernels = native._kernels
    kernels.hull(whole[:half], whole[half : 2 * half])
    kernels.ties(whole[:half], whole[half : 2 * half])
    kernels.delong_sums(whole[:half], whole[half : 2 * half])
    kernels.points(whole[:half], whole[half : 2 * half], np.zeros(half), True)
    kernels.pr_area(whole[:half], whole[half : 2 * half], int(labels[:6].sum()), 1.0, 2)
    kernels.resample(np.abs(whole[:half]) % 3, np.abs(whole[half : 2 * half]) % 3, 1, 0, 2, 2, True, 0)


_TARGETS = [_table, _table, _order, _batch, _stream, _counts, lambda s, y: native.placements(s, y)]


def case(rng: np.random.Generator) -> int:
    """Call kernels while a thread writes to what they read."""
    usual = native.instruction_set()
    native._kernels.use_instruction_set(str(rng.choice(["avx512", "avx2", "portable"])))
    n = int(rng.choice([64, 3000, 25_000, 60_000, 130_000]))
    dtype = str(rng.choice(DTYPES[1:]))
    others = [values(rng, dtype, n) for _ in range(3)]
    labels = [rng.random(n) < share for share in (0.5, 0.01)]
    scores, label = others[0].copy(), labels[0].copy()
    target = _TARGETS[int(rng.integers(0, len(_TARGETS)))]
    try:
        with _Writer([scores, label], [others, labels]), num_threads(int(rng.integers(1, 4))):
            for _ in range(_CALLS):
                try:
                    target(scores, label)
                except (*REFUSALS, th.ThresherError):
                    pass
    finally:
        native._kernels.use_instruction_set(usual)
    return _CALLS
