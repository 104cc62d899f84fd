"""Intervals and bands of net benefit."""

from __future__ import annotations

from typing import Any, NamedTuple

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


def _floats(*columns: ArrayLike) -> list[FloatArray]:
    return [np.asarray(column, dtype=np.float64) for column in columns]


def net_benefit(
    tp: ArrayLike, fp: ArrayLike, n_pos: ArrayLike, n_neg: ArrayLike, weight: ArrayLike, prevalence: float | None
) -> FloatArray:
    """TP/n - w FP/n, or prevalence TPR - (1 - prevalence) w FPR."""
    found, called, n_pos, n_neg, w = _floats(tp, fp, n_pos, n_neg, weight)
    with np.errstate(invalid="ignore"):  # an infinite weight and no false positive
        if prevalence is None:
            n = n_pos + n_neg
            lost = np.where(called == 0.0, 0.0, w * (called / n))
            return np.asarray(found / n - lost)
        lost = np.where(called == 0.0, 0.0, (1.0 - prevalence) * w * (called / n_neg))
        return np.asarray(prevalence * (found / n_pos) - lost)


class _Difference(NamedTuple):
    """a p1 - b p2, of the proportions first / n_first and second / n_second; two cells of `one` sample or of two."""

    first: FloatArray
    n_first: FloatArray | float
    second: FloatArray
    n_second: FloatArray | float
    a: FloatArray | float
    b: FloatArray | float
    one: bool = False

    def variance(self) -> FloatArray:
        """Return its variance: (a^2 p1 + b^2 p2 - value^2) / n of one sample, gathered so that nothing cancels."""
        p1, p2 = self.first / self.n_first, self.second / self.n_second
        own, other = self.a**2 * p1 * (1.0 - p1), self.b**2 * p2 * (1.0 - p2)
        if self.one:
            return np.asarray((own + other + 2.0 * self.a * self.b * p1 * p2) / self.n_first)
        return np.asarray(own / self.n_first + other / self.n_second)

    def limits(self, level: float) -> Ends:
        """Return limits by MOVER from Wilson's of both proportions, with their correlation."""
        p1, p2 = self.first / self.n_first, self.second / self.n_second
        l1, u1 = proportion_bounds(self.first, np.full_like(self.first, self.n_first), level, "wilson")
        l2, u2 = proportion_bounds(self.second, np.full_like(self.second, self.n_second), level, "wilson")
        centre, rho = self.a * p1 - self.b * p2, np.zeros(1)
        if self.one:
            rest = (1.0 - p1) * (1.0 - p2)
            rho = -np.sqrt(np.divide(p1 * p2, rest, out=np.ones_like(rest), where=rest > 0.0))

        def reach(x: Any, y: Any) -> Any:
            return np.sqrt(np.maximum(x * x + y * y - 2.0 * rho * x * y, 0.0))

        low = centre - reach(self.a * (p1 - l1), self.b * (u2 - p2))
        high = centre + reach(self.a * (u1 - p1), self.b * (p2 - l2))
        return np.asarray(low), np.asarray(high)

    def around(self, value: FloatArray, level: float) -> Ends:
        """Return limits by the normal distribution."""
        reach = normal_quantile(level) * np.sqrt(self.variance())
        return np.asarray(value - reach), np.asarray(value + reach)


def _benefit(
    tp: ArrayLike, fp: ArrayLike, n_pos: ArrayLike, n_neg: ArrayLike, weight: ArrayLike, prevalence: float | None
) -> _Difference:
    """Return net benefit as a difference: classes left to chance, or a known prevalence and fixed classes."""
    found, called, n_pos, n_neg, w = _floats(tp, fp, n_pos, n_neg, weight)
    if prevalence is None:
        return _Difference(found, n_pos + n_neg, called, n_pos + n_neg, 1.0, w, one=True)
    return _Difference(found, n_pos, called, n_neg, prevalence, w * (1.0 - prevalence))


def net_benefit_variance(
    tp: ArrayLike, fp: ArrayLike, n_pos: ArrayLike, n_neg: ArrayLike, weight: ArrayLike, prevalence: float | None
) -> FloatArray:
    """Return the variance of net benefit."""
    return _benefit(tp, fp, n_pos, n_neg, weight, prevalence).variance()


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


def net_benefit_bounds(
    tp: ArrayLike,
    fp: ArrayLike,
    n_pos: ArrayLike,
    n_neg: ArrayLike,
    weight: ArrayLike,
    prevalence: float | None,
    level: float,
    method: str = "score",
    *,
    over_all: bool = False,
) -> Ends:
    """Return the limits of net benefit at fixed thresholds; or those `over_all`, minus that of treating all.

    Which is w TN/n - FN/n.
    """
    given = (np.atleast_1d(tp), np.atleast_1d(fp), n_pos, n_neg, weight, prevalence)
    found = _benefit(*given)
    if not over_all:
        return found.around(net_benefit(*given), level) if method == "normal" else found.limits(level)
    w = np.asarray(weight, dtype=np.float64)
    missed, spared = n_pos - found.first, n_neg - found.second
    gain = _Difference(spared, found.n_second, missed, found.n_first, w, np.ones_like(w), one=found.one)
    if prevalence is not None:
        gain = gain._replace(a=w * (1.0 - prevalence), b=np.full_like(w, prevalence))
    if method == "normal":
        return gain.around(gain.a * (spared / gain.n_first) - gain.b * (missed / gain.n_second), level)
    return gain.limits(level)


def mover_sum(x1: ArrayLike, n1: float, x2: ArrayLike, n2: float, a: float, b: float, level: float) -> Ends:
    """Return the limits of a p1 + b p2 of two independent samples: p2 is 1 minus the proportion of the others."""
    first, second = _floats(np.atleast_1d(x1), np.atleast_1d(x2))
    low, high = _Difference(first, n1, n2 - second, n2, a, b).limits(level)
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
