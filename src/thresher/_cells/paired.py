"""Tests of one metric of the confusion matrix between two models: on the same rows, or on different ones."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
import scipy

from thresher._cells.catalogue import CellMetric
from thresher._cells.influence import cell_variance
from thresher._cells.matrix import Matrix, as_doubles
from thresher.typing import ArrayLike, FloatArray

__all__ = ["CellDifference", "Pairing", "SwapTest", "compare_paired", "compare_unpaired", "mcnemar", "swap_test"]

_MOST_TABLES = 4_000_000
_TIE = 1e-10


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


class SwapTest(NamedTuple):
    """P-values of swapping the models within rows: ties counted half or whole; how often the metric is undefined."""

    mid: float
    exact: float
    undefined: float


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


def swap_test(
    metric: CellMetric,
    pos: Pairing,
    neg: Pairing,
    *,
    units: ArrayLike | None = None,
    n_resamples: int = 9999,
    rng: np.random.Generator | None = None,
) -> SwapTest:
    """Test whether two models are exchangeable within rows, by the absolute difference of their metrics.

    Swapping is enumerated: the rows that only a predicts positive are then binomial in each class. Above four million
    tables, and with `units` (weights of rows or clusters, as in `compare_paired`), signs are drawn.
    """
    changing = [int(side.only_a + side.only_b) for side in (pos, neg)]
    if units is None and (changing[0] + 1) * (changing[1] + 1) <= _MOST_TABLES:
        k, j = np.arange(changing[0] + 1)[:, None], np.arange(changing[1] + 1)
        tp, fp = pos.both + k, neg.both + j
        values = metric.value(*np.broadcast_arrays(tp, fp, sum(pos) - tp, sum(neg) - fp), exact=False)
        chances = [_halves(n) for n in changing]
        with np.errstate(invalid="ignore"):
            return _tail(values - values[::-1, ::-1], chances[0][:, None] * chances[1], _gap(metric, pos, neg))
    draws = _drawn_swaps(metric, pos, neg, units, n_resamples, rng or np.random.default_rng())
    # The data are one of the swaps.
    observed = _gap(metric, pos, neg)
    return _tail(np.append(draws, observed), np.full(n_resamples + 1, 1.0 / (n_resamples + 1)), observed)


def _halves(n: int) -> FloatArray:
    """Return the chances of 0 to n heads in n throws."""
    k = np.arange(n + 1.0)
    return np.asarray(np.exp(-np.log1p(n) - scipy.special.betaln(n - k + 1.0, k + 1.0) - n * math.log(2.0)))


def _gap(metric: CellMetric, pos: Pairing, neg: Pairing) -> float:
    a, b = (metric.value(*table, exact=False) for table in _tables(pos, neg))
    return float(a - b)


def _tail(differences: FloatArray, chances: FloatArray, observed: float) -> SwapTest:
    seen = ~np.isnan(differences)
    mass = float(chances[seen].sum())
    if not math.isfinite(observed) or mass == 0.0:
        return SwapTest(math.nan, math.nan, 1.0 - mass)
    size, least = np.abs(differences[seen]), abs(observed)
    slack = _TIE * max(least, 1e-6)
    beyond = float(chances[seen][size > least + slack].sum()) / mass
    level = float(chances[seen][np.abs(size - least) <= slack].sum()) / mass
    return SwapTest(beyond + level / 2.0, min(beyond + level, 1.0), max(1.0 - mass, 0.0))


def _drawn_swaps(
    metric: CellMetric, pos: Pairing, neg: Pairing, units: ArrayLike | None, n_resamples: int, rng: np.random.Generator
) -> FloatArray:
    """Return differences with the models swapped at random: within rows, or within whole units."""
    if units is None:
        moved = [rng.binomial(int(side.only_a + side.only_b), 0.5, n_resamples) for side in (pos, neg)]
        a = [side.both + k for side, k in zip((pos, neg), moved, strict=True)]
        b = [side.both + side.only_a + side.only_b - k for side, k in zip((pos, neg), moved, strict=True)]
    else:
        each = np.asarray(units, dtype=np.float64)
        sums = each.sum(axis=0)
        lead = each[:, :, 1] - each[:, :, 2]
        signs = rng.integers(0, 2, (n_resamples, len(each))) * 2.0 - 1.0
        middle = sums[:, 0] + (sums[:, 1] + sums[:, 2]) / 2.0
        half = signs @ lead / 2.0
        a, b = list((middle + half).T), list((middle - half).T)
    whole = sum(pos), sum(neg)
    f_a, f_b = (
        metric.value(*np.broadcast_arrays(tp, fp, whole[0] - tp, whole[1] - fp), exact=False) for tp, fp in (a, b)
    )
    with np.errstate(invalid="ignore"):
        return np.asarray(f_a - f_b)
