"""The greatest recall at which precision is at least as high as wanted."""

from __future__ import annotations

import numpy as np

from thresher._core.checks import check_prevalence
from thresher._core.values import value
from thresher._table import Batch, Counts, padded_counts
from thresher.measures._measure import Measure
from thresher.measures._point_on_curve import check_held_rate
from thresher.measures._registry import measure
from thresher.typing import FloatArray

__all__ = ["RecallAtPrecision"]


@measure(held={"recall": ("precision",), "tpr": ("precision",)})
@value
class RecallAtPrecision(Measure):
    """The greatest recall with at least this precision, on the interpolated curve; 0 where it is never reached.

    Parameters
    ----------
    precision : float
        In (0, 1].
    prevalence : float, optional
        The proportion of positives to which precision refers; that of the data by default.

    Notes
    -----
    The value jumps if a curve touches the wanted precision, so it has no standard error; the bootstrap shows its
    spread.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([1, 0, 1, 0, 1], [5, 4, 3, 2, 1]).measure("recall_at_precision", precision=0.6).value
    1.0
    """

    precision: float
    prevalence: float | None = None

    name = "recall_at_precision"
    label = "The recall at a precision"
    example = "for example `precision=0.9`"
    intervals = ("bootstrap",)
    needs = "path"
    monotone = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "precision", check_held_rate(self.precision, "precision", self.name))
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", check_prevalence(self.prevalence))

    @property
    def needs_balance(self) -> bool:
        """Whether precision refers to the class balance of the sample."""
        return self.prevalence is None

    def of(self, table: Counts) -> float:
        """Return the recall of a table."""
        tp, fp = (counts.astype(np.float64) for counts in padded_counts(table))
        skew = 1.0
        if self.prevalence is not None:
            skew = (1.0 - self.prevalence) / self.prevalence * table.n_pos / table.n_neg
        # Precision is high enough where this is not negative; it is linear along each piece of the curve.
        room = (1.0 - self.precision) * tp - self.precision * skew * fp
        room[np.abs(room) <= 1e-12 * tp] = 0.0  # what rounding leaves of an equality
        return float(_furthest(tp[None], room[None])[0]) / float(tp[-1])

    def values(self, batch: Batch) -> FloatArray:
        """Return the recall of each table."""
        tp, fp = (np.pad(np.cumsum(counts, axis=1), ((0, 0), (1, 0))) for counts in (batch.pos, batch.neg))
        n_pos, n_neg = tp[:, -1], fp[:, -1]  # as they were added up, so that everything found is a recall of 1
        skew = np.ones_like(n_pos)
        if self.prevalence is not None:
            skew = (1.0 - self.prevalence) / self.prevalence * n_pos / n_neg
        room = (1.0 - self.precision) * tp - (self.precision * skew)[:, None] * fp
        room[np.abs(room) <= 1e-12 * tp] = 0.0
        return np.asarray(_furthest(tp, room) / tp[:, -1])  # which is summed as the others are


def _furthest(tp: FloatArray, room: FloatArray) -> FloatArray:
    """Return the most positives of each table along which there is room for the wanted precision."""
    best = np.where(room >= 0.0, tp, 0.0).max(axis=1)
    step = np.diff(tp, axis=1)
    row, i = np.nonzero((room[:, :-1] > 0.0) & (room[:, 1:] < 0.0) & (step > 0.0))
    part = room[row, i] / (room[row, i] - room[row, i + 1])
    np.maximum.at(best, row, tp[row, i] + step[row, i] * part)
    return np.asarray(best)
