"""Limits of miscalibration for rows of any design, corrected for the optimism of recalibration."""

from __future__ import annotations

import math

import numpy as np

from thresher._core.checks import check_resamples
from thresher._core.random_streams import Progress, Rng, batch_rows, run_batches, stream_key
from thresher._curves import check_probabilities, hull_blocks
from thresher._inference.calibration.proper_scores import ProperScore
from thresher._inference.sampling import check_weights, mean_influence, quantile, sampling_of
from thresher._table import Counts
from thresher.exceptions import UndefinedMetricError
from thresher.typing import FloatArray

__all__ = ["miscalibration_limits"]

LimitSides = tuple[FloatArray, FloatArray]
"""Of the positives and of the negatives at each distinct score."""


def miscalibration_limits(
    rule: ProperScore,
    table: Counts,
    level: float,
    *,
    design: str,
    stratified: bool,
    n_resamples: int,
    rng: Rng,
    progress: Progress | None = None,
) -> tuple[float, float]:
    """Return limits from the standard error of the gain, the lower one less the optimism of recalibration.

    Miscalibration is the mean gain of recalibration, which no other rising recalibration exceeds. The best one of a
    sample gains more there than the best one of the population, so the upper limit needs no correction. The lower
    limit subtracts the mean of what the best recalibration of a resample gains there beyond its gain in the data.

    References
    ----------
    .. [1] B. Efron, "Estimating the error rate of a prediction rule: improvement on cross-validation", Journal of the
       American Statistical Association 78 (1983), 316-331. https://doi.org/10.1080/01621459.1983.10477973
    """
    x = check_probabilities(table, "Miscalibration")
    own = table.pos.astype(np.float64), table.neg.astype(np.float64)
    check_weights(table)
    sampling = sampling_of(table)
    # An event that a sample does not show may be possible: half a row more keeps the log score finite.
    least = 0.5 / (sum(sampling.effective) + 1.0)
    gains = _gains(rule, x, _recalibrated(own, 0.0))
    value = _mean(own, gains)
    if not math.isfinite(value):
        raise UndefinedMetricError(
            "Miscalibration must be finite to have an interval; a certain score was wrong, so the log loss is infinite."
        )
    spread = sampling.spread(mean_influence(*gains, table), design=design)
    reach = quantile(level, spread.df) * math.sqrt(spread.variance)
    draws, key = sampling.draws(table, "scores", None, stratified=stratified), stream_key(rng)

    def optimism(first: int, count: int) -> FloatArray:
        out = np.empty(count)
        for i, drawn in enumerate(zip(*draws.draw(key, first, count), strict=True)):
            there = _gains(rule, x, _recalibrated(drawn, least))
            out[i] = _mean(drawn, there) - _mean(own, there)
        return out

    drawn = run_batches(optimism, check_resamples(n_resamples), rows=batch_rows(draws.width), progress=progress)
    return value - float(drawn.mean()) - reach, value + reach


def _recalibrated(counts: LimitSides, least: float) -> FloatArray:
    """Return the isotonic forecast at each distinct score, that of the next higher score if a table lacks one."""
    pos, neg = counts
    seen = pos + neg > 0.0
    blocks = hull_blocks(np.cumsum(pos[seen]), np.cumsum(neg[seen]))
    forecasts = (blocks.pos / (blocks.pos + blocks.neg))[blocks.of_rows()]
    return np.asarray(np.clip(forecasts[np.maximum(np.cumsum(seen) - 1, 0)], least, 1.0 - least))


def _gains(rule: ProperScore, x: FloatArray, forecasts: FloatArray) -> LimitSides:
    """Return by how much the loss of a positive and of a negative falls with other forecasts."""
    with np.errstate(invalid="ignore"):
        pos, neg = (of(x) - of(forecasts) for of in (rule.of_positive, rule.of_negative))
    return pos, neg


def _mean(counts: LimitSides, gains: LimitSides) -> float:
    with np.errstate(invalid="ignore"):
        sums = [np.where(own == 0.0, 0.0, own * gain).sum() for own, gain in zip(counts, gains, strict=True)]
    return float(sum(sums) / (counts[0].sum() + counts[1].sum()))
