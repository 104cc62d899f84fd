"""Uncertainty in precision-recall-gain space: a band of the curve, and an interval of its area."""

from __future__ import annotations

import math

import numpy as np

from thresher._core.checks import check_choice, check_confidence_level, check_count, check_fractions, warn
from thresher._core.random_streams import Rng, batch_rows, run_batches, stream_key
from thresher._curves import pr_gain_curve
from thresher._inference.bands.curve_band import CurveBand, pr_band
from thresher._inference.interval import ConfidenceInterval, normal_quantile
from thresher._inference.sampling import check_weights, sampling_of
from thresher._table import Counts, check_two_classes
from thresher.typing import ArrayLike, FloatArray

__all__ = ["GAIN_METHODS", "pr_gain_band", "pr_gain_interval", "resampled_gain_areas"]

GAIN_METHODS = ("log", "percentile")

_GRID = np.linspace(0.0, 1.0, 101)


def pr_gain_band(
    counts: Counts,
    recall_gain: ArrayLike | None = None,
    *,
    confidence_level: float = 0.95,
    simultaneous: bool = False,
    method: str | None = None,
    n_resamples: int = 4000,
    rng: object = None,
) -> CurveBand:
    """Return a confidence band of the precision-recall-gain curve; the class totals are taken as given.

    Parameters
    ----------
    recall_gain : array-like, optional
        Recall gains in [0, 1] at which the band is wanted; 0, 0.01, ..., 1 if left out.
    confidence_level, simultaneous, method, n_resamples, rng
        As in `roc_band`.

    Returns
    -------
    CurveBand
        The band of `pr_band` seen in the other space; gains below 0 are worse than calling everything positive.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> band = th.Scores(data.y_true, data.logistic).pr_gain_band([0.9, 0.99])
    >>> band.low.round(3), band.value.round(3), band.high.round(3)
    (array([0.989, 0.827]), array([0.998, 0.907]), array([1.   , 0.943]))
    """
    check_two_classes(counts, "A precision-recall-gain band")
    gain = _GRID if recall_gain is None else np.atleast_1d(check_fractions(recall_gain, "recall_gain"))
    share = float(counts.prevalence)
    # At a given prevalence both gains rise with precision and recall, so the band of the PR curve is carried over.
    found = pr_band(
        counts,
        np.minimum(share / (1.0 - (1.0 - share) * gain), 1.0),
        confidence_level=confidence_level,
        simultaneous=simultaneous,
        method=method,
        design="fixed",
        n_resamples=n_resamples,
        rng=rng,
    )

    def gained(precision: FloatArray) -> FloatArray:
        with np.errstate(divide="ignore"):
            return np.asarray((precision - share) / ((1.0 - share) * precision))

    low, high, value = (gained(ends) for ends in (found.low, found.high, found.value))
    return CurveBand(gain, low, high, value, found.confidence_level, found.method, found.simultaneous, "pr_gain")


def pr_gain_interval(
    counts: Counts, confidence_level: float = 0.95, *, method: str = "log", n_resamples: int = 2000, rng: Rng = None
) -> ConfidenceInterval:
    """Return a confidence interval of the area under the precision-recall-gain curve.

    Parameters
    ----------
    confidence_level : float, default 0.95
        Strictly between 0 and 1.
    method : {"log", "percentile"}, default "log"
        A normal interval on the scale of log(1 - area), its standard error from the resamples; or their quantiles,
        which lie too high when the area is near 1 and the classes are small.
    n_resamples : int, default 2000
        How many resamples of the counts are drawn; each class keeps its size.
    rng : Generator or int, optional
        Source of randomness.

    Returns
    -------
    ConfidenceInterval

    Warns
    -----
    ThresherWarning
        When the area is 1: the interval is a point.

    Notes
    -----
    The area is at most 1 and skewed towards it. On the scale of log(1 - area) the normal distribution is nearer, and
    the interval stays below 1; quantiles of the resamples lie too high when the area is near 1 and the classes are
    small.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> scores = th.Scores(data.y_true, data.logistic)
    >>> round(scores.pr_gain().area, 4), f"{scores.pr_gain_interval(rng=1):.3f}"
    (0.9961, '0.994 to 0.997')
    """
    check_two_classes(counts, "An interval of the precision-recall-gain area")
    check_weights(counts)
    level = check_confidence_level(confidence_level)
    check_choice(method, "method", GAIN_METHODS)
    areas = resampled_gain_areas(counts, check_count(n_resamples, "n_resamples", minimum=2), rng)
    if method == "percentile":
        tail = (1.0 - level) / 2.0
        low, high = np.quantile(areas, (tail, 1.0 - tail))
        return ConfidenceInterval(float(low), float(high), level, method)
    missing = 1.0 - pr_gain_curve(counts).area
    if missing <= 0.0:
        warn(
            "The area is 1, and so is that of every resample: the interval is a point and says nothing. "
            "Hint: `roc_auc().confidence_interval()` has length for separated classes."
        )
        return ConfidenceInterval(1.0, 1.0, level, method)
    factor = math.exp(min(normal_quantile(level) * float(areas.std(ddof=1)) / missing, 50.0))
    return ConfidenceInterval(1.0 - missing * factor, 1.0 - missing / factor, level, method)


def resampled_gain_areas(counts: Counts, n_resamples: int, rng: Rng) -> FloatArray:
    """Return the area of each resample, drawn within the classes."""
    # Rows with weights keep them, and clusters are drawn whole.
    plan = sampling_of(counts).draws(counts, "path", None, stratified=True)
    key = stream_key(rng)

    def measured(first: int, count: int) -> FloatArray:
        return np.array([_area(*table) for table in zip(*plan.draw(key, first, count), strict=True)])

    return run_batches(measured, n_resamples, rows=batch_rows(len(counts)))


def _area(pos: FloatArray, neg: FloatArray) -> float:
    """Return the area over recall gain 0 to 1 of a table, highest score first."""
    tp, fp = np.append(0.0, np.cumsum(pos)), np.append(0.0, np.cumsum(neg))
    n_pos, n_neg = tp[-1], fp[-1]
    # Recall gain 0 is recall = prevalence.
    start = n_pos * n_pos / (n_pos + n_neg)
    after = int(np.searchsorted(tp, start))
    part = (start - tp[after - 1]) / (tp[after] - tp[after - 1])
    tp = np.append(start, tp[after:])
    fp = np.append(fp[after - 1] + part * (fp[after] - fp[after - 1]), fp[after:])
    x, y = -(n_pos / n_neg) * n_pos / tp, 1.0 - n_pos / n_neg * fp / tp
    return float(np.sum(np.diff(x) * (y[1:] + y[:-1])) / 2.0)
