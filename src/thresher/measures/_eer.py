"""The equal error rate: where misses and false alarms are equally frequent."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from thresher._core.checks import check_choice
from thresher._core.values import value
from thresher._curves import HullBlocks, hull_blocks
from thresher._inference import normal_quantile
from thresher._inference.rates import proportion_interval
from thresher._inference.sampling import check_counted, check_weights, refuse_clusters, sampling_of
from thresher._table import Batch, Counts, padded_counts, running_counts
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._hull_measure import HullMeasure
from thresher.measures._measure import Influence, Measure, Span
from thresher.measures._registry import measure
from thresher.typing import FloatArray

__all__ = ["EqualErrorRate"]


@measure()
@value
class EqualErrorRate(HullMeasure):
    """The rate at which misses and false alarms are equally frequent; smaller is better.

    Intervals are "bayes", the default, which takes the rate for a proportion of an effective number of cases, with
    three quarters of a case at the adverse end; "normal", which is symmetric and far too short where few errors are
    made (82% instead of 95%), the default of weighted and clustered rows; and "basic", by resamples.

    Parameters
    ----------
    curve : {"hull", "roc"}
        On the ROC convex hull, which a randomised mixture of two thresholds attains and no gap between scores moves, or
        on the ROC curve itself.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    >>> scores.measure("eer").value
    0.25
    >>> low, high = scores.measure("eer").confidence_interval()
    >>> round(low, 3), round(high, 3)
    (0.033, 0.737)
    """

    curve: str = "hull"

    name = "eer"
    better = "lower"
    aliases = ("equal_error_rate",)
    label = "The equal error rate"
    monotone = True
    intervals = ("bayes", "normal", "basic", "bootstrap")
    weighted_interval = "normal"

    def __post_init__(self) -> None:
        check_choice(self.curve, "curve", ("hull", "roc"))

    def values(self, batch: Batch) -> FloatArray:
        """Return the rate of each table."""
        return HullMeasure.values(self, batch) if self.curve == "hull" else Measure.values(self, batch)

    def of(self, table: Counts) -> float:
        """Return the rate of a table."""
        if self.curve == "hull":
            return HullMeasure.of(self, table)
        tp, fp = padded_counts(table)
        return _crossing(np.diff(tp), np.diff(fp), float(table.n_pos), float(table.n_neg))[0]

    def of_blocks(self, blocks: HullBlocks, n_pos: float, n_neg: float) -> float:
        """Return where the hull crosses the line of equal errors."""
        return _crossing(blocks.pos, blocks.neg, n_pos, n_neg)[0]

    def _slope(self, table: Counts) -> float:
        blocks = hull_blocks(*running_counts(table))
        return _crossing(blocks.pos, blocks.neg, float(table.n_pos), float(table.n_neg))[1]

    def standard_error(self, estimate: Estimate, method: str, options: IntervalOptions) -> float:
        """Return the delta method's, with the slope of the edge that is crossed."""
        if method == "basic":
            return self.resampled(estimate.counts, options).standard_error
        table = estimate.counts
        if table._rows_alike is not None:
            table = table._rows_alike  # weights equal within each class only say how frequent the classes are
        e, slope = estimate.value, self._slope(table)
        if table._weighted or not table._independent:
            check_weights(table)
            return math.sqrt(sampling_of(table).spread(self.influence(table)).variance)
        if math.isinf(slope):
            return math.sqrt(e * (1.0 - e) / table.n_neg)
        return math.sqrt(e * (1.0 - e) * (slope**2 / table.n_neg + 1.0 / table.n_pos)) / (1.0 + slope)

    def _as_share(self, estimate: Estimate, level: float) -> Span:
        """Return the limits of a proportion of as many cases as the delta method's error is worth.

        The hull of a sample is too good and the slope of one edge of it uncertain, both to the harm of the upper
        limit: that takes the curve itself, and no more cases than the smaller class has, or twice as many where it
        has four errors.
        """
        refuse_clusters(estimate.counts, "bayes")
        table = check_counted(estimate.counts, "bayes", "methods such as 'normal'")
        slope = self._slope(table)
        cases = table.n_neg if math.isinf(slope) else (1.0 + slope) ** 2 / (slope**2 / table.n_neg + 1.0 / table.n_pos)
        tp, fp = padded_counts(table)
        worse = _crossing(np.diff(tp), np.diff(fp), float(table.n_pos), float(table.n_neg))[0]
        smaller = min(table.n_pos, table.n_neg)
        fewer = min(cases, smaller * (1.0 + min(1.0, worse * smaller / 4.0)))
        rates, sizes = np.array([estimate.value, worse]), np.array([cases, fewer], dtype=np.float64)
        low, high = proportion_interval(rates * sizes, sizes, method="bayes", confidence_level=level)
        return float(low[0]), float(high[1])

    def influence(self, table: Counts) -> Influence:
        """Return how the rate moves with a row: by its miss or its false call at the crossing."""
        tp, fp = padded_counts(table)
        if self.curve == "hull":
            blocks = hull_blocks(*running_counts(table))
            ends, pos, neg = blocks.ends, blocks.pos, blocks.neg
        else:
            ends, pos, neg = np.arange(len(table)), np.diff(tp), np.diff(fp)
        e, _, k, part = _crossing(pos, neg, float(table.n_pos), float(table.n_neg))
        # A step of the curve goes up or across and has no slope of its own; the hull's is that of the scores around.
        slope = self._slope(table)
        row = np.arange(len(table))
        first = 0 if k == 0 else int(ends[k - 1]) + 1
        called = np.where(row < first, 1.0, np.where(row <= int(ends[k]), part, 0.0))
        share = 1.0 if math.isinf(slope) else slope / (1.0 + slope)
        return Influence((1.0 - share) * (1.0 - called - e), share * (called - e))

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return the interval of a share, the normal one, or the reflected bootstrap."""
        if method == "basic":
            low, high = Measure.interval(self, estimate, level, method, options)
            return low, high
        if method == "bayes":
            return self._as_share(estimate, level)
        reach = normal_quantile(level) * self.standard_error(estimate, method, options)
        return estimate.value - reach, estimate.value + reach


def _crossing(pos: np.ndarray, neg: np.ndarray, n_pos: float, n_neg: float) -> tuple[float, float, int, float]:
    """Return the FPR where it is 1 - TPR along edges, the slope of the edge there, its number and how far along."""
    tp, fp = np.append(0, np.cumsum(pos)), np.append(0, np.cumsum(neg))
    k = int(np.argmax(tp[1:] * n_neg + fp[1:] * n_pos >= n_pos * n_neg))
    exact = [Fraction(number.item()) for number in (tp[k], fp[k], pos[k], neg[k])]
    p, n = Fraction(n_pos), Fraction(n_neg)
    part = (p * n - exact[0] * n - exact[1] * p) / (exact[2] * n + exact[3] * p)
    slope = float(exact[2] * n / (exact[3] * p)) if exact[3] else math.inf
    return float((exact[1] + part * exact[3]) / n), slope, k, float(part)
