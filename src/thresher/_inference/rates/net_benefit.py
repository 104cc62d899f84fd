"""Intervals and bands of net benefit."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from thresher._cells import proportion_bounds
from thresher._inference.interval import normal_quantile
from thresher._inference.order_bounds import LocalLevelBounds
from thresher._inference.sampling import CELLS, Cells, effective_matrix, effective_scale, refuse_unknown
from thresher._table import CellSample
from thresher.typing import ArrayLike, FloatArray

NET_BENEFIT_METHODS = ("score", "normal")

Ends = tuple[FloatArray, FloatArray]


def net_benefit(
    tp: ArrayLike, fp: ArrayLike, n_pos: ArrayLike, n_neg: ArrayLike, weight: ArrayLike, prevalence: float | None
) -> FloatArray:
    """TP/n - w FP/n, or prevalence TPR - (1 - prevalence) w FPR."""
    found, called = np.asarray(tp, dtype=np.float64), np.asarray(fp, dtype=np.float64)
    n_pos, n_neg = np.asarray(n_pos, dtype=np.float64), np.asarray(n_neg, dtype=np.float64)
    w = np.asarray(weight, dtype=np.float64)
    with np.errstate(invalid="ignore"):  # an infinite weight and no false positive
        if prevalence is None:
            n = n_pos + n_neg
            lost = np.where(called == 0.0, 0.0, w * (called / n))
            return np.asarray(found / n - lost)
        lost = np.where(called == 0.0, 0.0, (1.0 - prevalence) * w * (called / n_neg))
        return np.asarray(prevalence * (found / n_pos) - lost)


def net_benefit_variance(
    tp: ArrayLike, fp: ArrayLike, n_pos: ArrayLike, n_neg: ArrayLike, weight: ArrayLike, prevalence: float | None
) -> FloatArray:
    """Return the variance of net benefit: classes left to chance, or a known prevalence and fixed classes."""
    found, called = np.asarray(tp, dtype=np.float64), np.asarray(fp, dtype=np.float64)
    n_pos, n_neg = np.asarray(n_pos, dtype=np.float64), np.asarray(n_neg, dtype=np.float64)
    w = np.asarray(weight, dtype=np.float64)
    if prevalence is None:
        n = n_pos + n_neg
        # [p1 + w^2 p2 - NB^2] / n, gathered so that nothing cancels: p1 (1 - p1) + w^2 p2 (1 - p2) + 2 w p1 p2.
        p1, p2 = found / n, called / n
        return np.asarray((p1 * (1.0 - p1) + w * w * p2 * (1.0 - p2) + 2.0 * w * p1 * p2) / n)
    p1, p2 = found / n_pos, called / n_neg
    across = (w * (1.0 - prevalence)) ** 2 * p2 * (1.0 - p2) / n_neg
    return np.asarray(prevalence**2 * p1 * (1.0 - p1) / n_pos + across)


def effective_calls(
    matrix: dict[str, float], sample: CellSample, weight: float, prevalence: float | None, level: float
) -> tuple[float, float, float, float]:
    """Return (tp, fp, n_pos, n_neg) of equal, independent cases that are worth the net benefit of weighted rows."""
    refuse_unknown(sample)
    if prevalence is not None:
        tp, fp, fn, tn = effective_matrix(matrix, sample, level)
        return tp, fp, tp + fn, fp + tn
    benefit = (matrix["tp"] - weight * matrix["fp"]) / sum(matrix.values())
    score = np.array([1.0 - benefit, -weight - benefit, -benefit, -benefit])
    scale = effective_scale(Cells(matrix, sample), score, CELLS, level)
    tp, fp, fn, tn = (scale * matrix[name] for name in CELLS)
    return tp, fp, tp + fn, fp + tn


def _mover(
    first: NDArray[Any], n_first: Any, second: NDArray[Any], n_second: Any, a: Any, b: Any, rho: Any, level: float
) -> Ends:
    """Limits of a p1 - b p2, where the two shares have correlation `rho`."""
    p1, p2 = first / n_first, second / n_second
    l1, u1 = proportion_bounds(first, np.full_like(first, n_first), level, "wilson")
    l2, u2 = proportion_bounds(second, np.full_like(second, n_second), level, "wilson")
    centre = a * p1 - b * p2

    def reach(x: Any, y: Any) -> Any:
        return np.sqrt(np.maximum(x * x + y * y - 2.0 * rho * x * y, 0.0))

    low = centre - reach(a * (p1 - l1), b * (u2 - p2))
    high = centre + reach(a * (u1 - p1), b * (p2 - l2))
    return np.asarray(low), np.asarray(high)


def _correlation(p1: NDArray[Any], p2: NDArray[Any]) -> NDArray[Any]:
    """Return the correlation of two cells of one multinomial sample."""
    rest = (1.0 - p1) * (1.0 - p2)
    return np.asarray(-np.sqrt(np.divide(p1 * p2, rest, out=np.ones_like(rest), where=rest > 0.0)))


def _normal(value: FloatArray, variance: FloatArray, level: float) -> Ends:
    reach = normal_quantile(level) * np.sqrt(variance)
    return np.asarray(value - reach), np.asarray(value + reach)


def net_benefit_bounds(
    tp: ArrayLike,
    fp: ArrayLike,
    n_pos: ArrayLike,
    n_neg: ArrayLike,
    weight: ArrayLike,
    prevalence: float | None,
    level: float,
    method: str = "score",
) -> Ends:
    """Return the limits of net benefit at thresholds that were fixed beforehand."""
    found, called = (np.atleast_1d(np.asarray(x, dtype=np.float64)) for x in (tp, fp))
    n_pos, n_neg = np.asarray(n_pos, dtype=np.float64), np.asarray(n_neg, dtype=np.float64)
    w = np.asarray(weight, dtype=np.float64)
    if method == "normal":
        spread = net_benefit_variance(found, called, n_pos, n_neg, w, prevalence)
        return _normal(net_benefit(found, called, n_pos, n_neg, w, prevalence), spread, level)
    if prevalence is None:
        n = n_pos + n_neg
        return _mover(found, n, called, n, 1.0, w, _correlation(found / n, called / n), level)
    return _mover(found, n_pos, called, n_neg, prevalence, w * (1.0 - prevalence), 0.0, level)


def gain_over_all_bounds(
    tp: ArrayLike,
    fp: ArrayLike,
    n_pos: ArrayLike,
    n_neg: ArrayLike,
    weight: ArrayLike,
    prevalence: float | None,
    level: float,
    method: str = "score",
) -> Ends:
    """Return the limits of net benefit minus that of treating all: w TN/n - FN/n."""
    n_pos, n_neg = np.asarray(n_pos, dtype=np.float64), np.asarray(n_neg, dtype=np.float64)
    missed = n_pos - np.atleast_1d(np.asarray(tp, dtype=np.float64))
    spared = n_neg - np.atleast_1d(np.asarray(fp, dtype=np.float64))
    w = np.asarray(weight, dtype=np.float64)
    if prevalence is None:
        n, a, b, n_a, n_b = n_pos + n_neg, w, np.ones_like(w), n_pos + n_neg, n_pos + n_neg
        rho: Any = _correlation(spared / n, missed / n)
    else:
        a, b, n_a, n_b, rho = w * (1.0 - prevalence), np.full_like(w, prevalence), n_neg, n_pos, 0.0
    if method == "normal":
        p1, p2 = spared / n_a, missed / n_b
        if prevalence is None:
            spread = (a * a * p1 * (1.0 - p1) + p2 * (1.0 - p2) + 2.0 * a * p1 * p2) / n_a
        else:
            spread = a * a * p1 * (1.0 - p1) / n_a + b * b * p2 * (1.0 - p2) / n_b
        return _normal(a * p1 - b * p2, spread, level)
    return _mover(spared, n_a, missed, n_b, a, b, rho, level)


def mover_sum(x1: ArrayLike, n1: float, x2: ArrayLike, n2: float, a: float, b: float, level: float) -> Ends:
    """Return the limits of a p1 + b p2 of two independent samples: p2 is 1 minus the proportion of the others."""
    first = np.atleast_1d(np.asarray(x1, dtype=np.float64))
    others = n2 - np.atleast_1d(np.asarray(x2, dtype=np.float64))
    low, high = _mover(first, n1, others, n2, a, b, 0.0, level)
    return low + b, high + b


def max_t_band(
    tp: FloatArray,
    fp: FloatArray,
    n_pos: float,
    n_neg: float,
    weight: FloatArray,
    prevalence: float | None,
    level: float,
    n_resamples: int,
    rng: np.random.Generator,
) -> Ends:
    """Return value +- c se, with c the quantile of the largest studentised deviation among the resamples.

    Between two thresholds cases are alike, so the counts of the stretches are drawn and nothing else.
    """
    # Element i of a column of calls belongs to the i-th lowest threshold, so calls fall.
    steps = [-np.diff(calls, prepend=total, append=0.0) for calls, total in ((tp, n_pos), (fp, n_neg))]
    drawn = _drawn(steps, n_pos, n_neg, n_resamples, rng, random=prevalence is None)
    found, called = (np.cumsum(part[:, :0:-1], axis=1)[:, ::-1] for part in drawn)
    curves = net_benefit(found, called, n_pos, n_neg, weight, prevalence)
    value = net_benefit(tp, fp, n_pos, n_neg, weight, prevalence)
    spread = np.maximum(curves.std(axis=0, ddof=1), 1.0 / (n_pos + n_neg))
    most = (np.abs(curves - value) / spread).max(axis=1)
    reach = float(np.quantile(most, level, method="higher")) * spread
    return value - reach, value + reach


def _drawn(
    steps: list[NDArray[np.float64]], n_pos: float, n_neg: float, size: int, rng: np.random.Generator, *, random: bool
) -> tuple[FloatArray, FloatArray]:
    if random:
        n = round(n_pos + n_neg)
        cells = np.concatenate(steps)
        both = rng.multinomial(n, cells / cells.sum(), size=size).astype(np.float64)
        return both[:, : steps[0].size], both[:, steps[0].size :]
    parts = [
        rng.multinomial(round(total), part / part.sum(), size=size).astype(np.float64)
        for part, total in zip(steps, (n_pos, n_neg), strict=True)
    ]
    return parts[0], parts[1]


def rectangle_band(
    tp: FloatArray, fp: FloatArray, n_pos: float, n_neg: float, weight: FloatArray, prevalence: float, level: float
) -> Ends:
    """Return the extremes of net benefit over rectangles that hold the whole ROC curve; guaranteed, wide."""
    (low1, high1), (low2, high2) = (
        rate_bounds(called, total, level**0.5) for called, total in ((tp, n_pos), (fp, n_neg))
    )
    cost = weight * (1.0 - prevalence)
    return prevalence * low1 - cost * high2, prevalence * high1 - cost * low2


def rate_bounds(called: FloatArray, total: float, level: float) -> Ends:
    """Return bounds of the rate of a class that hold at all thresholds together."""
    bounds = LocalLevelBounds.at(round(total), level)
    k = called.astype(np.int64)
    return bounds.low(k), bounds.high(k + 1)
