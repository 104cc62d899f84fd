"""Two independent samples made exchangeable: each score becomes its place on its own ROC path."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher._compare.paired_replicates import Effort
from thresher._compare.roc_path_distance import path, paths_apart
from thresher._core.random_streams import Key, Stream, run_batches
from thresher._table import Batch, Counts, Needs, grid_of
from thresher.measures import Measure
from thresher.typing import FloatArray, IntArray

__all__ = ["Pooling", "pooled_distances", "pooled_values"]

# A hypergeometric draw costs about as much as moving this many cases.
_MARGINAL_COST = 20


class Pooling:
    """The cases of two samples on one scale, to be dealt anew within each class.

    For measures of ranks the score of a case is replaced by u = w TPR + (1 - w) FPR of its own sample's curve at that
    score, half way through ties, where w is the prevalence of both samples together. If the two populations have the
    same ROC curve, positives of both samples have the same distribution on this scale, and so have negatives, whatever
    the scales of the scores. Other measures are compared on the scores themselves.
    """

    def __init__(self, a: Counts, b: Counts, needs: Needs = "path", threshold: float | None = None) -> None:
        n_pos, n_neg = int(a.n_pos) + int(b.n_pos), int(a.n_neg) + int(b.n_neg)
        self.weight = n_pos / (n_pos + n_neg)
        self.total = n_pos + n_neg
        by_rank = needs in ("path", "ranks")
        places = [self._places(counts) if by_rank else counts.thresholds for counts in (a, b)]
        distinct, cell = np.unique(np.concatenate(places), return_inverse=True)
        if not by_rank:  # the highest score comes first
            distinct, cell = distinct[::-1], distinct.size - 1 - cell
        cells = np.split(cell.reshape(-1), [places[0].size])
        tables = []
        for counts, where in zip((a, b), cells, strict=True):
            # Rounding may put two scores of one sample at the same place, so counts are added, not set.
            pos, neg = (
                np.bincount(where, weights=side, minlength=distinct.size).astype(np.int64)
                for side in (counts.pos, counts.neg)
            )
            tables.append((pos, neg))
        together = tables[0][0] + tables[1][0], tables[0][1] + tables[1][1]
        grid = grid_of(needs, distinct, *together, threshold)
        run = grid.column
        self.width, self.scores = grid.width, grid.scores
        self.at: NDArray[np.intp] = np.flatnonzero(grid.summed(together[0]))
        self._observed = [[self._merge(side, run) for side in table] for table in tables]
        self._together = [self._observed[0][side] + self._observed[1][side] for side in (0, 1)]
        self._sizes = [int(self._observed[0][side].sum()) for side in (0, 1)]
        self._cases = [
            np.repeat(np.arange(self.width), count.astype(np.intp))
            if int(count.sum()) < _MARGINAL_COST * self.width
            else None
            for count in self._together
        ]

    def _places(self, counts: Counts) -> FloatArray:
        found = (counts.tp - counts.pos / 2.0) / counts.n_pos
        false = (counts.fp - counts.neg / 2.0) / counts.n_neg
        return np.asarray(self.weight * found + (1.0 - self.weight) * false)

    def _merge(self, count: IntArray, run: NDArray[np.intp]) -> IntArray:
        return np.bincount(run, weights=count, minlength=self.width).astype(np.int64)

    def observed(self) -> list[tuple[FloatArray, FloatArray]]:
        """Return the tables of both samples as they are, each as one row."""
        return [(pos[None].astype(np.float64), neg[None].astype(np.float64)) for pos, neg in self._observed]

    def draw(self, key: Key, first: int, count: int) -> list[tuple[FloatArray, FloatArray]]:
        """Return the tables of both samples in replicates `first` to `first + count - 1`."""
        stream = Stream(key)
        out = [(np.empty((count, self.width)), np.empty((count, self.width))) for _ in range(2)]
        for row in range(count):
            generator = stream.at(first + row)
            for side, (together, size, cases) in enumerate(zip(self._together, self._sizes, self._cases, strict=True)):
                if cases is None:
                    dealt = generator.multivariate_hypergeometric(together, size, method="marginals")
                else:
                    dealt = np.bincount(generator.permutation(cases)[:size], minlength=self.width)
                out[0][side][row] = dealt
                out[1][side][row] = together - dealt
        return out


def pooled_values(a: Counts, b: Counts, measure: Measure, effort: Effort) -> tuple[FloatArray, FloatArray]:
    """Return the metric of both samples, and in each new deal of the cases of each class."""
    pooling = Pooling(a, b, measure.needs, measure.cut)

    def values(tables: list[tuple[FloatArray, FloatArray]]) -> FloatArray:
        batches = [Batch(pos, neg, pooling.at, pooling.scores) for pos, neg in tables]
        return np.stack([measure.values(batch) for batch in batches], axis=1)

    def work(first: int, count: int) -> FloatArray:
        return values(pooling.draw(effort.key, first, count))

    size = effort.rows(pooling.width)
    drawn = run_batches(work, effort.n_resamples, rows=size, workers=effort.workers, progress=effort.progress)
    return values(pooling.observed())[0], drawn


def pooled_distances(a: Counts, b: Counts, effort: Effort) -> tuple[float, FloatArray]:
    """Return the distance of two ROC paths summed over ranks, and in each new deal of the cases of each class."""
    pooling = Pooling(a, b)
    grid = np.arange(1, pooling.total) / pooling.total

    def distances(tables: list[tuple[FloatArray, FloatArray]]) -> FloatArray:
        first, second = (path(pos, neg, pooling.weight) for pos, neg in tables)
        return paths_apart(first, second, grid) / pooling.total

    def work(first: int, count: int) -> FloatArray:
        return distances(pooling.draw(effort.key, first, count))

    size = effort.rows(max(pooling.width, pooling.total))
    drawn = run_batches(work, effort.n_resamples, rows=size, workers=effort.workers, progress=effort.progress)
    return float(distances(pooling.observed())[0]), drawn
