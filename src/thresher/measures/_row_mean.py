"""Means over rows of a loss by score and label: the Brier score, the log loss and Cllr."""

from __future__ import annotations

import math
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import warn
from thresher._core.sums import dot
from thresher._core.values import value
from thresher._curves import check_probabilities
from thresher._inference import ConfidenceInterval
from thresher._inference.bootstrap import table_for
from thresher._inference.bootstrap.adverse import MASS
from thresher._inference.bootstrap.smooth_quantile import mean_quantile
from thresher._inference.calibration import ProperScore, mean_score
from thresher._inference.sampling import (
    Influence,
    Spread,
    check_counted,
    check_weights,
    mean_influence,
    refuse_dependent,
    sampling_of,
)
from thresher._table import Batch, Counts
from thresher.exceptions import UndefinedMetricError
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._measure import Measure, Span
from thresher.measures._registry import measure
from thresher.typing import FloatArray

# The variance inside so many bins does not matter beside that between them.
_BINS = 2048


class RowMean(Measure):
    """The mean over rows of a value that depends on the row's score and label; its variance is that of the rows."""

    __slots__ = ()

    classes = "either"
    test = "normal"
    intervals: ClassVar[tuple[str, ...]] = ("bayes", "normal", "bootstrap")
    weighted_interval = "normal"

    def of_rows(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the value of a positive and of a negative at each score."""
        raise NotImplementedError

    def _rows_of(self, table: Counts) -> tuple[FloatArray, FloatArray]:
        return self.of_rows(check_probabilities(table, self.label))

    def of(self, table: Counts) -> float:
        """Return the mean of a table."""
        pos, neg = self._rows_of(table)
        return (_dot(table.pos, pos) + _dot(table.neg, neg)) / float(table.n_pos + table.n_neg)

    def values(self, batch: Batch) -> FloatArray:
        """Return the mean of each table."""
        pos, neg = self.of_rows(np.asarray(batch.scores, dtype=np.float64))
        sums = sum(_times(counts, loss) for counts, loss in ((batch.pos, pos), (batch.neg, neg)))
        return np.asarray(sums / sum(batch.totals))

    def influence(self, table: Counts) -> Influence:
        """Return the value of each score less the mean of its class, as parts of all rows."""
        pos, neg = self._rows_of(table)
        own = np.concatenate((pos[table.pos > 0], neg[table.neg > 0]))
        if not np.isfinite(own).all():
            raise UndefinedMetricError(f"{self.label} is infinite, so its rows have no variance.")
        return mean_influence(pos, neg, table)

    def spread(self, table: Counts, design: str = "random", method: str | None = None, **at: Any) -> Spread:
        """Return the variance of the mean: of independent rows their own, without the factor n / (n - 1)."""
        del method, at
        if design != "random" or not table._independent or not table._counted:
            check_weights(table)
            table = table_for(table, self)
            return sampling_of(table).spread(self.influence(table), design=design, corrected=False)
        check_weights(table)
        value = self.of(table)
        if math.isinf(value):
            raise UndefinedMetricError(f"{self.label} is infinite, so its rows have no variance.")
        pos, neg = self._rows_of(table)
        total = float(table.n_pos + table.n_neg)
        return Spread((_dot(table.pos, (pos - value) ** 2) + _dot(table.neg, (neg - value) ** 2)) / total**2)

    def interval(
        self, estimate: Estimate, level: float, method: str, options: IntervalOptions
    ) -> Span | ConfidenceInterval:
        """Return the limits of the Bayesian bootstrap with half a case at the worst and the best value, or others."""
        if method != "bayes":
            return super().interval(estimate, level, method, options)
        refuse_dependent(estimate.counts, "bayes")
        table = check_counted(estimate.counts, "bayes", "methods such as 'normal'")._even
        if math.isinf(estimate.value):
            raise UndefinedMetricError(f"{self.label} is infinite, so its rows have no variance.")
        rows = self._rows_of(table)
        values = np.concatenate([own[counts > 0] for own, counts in zip(rows, (table.pos, table.neg), strict=True)])
        shapes = np.concatenate([counts[counts > 0] for counts in (table.pos, table.neg)]).astype(np.float64)
        possible = np.concatenate(rows)
        finite = possible[np.isfinite(possible)]
        if finite.size < possible.size:
            warn(
                f"{self.label} would be infinite if an outcome occurred that a score of 0 or 1 rules out. The upper "
                "limit allows for the worst finite loss only. Hint: keep scores inside (0, 1)."
            )
        values, shapes = _binned(values, shapes)
        tail = (1.0 - level) / 2.0
        low = mean_quantile(values, shapes, float(finite.min()), MASS, tail)
        high = mean_quantile(values, shapes, float(finite.max()), MASS, 1.0 - tail)
        return min(low, estimate.value), max(high, estimate.value)


def _binned(values: FloatArray, shapes: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return values with the rows of each; of very many values the means of narrow bins."""
    if values.size <= _BINS:
        return values, shapes
    low, high = float(values.min()), float(values.max())
    if high == low:
        return values[:1], np.array([shapes.sum()])
    at = np.minimum(((values - low) * (_BINS / (high - low))).astype(np.intp), _BINS - 1)
    rows = np.bincount(at, weights=shapes, minlength=_BINS).astype(np.float64)
    sums = np.bincount(at, weights=shapes * values, minlength=_BINS)
    full = rows > 0.0
    return sums[full] / rows[full], rows[full]


def _times(counts: FloatArray, values: FloatArray) -> FloatArray:
    """Return the sums of counts times values of each table; 0 x inf is 0."""
    wild = ~np.isfinite(values)
    found = counts @ np.where(wild, 0.0, values)
    if wild.any():
        found = np.where(counts[:, wild].any(axis=1), np.inf, found)
    return np.asarray(found)


def _dot(counts: NDArray[Any], values: FloatArray) -> float:
    """Return the sum of counts times values; 0 x inf is 0."""
    if np.isfinite(values.max(initial=0.0)):
        terms = np.asarray(counts * values)
    else:
        with np.errstate(invalid="ignore"):
            terms = np.where(counts == 0, 0.0, counts * values)
    return math.fsum(terms.tolist()) if terms.size <= 4096 else float(terms.sum())


@measure()
@value
class Brier(RowMean):
    """The Brier score; smaller is better. Scores must be probabilities.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([1, 0, 1], [0.75, 0.25, 0.5]).measure("brier").value
    0.125
    """

    name = "brier"
    aliases = ("brier_score", "brier_score_loss", "brier_class")
    better = "lower"
    label = "The Brier score"

    def of_rows(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the squared distances from 1 and from 0."""
        return (1.0 - x) ** 2, x * x

    def of(self, table: Counts) -> float:
        """Return the mean, correctly rounded for some thousand scores."""
        return mean_score(ProperScore("brier"), check_probabilities(table, self.label), table.pos, table.neg)


@measure()
@value
class LogLoss(RowMean):
    """The mean of -log of the probability given to the true class, in nats; smaller is better.

    It is infinite if a score of exactly 0 or 1 was wrong; nothing is clipped.

    Examples
    --------
    >>> import thresher as th
    >>> round(th.Scores([1, 0, 1], [0.75, 0.25, 0.5]).measure("log_loss").value, 4)
    0.4228
    >>> th.Scores([1, 0, 1], [0.0, 0.25, 0.5]).measure("log_loss").value
    inf
    """

    name = "log_loss"
    aliases = ("cross_entropy", "logarithmic_loss", "mn_log_loss", "mxe")
    better = "lower"
    label = "The log loss"
    bounds = (0.0, float("inf"))

    def of_rows(self, x: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return -log x and -log (1 - x)."""
        with np.errstate(divide="ignore"):
            return -np.log(x), -np.log1p(-x)


@measure()
@value
class Cllr(Measure):
    """The log-likelihood-ratio cost in bits, at even prior odds; 1 for a useless score, smaller is better.

    Parameters
    ----------
    prevalence : float, optional
        The proportion of positives at which the scores are probabilities; that of the data by default.

    Examples
    --------
    >>> import thresher as th
    >>> round(th.Scores([1, 0, 1, 0], [0.8, 0.4, 0.6, 0.1]).measure("cllr").value, 4)
    0.487
    """

    prevalence: float | None = None

    name = "cllr"
    better = "lower"
    label = "The log-likelihood-ratio cost"
    intervals = ("normal", "bootstrap")
    test = "normal"
    bounds = (0.0, float("inf"))

    def _losses(self, table: Counts) -> tuple[FloatArray, FloatArray]:
        x = check_probabilities(table, self.label)
        share = table.prevalence if self.prevalence is None else self.prevalence
        with np.errstate(divide="ignore"):
            log = np.log(x) - np.log1p(-x) + math.log((1.0 - share) / share)
        return np.logaddexp(0.0, -log) / math.log(2.0), np.logaddexp(0.0, log) / math.log(2.0)

    def of(self, table: Counts) -> float:
        """Return the mean of the classes' means."""
        return math.fsum(self._means(table)) / 2.0

    def _means(self, table: Counts) -> list[float]:
        """Return the mean loss in each class."""
        out = []
        for counts, losses in zip((table.pos, table.neg), self._losses(table), strict=True):
            with np.errstate(invalid="ignore"):
                out.append(math.fsum(np.where(counts == 0, 0.0, counts * losses).tolist()) / float(counts.sum()))
        return out

    def influence(self, table: Counts) -> Influence:
        """Return the losses less their mean; with the data's own prevalence also how it moves them."""
        means = self._means(table)
        if not all(map(math.isfinite, means)):
            raise UndefinedMetricError(f"{self.label} is infinite, so its rows have no variance.")
        weights = table.pos, table.neg
        losses = zip(self._losses(table), means, weights, strict=True)
        pos, neg = (np.where(weight > 0, (loss - mean) / 2.0, 0.0) for loss, mean, weight in losses)
        odds = 0.0
        if self.prevalence is None:
            # A loss L in bits has the slope 1 - 2^-L in its log odds.
            slopes = [
                np.where(w > 0, 1.0 - np.exp2(-loss), 0.0) for loss, w in zip(self._losses(table), weights, strict=True)
            ]
            means = [dot(slope, weight) / float(weight.sum()) for slope, weight in zip(slopes, weights, strict=True)]
            odds = (means[1] - means[0]) / (2.0 * math.log(2.0))
        return Influence(pos, neg, odds)
