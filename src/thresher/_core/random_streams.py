"""Random numbers by replicate: replicate i draws the same whatever the batch size and the number of threads."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import starmap
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import show
from thresher._core.threads import MOST_THREADS
from thresher.exceptions import InvalidInputError, InvalidTypeError
from thresher.typing import FloatArray

Rng: TypeAlias = "int | np.random.Generator | np.random.SeedSequence | None"
"""A seed, or what gives one; None takes fresh entropy."""

Progress: TypeAlias = Callable[[int, int], object]
"""Called with (replicates done, replicates in all)."""

Key: TypeAlias = NDArray[np.uint64]

_NUMBERS_AT_ONCE = 2**20
_MOST_ROWS = 1024


def stream_key(rng: Rng) -> Key:
    """Return the 128-bit key from which all replicates draw; a Generator is advanced by it."""
    if isinstance(rng, np.random.Generator):
        return rng.integers(0, 2**64, size=2, dtype=np.uint64)
    return _seeds(rng).generate_state(2, np.uint64).astype(np.uint64)


def random_generator(rng: object) -> np.random.Generator:
    """Return the generator that a seed gives, by the rule for seeds that holds everywhere."""
    return rng if isinstance(rng, np.random.Generator) else np.random.default_rng(_seeds(rng))


def _seeds(rng: object) -> np.random.SeedSequence:
    """Return the seeds of what is no Generator; lists, legacy states and truth values are refused."""
    if isinstance(rng, np.random.SeedSequence):
        return rng
    if rng is None:
        return np.random.SeedSequence()
    if isinstance(rng, bool | np.bool_) or not isinstance(rng, int | np.integer):
        raise InvalidTypeError(
            f"`rng` must be None, a seed, a numpy Generator or a SeedSequence; got {show(rng)} of type "
            f"{type(rng).__name__}. Hint: an integer makes the result repeatable."
        )
    if rng < 0:
        raise InvalidInputError(f"`rng` must not be negative; got {rng}. Hint: any seed from 0 up will do.")
    return np.random.SeedSequence(int(rng))


class Stream:
    """The generators of single replicates, made from one counter-based generator.

    Philox turns (key, counter) into random bits; the replicate's number is the upper half of the counter, so that the
    streams of two replicates never meet and any of them can be had without the others.
    """

    def __init__(self, key: Key) -> None:
        self._bits = np.random.Philox(key=key)
        self._generator = np.random.Generator(self._bits)
        self._state: Any = self._bits.state

    def at(self, replicate: int) -> np.random.Generator:
        """Return the generator of a replicate, at its start; it is valid until the next call."""
        self._state["state"]["counter"][:] = (0, 0, replicate, 0)
        self._state["buffer_pos"] = 4
        self._state["has_uint32"] = 0
        self._bits.state = self._state
        return self._generator


def batch_rows(width: int) -> int:
    """Return how many replicates of `width` numbers are worked on at once, so that memory stays bounded."""
    return int(np.clip(_NUMBERS_AT_ONCE // max(width, 1), 1, _MOST_ROWS))


def run_batches(
    work: Callable[[int, int], FloatArray],
    total: int,
    *,
    rows: int,
    workers: int = 1,
    progress: Progress | None = None,
) -> FloatArray:
    """Return `work(first, count)` of all replicates, joined in their order."""
    out: FloatArray | None = None
    done = 0
    for part in _in_order(work, ((first, min(rows, total - first)) for first in range(0, total, rows)), workers):
        if out is None:
            out = np.empty((total, *part.shape[1:]), dtype=part.dtype)
        out[done : done + part.shape[0]] = part
        done += part.shape[0]
        if progress is not None:
            progress(done, total)
    return np.empty(0) if out is None else out


def _in_order(
    work: Callable[[int, int], FloatArray], spans: Iterator[tuple[int, int]], workers: int
) -> Iterator[FloatArray]:
    """Return `work(*span)` for each span; a few are under way at once, so that an interrupt waits little."""
    if workers == 1:
        yield from starmap(work, spans)
        return
    workers = min(workers, MOST_THREADS)
    pool = ThreadPoolExecutor(workers)
    try:
        waiting: deque[Future[FloatArray]] = deque()
        for span in spans:
            waiting.append(pool.submit(work, *span))
            if len(waiting) > workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
