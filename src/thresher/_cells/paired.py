"""Tests of one metric of the confusion matrix between two models: on the same rows, or on different ones."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import scipy

from thresher._cells.cell_metric import CellMetric
from thresher._cells.influence import cell_variance
from thresher._cells.matrix import Matrix, as_doubles
from thresher.typing import ArrayLike, FloatArray


class Pairing(NamedTuple):
    """Rows of one class by the predictions of two models; each a count, a sum of weights, or an array of them."""

    both: Any
    only_a: Any
    only_b: Any
    neither: Any


class CellDifference(NamedTuple):
    """The metric of a less that of b, its two variances, the test statistic with its degrees of freedom, and limits."""

    difference: FloatArray
    variance_own: FloatArray
    variance_pooled: FloatArray
    statistic: FloatArray
    pvalue: FloatArray
    low: FloatArray
    high: FloatArray
    df: float = math.inf


def _tables(pos: Pairing, neg: Pairing) -> tuple[Matrix, Matrix]:
    return (
        Matrix(pos.both + pos.only_a, neg.both + neg.only_a, pos.only_b + pos.neither, neg.only_b + neg.neither),
        Matrix(pos.both + pos.only_b, neg.both + neg.only_b, pos.only_a + pos.neither, neg.only_a + neg.neither),
    )


def compare_paired(
    metric: CellMetric,
    pos: Pairing,
    neg: Pairing,
    *,
    squares: tuple[Pairing, Pairing] | None = None,
    clusters: ArrayLike | None = None,
    prevalence: float | None = None,
    tail: float = 0.025,
) -> CellDifference:
    """Compare a metric of two models on the same rows.

    The statistic divides the difference by the larger of two standard errors: from the gradient of each model, valid
    whenever the metrics are equal, and from their common gradient, valid when the models are exchangeable. The latter
    is McNemar's test for the rates and Kosinski's for predictive values of equally many predicted positives.

    `squares` holds the sums of squared weights, `clusters` the weights of each cluster in an array of shape (g, 2, 4):
    positives and negatives, by the fields of `Pairing`.
    """
    pos, neg = (Pairing(*(np.asarray(one, dtype=np.float64) for one in side)) for side in (pos, neg))
    a, b = _tables(pos, neg)
    middle = Matrix(*((x + y) / 2.0 for x, y in zip(a, b, strict=True)))
    g, h, m = (metric.gradient(*table, prevalence=prevalence) for table in (a, b, middle))
    own = (
        (g.tp - h.tp, g.tp - h.fn, g.fn - h.tp, g.fn - h.fn),
        (g.fp - h.fp, g.fp - h.tn, g.tn - h.fp, g.tn - h.tn),
    )
    zero = np.zeros_like(m.tp)
    swapped = ((zero, m.tp - m.fn, m.fn - m.tp, zero), (zero, m.fp - m.tn, m.tn - m.fp, zero))
    difference = metric.value(*a, prevalence=prevalence) - metric.value(*b, prevalence=prevalence)
    if clusters is not None:
        each = np.asarray(clusters, dtype=np.float64)
        # Cells that no row is in add nothing, whatever their derivative.
        parts = [np.where(each != 0.0, each * np.array(u), 0.0).sum(axis=(1, 2)) for u in (own, swapped)]
        both = np.square(parts).sum(axis=1)
        return _tested(metric, difference, both[0], both[1], tail, len(each) - 1.0)
    weights = (pos, neg) if squares is None else squares
    variances = [
        sum(
            np.where(np.asarray(w) > 0.0, w * np.square(one), 0.0)
            for side, slopes in zip(weights, u, strict=True)
            for w, one in zip(side, slopes, strict=True)
        )
        for u in (own, swapped)
    ]
    return _tested(metric, difference, variances[0], variances[1], tail)


def _tested(
    metric: CellMetric, difference: Any, own: Any, pooled: Any, tail: float, df: float = math.inf
) -> CellDifference:
    error = np.sqrt(np.maximum(own, pooled))
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic = np.where(difference == 0.0, 0.0, np.where(error > 0.0, difference / error, np.nan))
    upper = scipy.special.ndtr(-abs(statistic)) if math.isinf(df) else scipy.special.stdtr(df, -abs(statistic))
    z = -scipy.special.ndtri(tail) if math.isinf(df) else -scipy.special.stdtrit(df, tail)
    span = metric.bounds[1] - metric.bounds[0]
    low, high = np.clip([difference - z * error, difference + z * error], -span, span)
    return CellDifference(difference, own, pooled, statistic[()], (2.0 * upper)[()], low, high, df)


def compare_unpaired(
    metric: CellMetric,
    a: Matrix,
    b: Matrix,
    limits_a: tuple[FloatArray, FloatArray],
    limits_b: tuple[FloatArray, FloatArray],
    *,
    squares: tuple[Matrix, Matrix] | None = None,
    prevalence: float | None = None,
    tail: float = 0.025,
) -> CellDifference:
    """Compare a metric on different rows: the larger of two standard errors; limits that join those of both models.

    Under equality both samples have the rates of their rows together, class by class, since one of them may have many
    rows of a class and the other few.
    """
    given = squares or (a, b)
    tables, parts = [], []
    for cells, squared in zip((a, b), given, strict=True):
        c, q = as_doubles(cells), as_doubles(squared)
        mean = q.total / c.total  # rows of equal weight, so that the two tables can be added
        tables.append((Matrix(*(one / mean for one in c)), Matrix(*(one / mean**2 for one in q))))
    for c, q in tables:
        parts.append(cell_variance(metric, c, squares=q, prevalence=prevalence))
    under = zip(*(_at_common_rates(*pair) for pair in zip(*tables, strict=True)), strict=True)
    pooled = sum(cell_variance(metric, c, squares=q, prevalence=prevalence) for c, q in under)
    f_a, f_b = (metric.value(*table, prevalence=prevalence) for table in (a, b))
    found = _tested(metric, f_a - f_b, parts[0] + parts[1], pooled, tail)
    with np.errstate(invalid="ignore"):
        down = np.hypot(f_a - limits_a[0], limits_b[1] - f_b)
        up = np.hypot(limits_a[1] - f_a, f_b - limits_b[0])
        return found._replace(low=f_a - f_b - down, high=f_a - f_b + up)


def _at_common_rates(a: Matrix, b: Matrix) -> tuple[Matrix, Matrix]:
    """Return both tables with the rates of the two together, each with its own class sizes."""
    with np.errstate(divide="ignore", invalid="ignore"):
        tpr, fpr = (
            np.nan_to_num(np.asarray(called / whole))
            for called, whole in ((a.tp + b.tp, a.pos + b.pos), (a.fp + b.fp, a.neg + b.neg))
        )
    one, other = (
        Matrix(tpr * c.pos, fpr * c.neg, (1.0 - tpr) * c.pos, (1.0 - fpr) * c.neg) for c in (a, b)
    )  # fmt: skip
    return one, other


def mcnemar(only_a: int, only_b: int, method: str = "mid-p") -> float:
    """Return the p-value of "as many are predicted positive by a alone as by b alone": "mid-p" or "exact"."""
    n, least = only_a + only_b, min(only_a, only_b)
    if only_a == only_b:
        return 1.0
    below = 2.0 * float(scipy.special.bdtr(least, n, 0.5))
    if method == "exact":
        return min(below, 1.0)
    log_pmf = -math.log1p(n) - float(scipy.special.betaln(n - least + 1.0, least + 1.0)) - n * math.log(2.0)
    return min(below - math.exp(log_pmf), 1.0)
