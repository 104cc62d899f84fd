"""What a calibrated model would show: labels drawn again from the scores themselves, which stay as they are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from thresher._core.random_streams import Rng, Stream, stream_key
from thresher._curves import HullBlocks, block_values, hull_blocks
from thresher._inference.calibration.proper_scores import ProperScore
from thresher.typing import FloatArray

__all__ = ["consistency_limits", "null_miscalibration", "plain_miscalibration"]


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
