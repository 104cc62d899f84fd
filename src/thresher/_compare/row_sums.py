"""Sums over rows of several models that are read batch by batch, here or by the workers of an engine.

Workers get the functions of this file as they are: they need NumPy and pyarrow but not this library, of which nothing
else may be used here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class Lookup(NamedTuple):
    """Influence values of a model: row i is that of a negative and of a positive from ``rising[i]`` up to the next."""

    rising: Array
    values: Array


def look_up(known: Lookup, scores: Array, positive: Array, order: Callable[[Array], Array] = np.argsort) -> Array:
    """Return the influence value of each row; `order` says how to sort them."""
    rows = order(scores)  # in which a search goes through the memory once
    cell = np.searchsorted(known.rising, scores[rows], side="right") - 1
    out = np.empty(scores.size)
    out[rows] = known.values.reshape(-1)[2 * cell + positive[rows]]
    return out


class RowSums:
    """Sums of the squared differences of influence values, for each pair of models and each class.

    With clusters the sums of each are kept, and squared in the end.
    """

    def __init__(self, models: int) -> None:
        self.pairs = list(combinations(range(models), 2))
        self.sums = np.zeros((2, len(self.pairs), 3))
        """Of w^2 d^2, w^2 d and w^2, for each class and pair."""
        self.totals = np.zeros(2)
        self.rows = np.zeros(2)
        self._clusters: ClusterSums | None = None
        self._products = np.zeros((len(self.pairs), 4, 4))  # of clusters that others have summed
        self._numbers = np.zeros(4)

    def add(
        self, values: Sequence[Array], positive: Array, weight: Array | None, times: Array | None, clusters: Any
    ) -> None:
        """Take rows with the influence value of each for every model."""
        differences = np.stack([values[i] - values[j] for i, j in self.pairs], axis=1)
        number = np.ones(positive.size) if times is None else times.astype(np.float64)
        mass = number if weight is None else number * weight
        sides = (positive, ~positive)
        self.rows += [float(number[side].sum()) for side in sides]
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
            self.sums[k, :, 0] += np.einsum("np,np->p", each, differences)
            self.sums[k, :, 1] += each.sum(axis=0)
            self.sums[k, :, 2] += q.sum()

    def products(self, pair: int) -> Array:
        """Return the sums over clusters of the products of four numbers of each.

        They are its sums of differences of positives and of negatives, and its weight in each class.
        """
        if self._clusters is None:
            return np.asarray(self._products[pair])
        columns = self._clusters.sums()[:, [pair, len(self.pairs) + pair, -2, -1]]
        return np.asarray(columns.T @ columns)

    @property
    def clusters(self) -> tuple[int, int, int] | None:
        """How many clusters have positives, have negatives, and count at all; None without clusters."""
        found = self._counted()
        return None if not found[3] else (int(found[0]), int(found[1]), int(found[2]))

    def _counted(self) -> Array:
        if self._clusters is None:
            return self._numbers
        pos, neg = (self._clusters.sums()[:, side] > 0.0 for side in (-2, -1))
        counted = (np.count_nonzero(pos), np.count_nonzero(neg), np.count_nonzero(pos | neg), 1)
        return np.array(counted, dtype=np.float64)

    def state(self) -> Array:
        """Return all sums as one column, which adds up with those of other rows, if no cluster is in both."""
        products = [self.products(pair) for pair in range(len(self.pairs))]
        return np.concatenate([np.ravel(one) for one in (self.sums, self.totals, self.rows, products, self._counted())])

    def set_state(self, state: Array) -> None:
        """Take the sum of such columns."""
        at = 0
        for name in ("sums", "totals", "rows", "_products", "_numbers"):
            column = getattr(self, name)
            setattr(self, name, state[at : at + column.size].reshape(column.shape))
            at += column.size


class CellSums:
    """Of each pair of models the rows in the eight cells of both classes and both calls, and of each cluster."""

    def __init__(self, models: int) -> None:
        self.pairs = list(combinations(range(models), 2))
        self.sums = np.zeros((len(self.pairs), 8))
        self.squares = np.zeros((len(self.pairs), 8))
        self._clusters: ClusterSums | None = None

    def add(
        self, called: Sequence[Array], positive: Array, weight: Array | None, times: Array | None, clusters: Any
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

    def state(self) -> Array:
        """Return all sums as one column, which adds up with those of other rows."""
        return np.concatenate([self.sums.ravel(), self.squares.ravel()])

    def set_state(self, state: Array) -> None:
        """Take the sum of such columns."""
        self.sums, self.squares = state.reshape(2, len(self.pairs), 8)

    def calls_of(self, model: int) -> tuple[Array, Array]:
        """Return the positives and the negatives that a model called, and those that it did not."""
        pair = next(k for k, both in enumerate(self.pairs) if model in both)
        cells = self.sums[pair].reshape(2, 2, 2).sum(axis=2 - self.pairs[pair].index(model))
        return cells[0], cells[1]

    def of_clusters(self, pair: int) -> Array | None:
        """Return the cells of each cluster for a pair, of shape (clusters, 2, 4)."""
        if self._clusters is None:
            return None
        return np.asarray(self._clusters.sums()[:, 8 * pair : 8 * pair + 8].reshape(-1, 2, 4))


class ClusterSums:
    """Sums of some columns over the rows of each cluster."""

    def __init__(self, width: int) -> None:
        self._parts: list[tuple[Array, Array]] = []
        self._width = width
        self._merged = 0  # clusters in the first part, which is merged anew when the others are as many

    @property
    def size(self) -> int:
        """How many clusters there are."""
        return len(self.sums())

    def add(self, clusters: Array, columns: Array) -> None:
        """Take rows; column k of them is ``columns[k]``."""
        self._parts.append(_added(clusters, columns.T))
        if sum(keys.size for keys, _ in self._parts[1:]) > max(self._merged, 1 << 18):
            self._merge()

    def sums(self) -> Array:
        """Return the sums, a row for each cluster."""
        if len(self._parts) > 1:
            self._merge()
        return self._parts[0][1] if self._parts else np.zeros((0, self._width))

    def _merge(self) -> None:
        keys, sums = (np.concatenate(column) for column in zip(*self._parts, strict=True))
        self._parts = [_added(keys, sums)]
        self._merged = self._parts[0][0].size


def _added(keys: Array, rows: Array) -> tuple[Array, Array]:
    """Return the distinct keys, and the sums of the rows of each."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    starts = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    return ordered[starts], np.add.reduceat(rows[order], starts, axis=0)


def partition_sums(
    lookups: Sequence[Lookup] | None, threshold: float | None, models: int
) -> Callable[[Iterator[Any]], Iterator[Any]]:
    """Return what a worker does with rows: columns `s0`, `s1`, ... of scores, `pos`, and perhaps others.

    They are `weight`, `times` and `cluster`. All rows of a cluster must be in one partition.
    """

    def summed(batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        sums = CellSums(models) if lookups is None else RowSums(models)
        for batch in batches:
            if not batch.num_rows:
                continue
            columns = {name: batch.column(name).to_numpy(zero_copy_only=False) for name in batch.schema.names}
            positive = columns["pos"] == 1
            scores = [columns[f"s{k}"] for k in range(models)]
            if lookups is None:
                values = [score >= np.float64(threshold) for score in scores]
            else:
                values = [look_up(known, score, positive) for known, score in zip(lookups, scores, strict=True)]
            keys = columns.get("cluster")
            if keys is not None and keys.dtype.kind == "O":
                keys = keys.astype(np.str_)
            sums.add(values, positive, columns.get("weight"), columns.get("times"), keys)
        state = sums.state()
        yield pa.RecordBatch.from_pydict({"place": np.arange(state.size, dtype=np.int32), "value": state})

    return summed
