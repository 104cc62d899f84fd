"""How much the chosen threshold itself depends on the sample."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from thresher._core.arrays import frozen
from thresher._core.checks import check_confidence_level, check_resamples
from thresher._core.random_streams import Progress, Rng, batch_rows, run_batches, stream_key
from thresher._core.values import value
from thresher._core.warn import warn
from thresher._curves import OperatingPoint
from thresher._decide.choose import choose
from thresher._decide.target import Target
from thresher._inference.bootstrap import TableDraw
from thresher._table import Counts, check_two_classes
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.typing import FloatArray

__all__ = ["ThresholdInterval", "threshold_interval"]


@value
class ThresholdInterval:
    """Where the best threshold lies in resamples of the data.

    Unpacks as ``low, high = interval``.

    Parameters
    ----------
    low, high : float
        Percentiles of the thresholds chosen in the resamples; +inf where calling nothing positive was best.
    point : OperatingPoint
        The choice on the data themselves.
    thresholds : ndarray of shape (n_resamples,)
        Element i is the threshold chosen in resample i; NaN where no point kept the limits.
    confidence_level : float
        The level that was asked for.

    Examples
    --------
    >>> import numpy as np
    >>> import thresher as th
    >>> rng = np.random.default_rng(0)
    >>> tuning = th.Scores.from_pos_neg(rng.normal(1, 1, 100), rng.normal(0, 1, 400))
    >>> low, high = th.threshold_interval(tuning, min_recall=0.8, n_resamples=500, rng=0)
    >>> round(low, 2), round(high, 2)
    (-0.09, 0.41)
    """

    low: float
    high: float
    point: OperatingPoint
    thresholds: FloatArray
    confidence_level: float

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))

    def __repr__(self) -> str:
        return (
            f"threshold {self.point.threshold:.6g}, {self.confidence_level:g} interval "
            f"{self.low:.6g} to {self.high:.6g} ({self.thresholds.size:,} resamples)"
        )


def threshold_interval(
    scores: Counts,
    rule: str | None = None,
    *,
    min_recall: float | None = None,
    min_precision: float | None = None,
    max_fpr: float | None = None,
    max_alert_rate: float | None = None,
    beta: float = 1.0,
    fp_cost: float = 1.0,
    fn_cost: float = 1.0,
    prevalence: float | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 1000,
    rng: Rng = None,
    progress: Progress | None = None,
) -> ThresholdInterval:
    """Return a bootstrap interval of the threshold that a rule chooses.

    Counts at the distinct scores are resampled within each class, and the threshold is chosen again in each resample;
    nothing is sorted again.

    Parameters
    ----------
    scores : Scores
        The data on which the threshold is chosen; whole counts.
    rule, min_recall, min_precision, max_fpr, max_alert_rate, beta, fp_cost, fn_cost, prevalence
        As in `Scores.choose_threshold`.
    confidence_level : float, default=0.95
        Strictly between 0 and 1.
    n_resamples, rng : int, optional
        How many resamples (at least 10), and a seed that makes them repeatable. Resample i is the same however many
        there are.
    progress : callable, optional
        Called with (resamples done, resamples in all).

    Returns
    -------
    ThresholdInterval

    Warns
    -----
    ThresherWarning
        When some resamples have no point within the limits; they are left out of the percentiles.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> found = th.threshold_interval(th.Scores(data.y_true, data.logistic), min_recall=0.9, n_resamples=200, rng=1)
    >>> round(found.point.threshold, 3), found.low < found.point.threshold < found.high
    (0.172, True)
    """
    target = Target(rule, min_recall, min_precision, max_fpr, max_alert_rate, None, beta, fp_cost, fn_cost, prevalence)
    level = check_confidence_level(confidence_level)
    total = check_resamples(n_resamples)
    check_two_classes(scores, "Choosing a threshold")
    if scores.weighted:
        raise InvalidInputError(
            "`scores` must have whole counts to be resampled; got weights. Hint: integer weights give whole counts."
        )
    point = choose(scores, target)
    found = _chosen(scores, target, total, rng, progress)
    lost = int(np.isnan(found).sum())
    if lost:
        warn(f"In {lost} of {total} resamples no threshold keeps the limits; the interval leaves them out.")
    kept = found[~np.isnan(found)]
    if kept.size == 0:
        raise UndefinedMetricError("No resample has a threshold that keeps the limits. Hint: relax them.")
    tail = (1.0 - level) / 2.0
    low, high = np.quantile(kept, (tail, 1.0 - tail), method="inverted_cdf")
    return ThresholdInterval(float(low), float(high), point, frozen(found), level)


def _chosen(scores: Counts, target: Target, total: int, rng: Rng, progress: Progress | None) -> FloatArray:
    draws, key = TableDraw(scores.pos, scores.neg, stratified=True), stream_key(rng)

    def work(first: int, count: int) -> FloatArray:
        tables = zip(*draws.draw(key, first, count), strict=True)
        return np.array([_choice(scores, target, pos, neg) for pos, neg in tables])

    return run_batches(work, total, rows=batch_rows(len(scores)), progress=progress)


def _choice(scores: Counts, target: Target, pos: FloatArray, neg: FloatArray) -> float:
    """Return the threshold chosen in a resample; NaN where no point keeps the limits."""
    seen = (pos > 0) | (neg > 0)
    table = scores.thresholds[seen], pos[seen].astype(np.int64), neg[seen].astype(np.int64)
    try:
        return choose(Counts._from_table(table), target).threshold
    except UndefinedMetricError:
        return math.nan
