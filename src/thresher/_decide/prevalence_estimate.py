"""The proportion of positives among cases without labels, from how their scores are distributed."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from thresher._core.arrays import as_scores
from thresher._core.checks import check_choice, check_confidence_level, check_count, check_resamples, warn
from thresher._core.presented import Presented
from thresher._core.random_streams import Rng, Stream, stream_key
from thresher._core.result_bases import Numeric
from thresher._core.sums import dot
from thresher._core.values import StandardError, value
from thresher._inference import normal_quantile
from thresher._table import Counts, as_counts, check_two_classes
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.typing import ArrayLike, FloatArray

_DOUBTFUL = 0.01


@value
class PrevalenceEstimate(Numeric, Presented):
    """The proportion of positives among cases without labels.

    Attributes
    ----------
    value : float
        The estimate.
    standard_error : float
        With the uncertainty of the labelled data in it. It can also be called as a method.
    low, high : float
        Interval, inside [0, 1].
    confidence_level : float
        Its level.
    method : str
        "mixture" or "threshold".
    shift_pvalue : float or None
        For "mixture": of label shift, on which the estimate rests. Small: the classes' scores are not what they were.

    Examples
    --------
    >>> import numpy as np
    >>> import thresher as th
    >>> rng = np.random.default_rng(0)
    >>> labelled = th.Scores.from_pos_neg(rng.normal(1.5, 1, 300), rng.normal(0, 1, 300))
    >>> found = th.estimate_prevalence(labelled, rng.normal(size=2000) + 1.5 * (rng.random(2000) < 0.1), rng=0)
    >>> found.low < 0.1 < found.high
    True
    """

    value: float
    standard_error: float
    low: float
    high: float
    confidence_level: float
    method: str
    shift_pvalue: float | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "standard_error", StandardError(self.standard_error))

    def __iter__(self) -> Iterator[float]:
        return iter((self.low, self.high))


def estimate_prevalence(
    labelled: Counts,
    unlabelled: ArrayLike | Counts,
    *,
    method: str = "mixture",
    cells: int = 10,
    threshold: float | None = None,
    confidence_level: float = 0.95,
    n_resamples: int = 500,
    rng: Rng = None,
) -> PrevalenceEstimate:
    """Return the proportion of positives among cases without labels, under label shift.

    The scores within each class must be distributed as in the labelled data; only the class balance differs.

    Parameters
    ----------
    labelled : Scores
        Data with labels, of any prevalence.
    unlabelled : array-like or Scores
        Scores of the cases in question; of a Scores the labels are not looked at.
    method : {"mixture", "threshold"}
        "mixture": the likelihood of the counts in cells of equally many scores, whose bounds do not depend on labels.
        "threshold": (alert rate - FPR) / (TPR - FPR) at a threshold that was fixed beforehand.
    cells : int, default=10
        For "mixture".
    threshold : float, optional
        For "threshold", which needs it.
    confidence_level : float, default=0.95
        Strictly between 0 and 1.
    n_resamples, rng : int, optional
        For "mixture": joint resamples of both classes and of the cases, for the standard error.

    Returns
    -------
    PrevalenceEstimate

    Warns
    -----
    ThresherWarning
        When the cells are not filled as any mixture of the two classes would fill them.

    References
    ----------
    .. [1] M. Saerens, P. Latinne and C. Decaestecker, "Adjusting the outputs of a classifier to new a priori
       probabilities", Neural Computation 14 (2002), 21-41, doi:10.1162/089976602753284446

    Examples
    --------
    Precision where the score is used, from labels gathered elsewhere:

    >>> import numpy as np
    >>> import thresher as th
    >>> rng = np.random.default_rng(1)
    >>> labelled = th.Scores.from_pos_neg(rng.normal(2, 1, 500), rng.normal(0, 1, 500))
    >>> clinic = rng.normal(size=5000) + 2 * (rng.random(5000) < 0.05)
    >>> found = th.estimate_prevalence(labelled, clinic, rng=0)
    >>> round(found.value, 2), round(labelled.pr(prevalence=found.value).at(threshold=2).precision, 2)
    (0.05, 0.57)
    """
    counts = as_counts(labelled, "labelled")._even
    check_two_classes(counts, "Estimating a prevalence")
    check_choice(method, "method", ("mixture", "threshold"))
    level = check_confidence_level(confidence_level)
    scores, rows = _unlabelled(unlabelled)
    if (method == "threshold") != (threshold is not None):
        raise InvalidInputError(
            "`threshold` must be given with method='threshold', and with nothing else. "
            "Hint: one that was fixed before these data, such as that of `tune`."
        )
    if threshold is not None:
        return _at_threshold(counts, scores, rows, float(threshold), level)
    if counts._weighted:
        raise InvalidInputError("`labelled` must have whole counts to be resampled; got weights.")
    return _mixture(
        counts, scores, rows, check_count(cells, "cells", minimum=2), level, check_resamples(n_resamples), rng
    )


def _unlabelled(unlabelled: ArrayLike | Counts) -> tuple[FloatArray, NDArray[np.int64]]:
    if isinstance(unlabelled, Counts):
        unlabelled = unlabelled._even
        if unlabelled._weighted:
            raise InvalidInputError("`unlabelled` must have whole counts; got weights.")
        return np.asarray(unlabelled.thresholds, dtype=np.float64)[::-1], (unlabelled.pos + unlabelled.neg)[::-1]
    column = np.asarray(as_scores(unlabelled, "unlabelled"), dtype=np.float64)
    scores, rows = np.unique(column, return_counts=True)
    return scores, rows


def _at_threshold(
    counts: Counts, scores: FloatArray, rows: NDArray[np.int64], threshold: float, level: float
) -> PrevalenceEstimate:
    called = np.asarray(counts.thresholds, dtype=np.float64) >= threshold
    tpr, fpr = counts.pos[called].sum() / counts.n_pos, counts.neg[called].sum() / counts.n_neg
    if tpr <= fpr:
        raise UndefinedMetricError(
            f"The threshold must call more of the positives than of the negatives; at {threshold:g} TPR is {tpr:g} and "
            f"FPR {fpr:g}. Hint: one at which the score separates the classes."
        )
    total = rows.sum()
    rate = rows[scores >= threshold].sum() / total
    found = (rate - fpr) / (tpr - fpr)
    spread = rate * (1 - rate) / total + found**2 * tpr * (1 - tpr) / counts.n_pos
    spread += (1 - found) ** 2 * fpr * (1 - fpr) / counts.n_neg
    return _result(float(found), math.sqrt(float(spread)) / float(tpr - fpr), level, "threshold", None)


def _result(found: float, spread: float, level: float, method: str, chance: float | None) -> PrevalenceEstimate:
    inside = min(max(found, 0.0), 1.0)
    reach = normal_quantile(level) * spread
    low, high = (min(max(end, 0.0), 1.0) for end in (found - reach, found + reach))
    return PrevalenceEstimate(inside, spread, low, high, level, method, chance)


def _mixture(
    counts: Counts, scores: FloatArray, rows: NDArray[np.int64], cells: int, level: float, size: int, rng: Rng
) -> PrevalenceEstimate:
    labelled = np.asarray(counts.thresholds, dtype=np.float64)
    edges = _edges(np.concatenate((labelled, scores)), np.concatenate((counts.pos + counts.neg, rows)), cells)
    pos, neg, seen = (
        np.bincount(np.searchsorted(edges, at, side="right"), weights=column, minlength=edges.size + 1).astype(np.int64)
        for at, column in ((labelled, counts.pos), (labelled, counts.neg), (scores, rows))
    )
    found, fitted = _likeliest(pos, neg, seen)
    distance = _distance(seen, fitted)
    stream = Stream(stream_key(rng))
    draws, farther = np.empty(size), 0
    shapes = [column / column.sum() for column in (pos, neg, seen)]
    f1, f0 = _shares(pos), _shares(neg)
    for i in range(size):
        generator = stream.at(i)
        drawn = [generator.multinomial(int(c.sum()), p) for c, p in zip((pos, neg, seen), shapes, strict=True)]
        draws[i] = _likeliest(*drawn)[0]
        # The same under label shift with the fitted share, for the check of label shift.
        null = [generator.multinomial(int(c.sum()), p) for c, p in ((pos, f1), (neg, f0), (seen, fitted))]
        farther += _distance(null[2], _likeliest(*null)[1]) >= distance
    chance = (1 + farther) / (1 + size)
    if chance < _DOUBTFUL:
        warn(
            f"No mixture of the two classes fills the cells as these cases do (p = {chance:.3g}), so label shift is in "
            "doubt, and with it the prevalence. Hint: label some of the cases."
        )
    return _result(found, float(draws.std(ddof=1)), level, "mixture", chance)


def _edges(scores: FloatArray, rows: NDArray[np.int64], cells: int) -> FloatArray:
    """Return bounds between cells of equally many rows, without looking at labels; ties stay together."""
    order = np.argsort(scores)
    running = np.cumsum(rows[order])
    wanted = running[-1] * np.arange(1, cells) / cells
    return np.unique(scores[order][np.searchsorted(running, wanted, side="left").clip(max=scores.size - 1)])


def _shares(column: NDArray[np.int64]) -> FloatArray:
    smoothed = column + 0.5
    return np.asarray(smoothed / smoothed.sum())


def _likeliest(pos: NDArray[np.int64], neg: NDArray[np.int64], seen: NDArray[np.int64]) -> tuple[float, FloatArray]:
    """Return the share at which the likelihood is largest, by bisection of its falling derivative, and the cells."""
    f1, f0 = _shares(pos), _shares(neg)
    gap = f1 - f0

    def slope(share: float) -> float:
        return dot(seen, gap / (f0 + share * gap))

    low, high = 0.0, 1.0
    if slope(0.0) <= 0.0:
        high = 0.0
    elif slope(1.0) >= 0.0:
        low = 1.0
    else:
        for _ in range(60):
            middle = (low + high) / 2.0
            low, high = (middle, high) if slope(middle) > 0.0 else (low, middle)
    share = (low + high) / 2.0
    return share, f0 + share * gap


def _distance(seen: NDArray[np.int64], fitted: FloatArray) -> float:
    hoped = seen.sum() * fitted
    return float(((seen - hoped) ** 2 / hoped).sum())
