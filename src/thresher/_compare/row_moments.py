"""What rows that are read batch by batch add to the tests between models: sums over rows, or over clusters of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.counting import row_order
from thresher._inference.sampling import Influence, Spread, cluster_spread, row_spread
from thresher._table import Counts
from thresher.typing import BoolArray, FloatArray, IntArray, ScoreArray

__all__ = ["CellSums", "ClusterSums", "Lookup", "RowSums", "look_up", "lookup_of"]


class Lookup(NamedTuple):
    """Influence values of a model: row i is that of a negative and of a positive from ``rising[i]`` up to the next."""

    rising: ScoreArray
    values: FloatArray


def lookup_of(table: Counts, influence: Influence) -> Lookup:
    """Return the influence values of a table by rising score."""
    values = np.stack([influence.neg[::-1], influence.pos[::-1]], axis=1)
    return Lookup(np.ascontiguousarray(table.thresholds[::-1]), values)


def look_up(known: Lookup, scores: ScoreArray, positive: BoolArray) -> FloatArray:
    """Return the influence value of each row."""
    order = row_order(scores)  # in which a search goes through the memory once
    cell = np.searchsorted(known.rising, scores[order], side="right") - 1
    out = np.empty(scores.size)
    out[order] = known.values.reshape(-1)[2 * cell + positive[order]]
    return out


class RowSums:
    """Sums of the squared differences of influence values, for each pair of models and each class.

    With clusters the sums of each are kept, and squared in the end.
    """

    def __init__(self, models: int) -> None:
        self.pairs = list(combinations(range(models), 2))
        self._sums = np.zeros((2, len(self.pairs), 3))  # of w^2 d^2, w^2 d and w^2
        self.totals = np.zeros(2)
        self.rows = np.zeros(2, dtype=np.int64)
        self._clusters: ClusterSums | None = None

    def add(
        self,
        values: Sequence[FloatArray],
        positive: BoolArray,
        weight: FloatArray | None,
        times: IntArray | None,
        clusters: NDArray[Any] | None,
    ) -> None:
        """Take rows with the influence value of each for every model."""
        differences = np.stack([values[i] - values[j] for i, j in self.pairs], axis=1)
        number = np.ones(positive.size, dtype=np.int64) if times is None else times
        mass = number.astype(np.float64) if weight is None else number * weight
        sides = (positive, ~positive)
        self.rows += [int(number[side].sum()) for side in sides]
        self.totals += [float(mass[side].sum()) for side in sides]
        if clusters is not None:
            self._clusters = self._clusters or ClusterSums(2 * len(self.pairs) + 2)
            columns = [
                *((differences * (mass * side)[:, None]).T for side in sides),
                np.stack([mass * side for side in sides]),
            ]
            self._clusters.add(clusters, np.concatenate(columns))
            return
        squared = mass if weight is None else mass * weight
        for k, side in enumerate(sides):
            q = squared * side
            each = differences * q[:, None]
            self._sums[k, :, 0] += np.einsum("np,np->p", each, differences)
            self._sums[k, :, 1] += each.sum(axis=0)
            self._sums[k, :, 2] += q.sum()

    def spread(self, pair: int, odds: float) -> Spread:
        """Return the variance of the difference of a pair of models."""
        totals = float(self.totals[0]), float(self.totals[1])
        if self._clusters is None:
            pos, neg = (tuple(self._sums[k, pair].tolist()) for k in (0, 1))
            return row_spread((pos, neg), totals, odds)
        columns = self._clusters.sums()[:, [pair, len(self.pairs) + pair, -2, -1]]
        found = cluster_spread(columns.T @ columns, self._numbers(columns), totals, odds, "random")
        return found if self.clustered else Spread(found.variance)

    def parts(self, models: int) -> tuple[FloatArray, FloatArray]:
        """Return for each class covariances that give every difference of two models its variance."""
        out = []
        for k in (0, 1):
            total = self.totals[k]
            variance = np.zeros((models, models))
            for p, (i, j) in enumerate(self.pairs):
                s, x, _ = self._sums[k, p]
                variance[i, j] = variance[j, i] = (s - x * x / total) / (total * max(total - 1.0, 1e-300))
            out.append((variance[0] + variance[0][:, None] - variance) / 2.0)
        return out[0], out[1]

    def fewest(self) -> float:
        """Return how many independent rows, or clusters, the rarer class has."""
        if self._clusters is None:
            return float(self.rows.min())
        return float(min(self._numbers(self._clusters.sums()[:, [0, 0, -2, -1]])[:2]))

    def reach(self, shares: tuple[float, float]) -> float:
        """Return the most that the standard error can change if every influence value does by these, by class."""
        if self._clusters is None:
            each = [
                share * np.sqrt(sums[0, 2]) / total
                for share, sums, total in zip(shares, self._sums, self.totals, strict=True)
            ]
            return float(np.hypot(*each))
        mass = self._clusters.sums()[:, -2:] / self.totals
        return float(np.linalg.norm(mass @ np.asarray(shares)))

    @property
    def clustered(self) -> bool:
        """Whether some cluster has several rows."""
        return self._clusters is not None and self._clusters.size < int(self.rows.sum())

    @staticmethod
    def _numbers(columns: FloatArray) -> tuple[int, int, int]:
        pos, neg = columns[:, 2] > 0.0, columns[:, 3] > 0.0
        return int(np.count_nonzero(pos)), int(np.count_nonzero(neg)), int(np.count_nonzero(pos | neg))


class CellSums:
    """Of each pair of models the rows in the eight cells of both classes and both calls, and of each cluster."""

    def __init__(self, models: int) -> None:
        self.pairs = list(combinations(range(models), 2))
        self.sums = np.zeros((len(self.pairs), 8))
        self.squares = np.zeros((len(self.pairs), 8))
        self._clusters: ClusterSums | None = None

    def add(
        self,
        called: Sequence[BoolArray],
        positive: BoolArray,
        weight: FloatArray | None,
        times: IntArray | None,
        clusters: NDArray[Any] | None,
    ) -> None:
        """Take rows with the calls of every model."""
        number = np.ones(positive.size) if times is None else times.astype(np.float64)
        mass = number if weight is None else number * weight
        cells = []
        for k, (i, j) in enumerate(self.pairs):
            place = 4 * ~positive + 2 * ~called[i] + ~called[j]  # both, only a, only b, neither of each class
            self.sums[k] += np.bincount(place, mass, 8)
            self.squares[k] += np.bincount(place, mass if weight is None else mass * weight, 8)
            cells.append(place)
        if clusters is not None:
            self._clusters = self._clusters or ClusterSums(8 * len(self.pairs))
            self._clusters.add(clusters, np.concatenate([mass * (place == np.arange(8)[:, None]) for place in cells]))

    def calls_of(self, model: int) -> tuple[FloatArray, FloatArray]:
        """Return the positives and the negatives that a model called, and those that it did not."""
        pair = next(k for k, both in enumerate(self.pairs) if model in both)
        cells = self.sums[pair].reshape(2, 2, 2).sum(axis=2 - self.pairs[pair].index(model))
        return cells[0], cells[1]

    def of_clusters(self, pair: int) -> FloatArray | None:
        """Return the cells of each cluster for a pair, of shape (clusters, 2, 4)."""
        if self._clusters is None:
            return None
        return np.asarray(self._clusters.sums()[:, 8 * pair : 8 * pair + 8].reshape(-1, 2, 4))


class ClusterSums:
    """Sums of some columns over the rows of each cluster."""

    def __init__(self, width: int) -> None:
        self._parts: list[tuple[NDArray[Any], FloatArray]] = []
        self._width = width
        self._merged = 0  # clusters in the first part, which is merged anew when the others are as many

    @property
    def size(self) -> int:
        """How many clusters there are."""
        return len(self.sums())

    def add(self, clusters: NDArray[Any], columns: FloatArray) -> None:
        """Take rows; column k of them is ``columns[k]``."""
        self._parts.append(_added(clusters, columns.T))
        if sum(keys.size for keys, _ in self._parts[1:]) > max(self._merged, 1 << 18):
            self._merge()

    def sums(self) -> FloatArray:
        """Return the sums, a row for each cluster."""
        if len(self._parts) > 1:
            self._merge()
        return self._parts[0][1] if self._parts else np.zeros((0, self._width))

    def _merge(self) -> None:
        keys, sums = (np.concatenate(column) for column in zip(*self._parts, strict=True))
        self._parts = [_added(keys, sums)]
        self._merged = self._parts[0][0].size


def _added(keys: NDArray[Any], rows: FloatArray) -> tuple[NDArray[Any], FloatArray]:
    """Return the distinct keys, and the sums of the rows of each."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    return ordered[starts], np.add.reduceat(rows[order], starts, axis=0)
