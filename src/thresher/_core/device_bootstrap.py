"""Bootstrap replicates of rows on their device, with the counts that the processor draws for the same seed.

Needs kernels of its own: a replicate is ten rounds of Philox for every eight rows, and array operations would carry
each of them through memory.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import array_api_compat
import numpy as np
from numpy.typing import NDArray

from thresher._core import cuda
from thresher._core.device import to_host
from thresher._core.device_ranks import DeviceRanks, Steps
from thresher.typing import FloatArray, IntArray

_LINE = 32
_CHUNK = 32
"""Lines whose pairs one thread counts."""
_LANES = 2048
"""Threads that draw one replicate."""
_THREADS = 256
_TOGETHER = 8
"""Replicates whose sums are taken in order by one block."""
_MOST_ROWS = 2**31 - 1
_MOST_REPLICATES = 2**15
_MOST_BYTES = 2**33
"""Counts that are held at once, a byte each."""


class DeviceRows(NamedTuple):
    """The rows of both classes by score, highest first, negatives first within a score; a bit for each row."""

    xp: Any
    launch: cuda.Launch
    n_pos: int
    n_neg: int
    positive: Any
    """32 rows in an integer, the first in its lowest bit."""
    begins: Any
    """Where groups of tied scores of both classes begin."""
    ends: Any
    """The last rows of those groups."""
    run_ends: Any
    """The last rows of positives that tie."""
    places: tuple[Any, Any]
    """Where the negatives and the positives stand."""
    crossing: Any
    """First rows and ends of the groups that do not lie within one chunk."""
    twice_u: int
    """Twice the pairs of the data in which the positive stands above, plus those that tie."""
    columns: tuple[int, int]
    """How many rows a table has in which neighbours of one class are put together: negatives alone, or both."""

    @property
    def rows(self) -> int:
        """How many there are."""
        return self.n_pos + self.n_neg

    @property
    def lines(self) -> int:
        """How many integers hold a bit of each row."""
        return -(-self.rows // _LINE)

    def at_once(self) -> int:
        """Return how many replicates are worked on together."""
        room = min(_MOST_BYTES, _free(self.xp, self.positive) // 2)
        return int(np.clip(room // (_LINE * self.lines + 24 * _LANES), 1, _MOST_REPLICATES))

    def areas(self, name: str, seed: int, first: int, count: int, *, stratified: bool) -> tuple[FloatArray, IntArray]:
        """Return "roc_auc" or "average_precision" of replicates `first` to `first + count - 1`, and their positives."""
        step = self.at_once()
        parts = [
            self._areas(name, seed, start, min(step, first + count - start), stratified=stratified)
            for start in range(first, first + count, step)
        ]
        areas, positives = (np.concatenate(columns) for columns in zip(*parts, strict=True))
        return areas, positives

    def _areas(
        self, name: str, seed: int, first: int, count: int, *, stratified: bool, attempt: int = 0
    ) -> tuple[FloatArray, IntArray]:
        replicates = self._drawn(seed, first, count, stratified, attempt)
        if name == "average_precision":
            areas, pos = self._average_precisions(replicates)
        else:
            twice_u, pos, neg = self._sums(replicates)
            pairs = 2.0 * pos.astype(np.float64) * neg.astype(np.float64)
            areas = np.divide(twice_u.astype(np.float64), pairs, out=np.zeros(count), where=pairs > 0)
        for row in np.flatnonzero((pos == 0) | (pos == self.rows)).tolist():
            # A sample without one of the classes has no curve: it is drawn again.
            again = self._areas(name, seed, first + row, 1, stratified=stratified, attempt=attempt + 1)
            areas[row], pos[row] = (column[0] for column in again)
        return areas, pos

    def _drawn(self, seed: int, first: int, count: int, stratified: bool, attempt: int) -> _Replicates:
        """Return how often each row is drawn in some replicates."""
        xp, place = self.xp, array_api_compat.device(self.positive)
        lanes, chunks = min(_LANES, self.lines), -(-self.lines // _CHUNK)
        crossing = int(self.crossing.shape[0])
        signed = seed - 2**64 if seed >= 2**63 else seed
        facts = [self.rows, self.n_neg, self.n_pos, signed, first, attempt, int(stratified), self.lines]
        job = xp.asarray([*facts, lanes, _CHUNK, chunks, crossing], dtype=xp.int64, device=place)

        def new(*shape: int, dtype: Any = xp.int64) -> Any:
            return xp.empty((count, *shape), dtype=dtype, device=place)

        counts, sums = new(_LINE * self.lines, dtype=xp.uint8), new(lanes, 3)
        self._start("draw_counts", lanes, count, (job, self.positive, counts, sums))
        drawn = xp.stack((xp.sum(sums[:, :, 0], axis=1), xp.sum(sums[:, :, 1], axis=1), xp.max(sums[:, :, 2], axis=1)))
        drawn = cuda.contiguous(drawn.T)
        # A thread for each class, in blocks of their own: they wait for memory, not for each other.
        self.launch("correct_sizes", (1 + stratified, count), 1, (job, *self.places, drawn, counts))
        return _Replicates(job, counts)

    def _average_precisions(self, replicates: _Replicates) -> tuple[FloatArray, IntArray]:
        """Return average precision and the positives of each replicate."""
        xp, place, (job, counts) = self.xp, array_api_compat.device(self.positive), replicates
        count = int(counts.shape[0])
        areas, found = (xp.empty(count, dtype=kind, device=place) for kind in (xp.float64, xp.int64))
        given = (job, count, self.positive, self.run_ends, counts, areas, found)
        self.launch("average_precisions", (-(-count // _TOGETHER), 1), _TOGETHER, given)
        return to_host(areas).copy(), to_host(found).copy()

    def _sums(self, replicates: _Replicates) -> tuple[IntArray, IntArray, IntArray]:
        """Return twice U, the positives and the negatives of each replicate."""
        xp, place, (job, counts) = self.xp, array_api_compat.device(self.positive), replicates
        count, chunks, crossing = int(counts.shape[0]), -(-self.lines // _CHUNK), int(self.crossing.shape[0])

        def new(*shape: int) -> Any:
            return xp.empty((count, *shape), dtype=xp.int64, device=place)

        held, pairs = new(chunks, 2), new(chunks)
        bits = (self.positive, self.begins, self.ends)
        self._start("count_pairs", chunks, count, (job, *bits, counts, held, pairs))
        before = xp.concat(
            (xp.zeros((count, 1, 2), dtype=xp.int64, device=place), xp.cumulative_sum(held, axis=1)), axis=1
        )
        twice_u = xp.sum(pairs + 2 * held[:, :, 1] * before[:, :-1, 0], axis=1)
        if crossing:
            tied = new(crossing)
            self._start("count_crossing", crossing, count, (job, self.positive, counts, before, self.crossing, tied))
            twice_u = twice_u + xp.sum(tied, axis=1)
        found = to_host(xp.stack((twice_u, before[:, -1, 0], before[:, -1, 1])))
        return found[0], found[1].copy(), found[2]

    def _start(self, name: str, threads: int, count: int, arrays: tuple[Any, ...]) -> None:
        self.launch(name, (-(-threads // _THREADS), count), _THREADS, arrays)

    def columns_on_host(self, *, path_only: bool) -> tuple[IntArray, IntArray]:
        """Return the positives and negatives of each column, in main memory; only bits leave the device.

        Neighbours of one class are put together; unless `path_only`, positives of different scores are not.
        """
        positive, begins, ends = (_unpacked(bits, self.rows) for bits in (self.positive, self.begins, self.ends))
        tied = np.cumsum(begins, dtype=np.int32) - (np.cumsum(ends, dtype=np.int32) - ends) > 0
        last = ends if path_only else _unpacked(self.run_ends, self.rows)
        apart = (positive[1:] != positive[:-1]) & ~(tied[1:] & tied[:-1]) | (begins[1:] | last[:-1]).astype(np.bool_)
        starts = np.concatenate(([0], np.flatnonzero(apart) + 1))
        pos = np.add.reduceat(positive, starts, dtype=np.int64)
        return pos, np.diff(np.append(starts, self.rows)) - pos


class _Replicates(NamedTuple):
    job: Any
    counts: Any


def rows_on_device(ranks: DeviceRanks) -> DeviceRows | None:
    """Lay the rows out for resampling; None where the device of the rows has no way to do it."""
    xp, pos, n_pos, n_neg = ranks.xp, ranks.pos, ranks.n_pos, ranks.n_neg
    launch = cuda.launcher("replicates.cu", pos)
    if launch is None or not n_pos or not n_neg or n_pos + n_neg > _MOST_ROWS:
        return None
    parts = list(ranks.steps())
    runs = parts[0] if len(parts) == 1 else Steps(*map(xp.concat, zip(*parts, strict=True)))
    rank = (n_pos - 1) - xp.arange(n_pos, dtype=xp.int64, device=array_api_compat.device(pos))
    places = rank + ranks.negatives_from(pos)
    rows, lines = n_pos + n_neg, -(-(n_pos + n_neg) // _LINE)
    marks = xp.zeros((4, lines * _LINE), dtype=xp.uint8, device=array_api_compat.device(pos))
    marks[0, places] = 1
    twice_u = int(xp.sum(runs.size * (2 * n_neg - runs.fp - runs.fp_above)))
    shared = runs.fp > runs.fp_above
    first = (runs.tp - runs.size + runs.fp_above)[shared]
    end = (runs.tp + runs.fp)[shared]
    marks[1, first] = 1
    marks[2, end - 1] = 1
    marks[3, runs.tp + runs.fp - 1] = 1
    positive, begins, ends, run_ends = (marks[k, :rows] for k in range(4))
    # Changes of class between groups, and groups whose neighbour is of the class that they begin or end with.
    before = int(xp.count_nonzero(begins[1:] > positive[:-1])) - int(first.shape[0])
    changes = xp.count_nonzero(positive[1:] != positive[:-1]) + xp.count_nonzero(ends[:-1] & positive[1:])
    rises = xp.count_nonzero(run_ends[:-1]) + xp.count_nonzero(positive[1:] > positive[:-1])
    columns = 1 + before + int(rises), 1 + before + int(changes)
    negatives = xp.nonzero(positive == 0)[0]
    parted = first // (_LINE * _CHUNK) != (end - 1) // (_LINE * _CHUNK)
    crossing = cuda.contiguous(xp.stack((first[parted], end[parted])).T)
    both = tuple(xp.astype(one, xp.int32) for one in (negatives, xp.flip(places)))
    bits = [_packed(xp, marks[k]) for k in range(4)]
    return DeviceRows(
        xp, launch, n_pos, n_neg, bits[0], bits[1], bits[2], bits[3], (both[0], both[1]), crossing, twice_u, columns
    )


def _packed(xp: Any, marks: Any) -> Any:
    """Return 32 marks in an integer, the first in its lowest bit."""
    weights = xp.asarray([1, 2, 4, 8, 16, 32, 64, 128], dtype=xp.uint8, device=array_api_compat.device(marks))
    return xp.sum(xp.reshape(marks, (-1, 8)) * weights, axis=1, dtype=xp.uint8).view(xp.int32)


def _unpacked(bits: Any, rows: int) -> NDArray[np.uint8]:
    return np.unpackbits(to_host(bits).view(np.uint8), bitorder="little")[:rows]


def _free(xp: Any, array: Any) -> int:
    """Return how many bytes the device has left."""
    if array_api_compat.is_torch_namespace(xp) and array.device.type == "cuda":
        import torch

        unused = torch.cuda.memory_reserved(array.device) - torch.cuda.memory_allocated(array.device)
        return int(torch.cuda.mem_get_info(array.device)[0]) + int(unused)
    if array_api_compat.is_cupy_namespace(xp):
        return int(array.device.mem_info[0])
    return 2**24
