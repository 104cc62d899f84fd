"""Which rows belong together: a sparse list beside the table, one entry for each cluster, score and class."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import as_vector, unequal
from thresher._core.factorise import factorised
from thresher._core.order import descending_order
from thresher.exceptions import InvalidTypeError
from thresher.typing import ArrayLike, BoolArray, FloatArray, ScoreArray


class Clusters(NamedTuple):
    """The weight of each cluster in each cell of a table that it reaches.

    Attributes
    ----------
    labels : array of shape (g,)
        The clusters, each once: integers or text.
    code : array of shape (m,)
        Entry i belongs to ``labels[code[i]]``.
    cell : array of shape (m,)
        Entry i stands at ``thresholds[cell[i]]``.
    positive : array of bool, shape (m,)
        Whether its rows are positives.
    weight : array of float64, shape (m,)
        The sum of their weights.
    rows : array of int64, shape (m,)
        How many they are.
    """

    labels: NDArray[Any]
    code: NDArray[np.int64]
    cell: NDArray[np.int64]
    positive: BoolArray
    weight: FloatArray
    rows: NDArray[np.int64]

    @property
    def size(self) -> int:
        """How many clusters there are."""
        return int(self.labels.size)

    def moved(self, to: NDArray[np.intp]) -> Clusters:
        """Return the list of a table in which cell i has become cell ``to[i]``."""
        return _summed(self.labels, self.code, to[self.cell], self.positive, self.weight, self.rows)

    def mirrored(self, cells: int) -> Clusters:
        """Return the list of the table of so many cells with classes exchanged and scores reversed."""
        return _summed(self.labels, self.code, cells - 1 - self.cell, ~self.positive, self.weight, self.rows)

    def counted(self, each: float = 1.0) -> Clusters:
        """Return the list of the same rows, of which a positive weighs 1 and a negative so much."""
        return self._replace(weight=self.rows.astype(np.float64) * np.where(self.positive, 1.0, each))

    def sums(self, pos: FloatArray, neg: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return for each cluster the sum over its positives of weight times ``pos[cell]``, and likewise negatives."""
        out = []
        for mine, values in ((self.positive, pos), (~self.positive, neg)):
            each = self.weight[mine] * values[self.cell[mine]]
            out.append(np.bincount(self.code[mine], each, self.size).astype(np.float64, copy=False))
        return out[0], out[1]

    def same_as(self, other: Clusters) -> bool:
        """Return whether two lists say the same."""
        return all(np.array_equal(mine, others) for mine, others in zip(self, other, strict=True))


def as_clusters(cluster: ArrayLike, size: int, *, beside: str = "y_true", name: str = "cluster") -> NDArray[Any]:
    """Return the cluster of each row: integers, or text."""
    array = as_vector(cluster, name)
    if array.size != size:
        raise unequal(name, array.size, beside, size)
    if array.dtype.kind in "iub":
        return array.astype(np.int64)
    if array.dtype.kind == "U":
        return array
    if array.dtype.kind in "SUTO":
        kinds = {type(value) for value in array.tolist()}
        if kinds <= {str} or kinds <= {str, np.str_}:
            return array.astype(np.str_)
        if kinds <= {int}:
            return array.astype(np.int64)
        found = sorted(kind.__name__ for kind in kinds)
        raise InvalidTypeError(
            f"`{name}` must be integers or text; got {', '.join(found)}. Hint: convert them to text."
        )
    if array.dtype.kind == "f" and np.isfinite(array).all() and (array == np.floor(array)).all():
        return array.astype(np.int64)
    raise InvalidTypeError(f"`{name}` must be integers or text; got dtype {array.dtype}. Hint: convert them to text.")


def make_clusters(
    cluster: NDArray[Any],
    thresholds: ScoreArray,
    scores: ScoreArray,
    positive: BoolArray,
    weight: NDArray[Any] | None,
    times: NDArray[np.int64] | None = None,
) -> Clusters:
    """Return the list of rows; a row stands at the highest threshold that is not above its score."""
    labels, code = factorised(cluster)
    order = descending_order(scores)[::-1]  # in which a search goes through the memory once
    cell = np.empty(scores.size, dtype=np.intp)
    cell[order] = thresholds.size - np.searchsorted(thresholds[::-1], scores[order], side="right")
    own = np.ones(scores.size) if weight is None else weight.astype(np.float64)
    rows = np.ones(scores.size, dtype=np.int64) if times is None else times
    return _summed(labels, code, cell, positive, own, rows)


def merged_clusters(thresholds: ScoreArray, parts: list[tuple[ScoreArray, Clusters]]) -> Clusters:
    """Return the list of a sum of tables; equal labels are one cluster."""
    kinds = {part.labels.dtype.kind for _, part in parts}
    columns = [part.labels.astype(np.str_) if len(kinds) > 1 else part.labels for _, part in parts]
    labels = np.unique(np.concatenate(columns))
    rising = thresholds[::-1]
    code, cell, positive, weight, rows = [], [], [], [], []
    for (scores, part), own in zip(parts, columns, strict=True):
        place = thresholds.size - 1 - np.searchsorted(rising, scores.astype(thresholds.dtype, copy=False))
        code.append(np.searchsorted(labels, own)[part.code])
        cell.append(place[part.cell])
        positive.append(part.positive)
        weight.append(part.weight)
        rows.append(part.rows)
    return _summed(labels, *(np.concatenate(column) for column in (code, cell, positive, weight, rows)))


def _summed(labels: NDArray[Any], code: Any, cell: Any, positive: Any, weight: Any, rows: Any) -> Clusters:
    """Return the list with one entry for each cluster, score and class, in the order of scores."""
    order = _by_cell(labels.size, code, cell, positive)
    code, cell, positive, weight, rows = (column[order] for column in (code, cell, positive, weight, rows))
    new = np.append(True, (cell[1:] != cell[:-1]) | (positive[1:] != positive[:-1]) | (code[1:] != code[:-1]))
    starts = np.flatnonzero(new)
    weight, rows = (np.add.reduceat(column, starts) if column.size else column for column in (weight, rows))
    places = code[starts].astype(np.int64), cell[starts].astype(np.int64)
    return Clusters(labels, *places, positive[starts], weight, rows.astype(np.int64))


def _by_cell(size: int, code: Any, cell: Any, positive: Any) -> NDArray[np.intp]:
    """Return the rows in the order of cells, negatives first, and then of clusters: by one key where it fits."""
    if not code.size or (int(cell.max()) + 1) * 2 * size >= 2**62:
        return np.lexsort((code, positive, cell))
    return descending_order(-((2 * cell.astype(np.int64) + positive) * size + code))
