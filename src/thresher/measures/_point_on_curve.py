"""One rate at a given value of another: points of the ROC and of the precision-recall curve."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from thresher._core.checks import show
from thresher._core.resampling import Requested
from thresher._core.values import value
from thresher._curves import pr_curve, roc_curve
from thresher._inference import pr_band, roc_band
from thresher._inference.bootstrap import replicate_areas
from thresher._inference.sampling import Kernel
from thresher._table import Batch, Counts, mirrored, padded_counts
from thresher.exceptions import InvalidInputError
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._measure import Measure, Span
from thresher.measures._registry import measure
from thresher.typing import FloatArray


class PointOnCurve(Measure):
    """One rate at a given value of another; its interval is the pointwise band of the curve there."""

    __slots__ = ()

    intervals: ClassVar[tuple[str, ...]] = ("band", "bootstrap")

    def band_ends(self, table: Counts, level: float, design: str) -> Span:
        """Return the limits of the curve's band at the one point."""
        raise NotImplementedError

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return the limits of the band, with the value in them."""
        del method
        low, high = self.band_ends(estimate.counts, level, options.design)
        return min(low, estimate.value), max(high, estimate.value)


def check_held_rate(rate: Any, name: str, metric: str) -> float:
    """Return one number in (0, 1]."""
    if isinstance(rate, bool) or not isinstance(rate, int | float | np.number) or not 0.0 < rate <= 1.0:
        raise InvalidInputError(
            f"`{name}` must be one number in (0, 1] for metric {metric!r}; got {show(rate)}. "
            f"Hint: for example `{name}=0.8`."
        )
    return float(rate)


@measure(held={"precision": ("recall",), "ppv": ("recall",)})
@value
class PrecisionAtRecall(PointOnCurve):
    """The precision at a recall, interpolated as mixing two thresholds achieves it.

    Parameters
    ----------
    recall : float
        In (0, 1].
    prevalence : float, optional
        The proportion of positives to which precision refers; that of the data by default.

    Examples
    --------
    >>> import thresher as th
    >>> th.measures.PrecisionAtRecall(0.5).of(th.Scores([1, 0, 1, 0], [4, 3, 2, 1]))
    1.0
    """

    recall: float
    prevalence: float | None = None

    name = "precision_at_recall"
    needs = "path"
    monotone = True
    label = "The precision at a recall"
    example = "for example `recall=0.8`"

    def __post_init__(self) -> None:
        object.__setattr__(self, "recall", check_held_rate(self.recall, "recall", "precision_at_recall"))
        Measure.__post_init__(self)

    def of(self, table: Counts) -> float:
        """Return the precision of a table."""
        return pr_curve(table, prevalence=self.prevalence).at(recall=self.recall).precision

    def band_ends(self, table: Counts, level: float, design: str) -> Span:
        """Return the ends of the PR band at the recall."""
        band = pr_band(table, [self.recall], confidence_level=level, prevalence=self.prevalence, design=design)
        return float(band.low[0]), float(band.high[0])

    def values(self, batch: Batch) -> FloatArray:
        """Return the precision of each table."""
        return replicate_areas.precision_at(
            batch.pos, batch.neg, batch.at, recall=self.recall, prevalence=self.prevalence
        )

    @property
    def kernel(self) -> Kernel:
        """The compiled bootstrap knows the precision at a recall."""
        odds = 0.0 if self.prevalence is None else (1.0 - self.prevalence) / self.prevalence
        return Kernel(Requested(odds, recalls=(self.recall,)), lambda found: found.precision_at[:, 0])


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
    intervals = ("bayes", "bootstrap")
    weighted_interval = "bootstrap"
    optimistic = True
    needs = "path"
    monotone = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "precision", check_held_rate(self.precision, "precision", self.name))
        Measure.__post_init__(self)

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


@measure(held={"recall": ("fpr",), "tpr": ("fpr",), "sensitivity": ("fpr",)})
@value
class RecallAtFpr(PointOnCurve):
    """The recall at a false positive rate, interpolated as mixing two thresholds achieves it.

    The threshold belongs to the data: its own uncertainty is in every interval and test.

    Parameters
    ----------
    fpr : float
        In (0, 1]; one minus the specificity.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([1, 0, 1, 0, 1, 0], [6, 5, 4, 3, 2, 1])
    >>> scores.measure("sensitivity_at_specificity", fpr=1 / 3).value.__round__(4)
    0.6667
    """

    fpr: float

    name = "recall_at_fpr"
    needs = "path"
    monotone = True
    aliases = ("sensitivity_at_specificity", "tpr_at_fpr")
    label = "The recall at a false positive rate"
    example = "for example `fpr=0.1`, which is a specificity of 0.9"

    def __post_init__(self) -> None:
        object.__setattr__(self, "fpr", check_held_rate(self.fpr, "fpr", self.name))

    def of(self, table: Counts) -> float:
        """Return the recall of a table."""
        return roc_curve(table).at(fpr=self.fpr).tpr

    def band_ends(self, table: Counts, level: float, design: str) -> Span:
        """Return the ends of the ROC band at the rate."""
        band = roc_band(table, [self.fpr], confidence_level=level, design=design)
        return float(band.low[0]), float(band.high[0])

    def values(self, batch: Batch) -> FloatArray:
        """Return the recall of each table."""
        return replicate_areas.rate_at(batch.neg, batch.pos, self.fpr, last=True)

    @property
    def kernel(self) -> Kernel:
        """The compiled bootstrap knows the recall at a false positive rate."""
        return Kernel(Requested(fprs=(self.fpr,)), lambda found: found.tpr_at[:, 0])


@measure(held={"fpr": ("recall", "tpr")})
@value
class FprAtRecall(PointOnCurve):
    """The lowest false positive rate at a recall; smaller is better.

    Parameters
    ----------
    recall : float
        In (0, 1].

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([1, 0, 1, 0], [4, 3, 2, 1]).measure("fpr_at_recall", recall=1).value
    0.5
    """

    recall: float

    name = "fpr_at_recall"
    needs = "path"
    monotone = True
    better = "lower"
    aliases = ("fpr_at_tpr",)
    label = "The false positive rate at a recall"
    example = "for example `recall=0.9`"

    def __post_init__(self) -> None:
        object.__setattr__(self, "recall", check_held_rate(self.recall, "recall", self.name))

    def of(self, table: Counts) -> float:
        """Return the false positive rate of a table."""
        return roc_curve(table).at(tpr=self.recall).fpr

    def band_ends(self, table: Counts, level: float, design: str) -> Span:
        """Return the ends of the band of the same curve with the classes exchanged: scores reversed, labels swapped."""
        # Of the mirrored curve: the proportion of negatives called where a share 1 - recall of the positives is.
        band = roc_band(mirrored(table), [1.0 - self.recall], confidence_level=level, design=design)
        return 1.0 - float(band.high[0]), 1.0 - float(band.low[0])

    def values(self, batch: Batch) -> FloatArray:
        """Return the false positive rate of each table."""
        return replicate_areas.rate_at(batch.pos, batch.neg, self.recall, last=False)
