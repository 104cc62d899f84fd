"""Simultaneous bands over thresholds: of net benefit by resampled counts, of rates by a rectangle for each point."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from thresher._inference.bands.band_ends import Ends, LocalLevelBounds
from thresher._inference.rates.net_benefit import net_benefit
from thresher.typing import FloatArray

__all__ = ["max_t_band", "rate_bounds", "rectangle_band"]


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
    """Return the least and the greatest net benefit over rectangles that hold the whole ROC curve; guaranteed, wide.

    The rates of each class lie within their bounds at all thresholds together with the root of the level.
    """
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
