"""Bands of the calibration curve: one that holds in finite samples, and what a calibrated model would show."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.random_streams import Rng, Stream, stream_key
from thresher._curves import HullBlocks, block_values, hull_blocks
from thresher._inference.calibration.proper_scores import ProperScore
from thresher.typing import FloatArray

__all__ = ["consistency_limits", "grouped", "honest_limits", "null_miscalibration", "plain_miscalibration"]


def grouped(pos: NDArray[np.int64], neg: NDArray[np.int64], groups: int) -> NDArray[np.intp]:
    """Return the index of the last score of each group, lowest score first: equal counts of rows, ties kept together.

    The labels are not looked at.
    """
    rows = np.cumsum(pos + neg)
    if rows.size <= groups:
        return np.arange(rows.size)
    wanted = rows[-1] * np.arange(1, groups + 1) / groups
    return np.unique(np.searchsorted(rows, wanted - 1e-9, side="left").clip(max=rows.size - 1))


def honest_limits(
    pos: NDArray[np.int64], neg: NDArray[np.int64], level: float, groups: int
) -> tuple[FloatArray, FloatArray]:
    """Return the limits at each score, given counts with the lowest score first.

    A run of groups a..b has at least as many positives as Bin(rows, p(x)) for every x not above it, and at most as many
    for every x not below it; Clopper and Pearson's limits of all runs hold together by Bonferroni.
    """
    ends = grouped(pos, neg, groups)
    edges = np.append(0, ends + 1)
    successes, failures = (np.add.reduceat(column, edges[:-1]) for column in (pos, neg))
    tail = (1.0 - level) / (ends.size * (ends.size + 1.0))
    low = _lower_limits(successes, failures, tail)
    high = 1.0 - _lower_limits(failures[::-1], successes[::-1], tail)[::-1]
    sizes = np.diff(edges)
    # A run may bound a score only if it lies wholly on one side of it: all but the end score of a group look further.
    below = np.repeat(np.append(0.0, low[:-1]), sizes)
    below[ends] = low
    above = np.repeat(np.append(high[1:], 1.0), sizes)
    above[edges[:-1]] = high
    return below, above


def _lower_limits(successes: NDArray[np.int64], failures: NDArray[np.int64], tail: float) -> FloatArray:
    """Return, at each group, the greatest lower limit of all runs that end there or before.

    A run can only improve on the best so far, c, if its share exceeds c and a lower bound of its binomial tail at c is
    below the level (Ash's inequality); only such runs need a quantile.
    """
    s, m = np.append(0, np.cumsum(successes)), np.append(0, np.cumsum(successes + failures))
    best, wanted = 0.0, -math.log(tail)
    limits = np.empty(successes.size)
    for b in range(successes.size):
        hits, rows = (s[b + 1] - s[: b + 1]).astype(np.float64), (m[b + 1] - m[: b + 1]).astype(np.float64)
        left = np.flatnonzero(hits > best * rows)
        while left.size:
            share = hits[left] / rows[left]
            with np.errstate(divide="ignore", invalid="ignore"):
                reach = rows[left] * (
                    scipy.special.rel_entr(share, best) + scipy.special.rel_entr(1.0 - share, 1.0 - best)
                )
                slack = np.where(share < 1.0, 0.5 * np.log(8.0 * rows[left] * share * (1.0 - share)), 0.0)
            able = (share > best) & (reach + np.maximum(slack, 0.0) > wanted - 1e-9)
            left, reach = left[able], reach[able]
            if left.size == 0:
                break
            top = int(np.argmax(reach))
            a = left[top]
            limit = float(scipy.special.betaincinv(hits[a], rows[a] - hits[a] + 1.0, tail))
            left = np.delete(left, top)
            best = max(best, limit)
        limits[b] = best
    return limits


def _draws(
    x: FloatArray, rows: NDArray[np.int64], size: int, rng: Rng
) -> Iterator[tuple[NDArray[np.int64], NDArray[np.int64], HullBlocks]]:
    """Give positives, negatives and blocks of each resample; replicate i is the same however many there are."""
    stream = Stream(stream_key(rng))
    single = bool((rows == 1).all())  # for which a uniform number says as much as a binomial one
    for i in range(size):
        generator = stream.at(i)
        pos = (generator.random(x.size) < x).astype(np.int64) if single else generator.binomial(rows, x)
        neg = rows - pos
        yield pos, neg, hull_blocks(np.cumsum(pos), np.cumsum(neg))


def plain_miscalibration(
    score: ProperScore, x: FloatArray, pos: NDArray[np.int64], neg: NDArray[np.int64], blocks: HullBlocks
) -> float:
    """Return S(x) - S(q) by subtraction, the same way for the data and for every resample."""
    positive, negative = score.of_positive(x), score.of_negative(x)
    with np.errstate(invalid="ignore"):
        mean = float(np.where(pos == 0, 0.0, pos * positive).sum() + np.where(neg == 0, 0.0, neg * negative).sum())
    p, q = block_values(blocks, 1.0)
    best = float(((blocks.pos + blocks.neg) * score.at_least(p, q)).sum())
    return (mean - best) / float(blocks.pos.sum() + blocks.neg.sum())


def null_miscalibration(
    score: ProperScore, x: FloatArray, rows: NDArray[np.int64], n_resamples: int, rng: Rng
) -> FloatArray:
    """Return the miscalibration of calibrated models with these scores: element i belongs to resample i."""
    draws = _draws(x, rows, n_resamples, rng)
    return np.array([plain_miscalibration(score, x, pos, neg, blocks) for pos, neg, blocks in draws])


def consistency_limits(
    x: FloatArray, rows: NDArray[np.int64], level: float, n_resamples: int, rng: Rng, *, simultaneous: bool
) -> tuple[FloatArray, FloatArray]:
    """Return between which values a calibrated model's curve lies at each score.

    Pointwise quantiles, or the narrowest envelope of equal ranks that holds a share `level` of the curves whole.
    """
    curves = np.empty((n_resamples, x.size))
    for i, (_, _, blocks) in enumerate(_draws(x, rows, n_resamples, rng)):
        curves[i] = block_values(blocks, 1.0)[0][blocks.of_rows()]
    if not simultaneous:
        tail = (1.0 - level) / 2.0
        low, high = np.quantile(curves, (tail, 1.0 - tail), axis=0, method="inverted_cdf")
        return np.asarray(low), np.asarray(high)
    # The depth of a curve: how many resamples, itself among them, are as extreme at its most extreme score.
    ordered = np.sort(curves, axis=0)
    depth = np.full(n_resamples, n_resamples)
    for j in range(x.size):
        at_most = np.searchsorted(ordered[:, j], curves[:, j], side="right")
        at_least = n_resamples - np.searchsorted(ordered[:, j], curves[:, j], side="left")
        depth = np.minimum(depth, np.minimum(at_most, at_least))
    k = int(np.sort(depth)[int(np.floor((1.0 - level) * n_resamples))])
    return ordered[max(k, 1) - 1], ordered[n_resamples - max(k, 1)]
