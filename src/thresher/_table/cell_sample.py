"""What the rows behind the four cells of a confusion matrix tell about its rates."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from thresher._core.presented import Presented
from thresher._core.values import value
from thresher.typing import FloatArray

if TYPE_CHECKING:
    from thresher._table.table import CountTable

Four = tuple[float, float, float, float]

_ENOUGH = 10.0  # effective rows that a typical weight needs
_SLACK = 1e-12


@value
class CellSample(Presented):
    """The rows behind tp, fp, fn and tn (in this order) of a table with weights or clusters."""

    squares: Four | None
    typical: Four
    rows: Four | None = None
    clusters: FloatArray | None = None
    cluster_rows: FloatArray | None = None
    added: FloatArray | None = None
    """What estimated censoring weights add to sums of squares, for values of tp, fp, fn and tn: of shape (4, 4)."""

    @property
    def independent(self) -> bool:
        """Whether no rows belong together."""
        return self.clusters is None


class Typical(NamedTuple):
    """Typical weights at every cut: element k belongs to the first k rows of the table and to the rest."""

    above: FloatArray
    below: FloatArray


def typical_weights(weight: FloatArray, squared: FloatArray) -> Typical:
    """Return what a row of a class weighs above and below every cut.

    It is Q / W of the cell, or of the cell and further scores beyond the cut until they are worth ten rows of equal
    weight, whichever is larger: of a cell with few rows its own quotient would be noise.
    """
    return Typical(_prefixes(weight, squared), _prefixes(weight[::-1], squared[::-1])[::-1])


def _prefixes(weight: FloatArray, squared: FloatArray) -> FloatArray:
    w = np.append(0.0, np.cumsum(weight))
    q = np.append(0.0, np.cumsum(squared))
    some = w > 0.0
    own = np.divide(q, w, out=np.zeros(w.size), where=some)
    worth = np.divide(w * w, q, out=np.zeros(w.size), where=q > 0.0)
    reached = np.where(worth >= _ENOUGH * (1.0 - _SLACK), np.arange(w.size), w.size - 1)
    first = np.minimum.accumulate(reached[::-1])[::-1]
    return np.asarray(np.maximum(own, own[first]))


def cell_sample(counts: CountTable, threshold: float) -> CellSample | None:
    """Return the rows behind a threshold; None where they are counted and independent."""
    if not _needed(counts):
        return None
    cut = len(counts) - int(np.searchsorted(counts.thresholds[::-1], threshold, side="left"))
    squares = counts._weight_squares
    if squares is None and not counts._counted:
        return CellSample(None, (0.0, 0.0, 0.0, 0.0))
    pos, neg = counts.pos.astype(np.float64), counts.neg.astype(np.float64)
    squared = (pos, neg) if squares is None else (squares.pos, squares.neg)
    sums = [(float(q[:cut].sum()), float(q[cut:].sum())) for q in squared]
    tp, fp = counts._typical
    typical = (float(tp.above[cut]), float(fp.above[cut]), float(tp.below[cut]), float(fp.below[cut]))
    rows = None
    if counts._plain is not None:
        p, n = counts._plain.pos, counts._plain.neg
        rows = (float(p[:cut].sum()), float(n[:cut].sum()), float(p[cut:].sum()), float(n[cut:].sum()))
    four = (sums[0][0], sums[1][0], sums[0][1], sums[1][1])
    return CellSample(four, typical, rows, *_cluster_cells(counts, cut), _censored_cells(counts, cut))


def _needed(counts: CountTable) -> bool:
    return counts._weight_squares is not None or counts._clusters is not None or not counts._counted


def _cluster_cells(counts: CountTable, cut: int) -> tuple[FloatArray | None, FloatArray | None]:
    clusters = counts._clusters
    if clusters is None:
        return None, None
    cell = np.where(clusters.positive, 0, 1) + np.where(clusters.cell < cut, 0, 2)
    place = 4 * clusters.code + cell
    weight, rows = (
        np.bincount(place, column, 4 * clusters.size).reshape(-1, 4).astype(np.float64)
        for column in (clusters.weight, clusters.rows)
    )
    return weight, rows


def _censored_cells(counts: CountTable, cut: int) -> FloatArray | None:
    """Return what estimating the weights adds to the covariance of the sums of weights in the four cells."""
    rows = counts._outcome
    if rows is None or not rows.estimated:
        return None
    cell = np.where(rows.positive, 0, 1) + np.where(rows.cells(counts.thresholds) < cut, 0, 2)
    sums = np.zeros((4, rows.size))
    sums[cell, np.arange(rows.size)] = rows.mass
    return rows.added(sums)


def mixed_sample(counts: CountTable, high: float, low: float, probability: float) -> CellSample | None:
    """Return the rows behind a randomised mixture of two thresholds; like the counts, they lie between the two."""
    first, second = cell_sample(counts, high), cell_sample(counts, low)
    if first is None or second is None:
        return None

    def between(a: FloatArray, b: FloatArray) -> FloatArray:
        return a + probability * (b - a)

    def four(a: Four, b: Four) -> Four:
        tp, fp, fn, tn = (x + probability * (y - x) for x, y in zip(a, b, strict=True))
        return tp, fp, fn, tn

    if first.squares is None or second.squares is None:
        return first
    out = CellSample(
        four(first.squares, second.squares),
        four(first.typical, second.typical),
        None if first.rows is None or second.rows is None else four(first.rows, second.rows),
    )
    if first.clusters is None or second.clusters is None or first.cluster_rows is None or second.cluster_rows is None:
        return out
    return CellSample(
        out.squares,
        out.typical,
        out.rows,
        between(first.clusters, second.clusters),
        between(first.cluster_rows, second.cluster_rows),
    )
