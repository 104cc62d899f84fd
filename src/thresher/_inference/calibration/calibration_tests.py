"""Bands of the calibration curve, and tests of "the scores are the probabilities"."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import scipy
from numpy.typing import NDArray

from thresher._core.presented import Presented
from thresher._core.random_streams import Rng, Stream, stream_key
from thresher._core.values import value
from thresher._curves import HullBlocks, block_values, hull_blocks
from thresher._inference.calibration.proper_scores import ProperScore
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.typing import BoolArray, FloatArray


def grouped(pos: NDArray[np.int64], neg: NDArray[np.int64], groups: int) -> NDArray[np.intp]:
    """Return the last score of each group of equally many rows, lowest first; ties stay together."""
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
) -> Iterator[tuple[NDArray[Any], NDArray[Any], HullBlocks]]:
    """Give positives, negatives and blocks of each resample; replicate i is the same however many there are."""
    stream = Stream(stream_key(rng))
    single = bool((rows == 1).all())  # for which a uniform number says as much as a binomial one
    for i in range(size):
        generator = stream.at(i)
        if single:
            drawn = generator.random(x.size) < x
            yield drawn, ~drawn, _blocks_of_single(drawn)
        else:
            pos = generator.binomial(rows, x)
            yield pos, rows - pos, hull_blocks(np.cumsum(pos), np.cumsum(rows - pos))


def _blocks_of_single(positive: BoolArray) -> HullBlocks:
    """Return the blocks of single rows: the hull bends only where a positive stands before a negative."""
    bends = np.append(np.flatnonzero(positive[:-1] & ~positive[1:]), positive.size - 1)
    tp = np.cumsum(positive, dtype=np.int64)[bends]
    blocks = hull_blocks(tp, bends + 1 - tp)
    return HullBlocks(bends[blocks.ends], blocks.pos, blocks.neg)


Losses = tuple[FloatArray, FloatArray]


def losses_of(score: ProperScore, x: FloatArray) -> Losses:
    """Return the loss of a positive and of a negative at each score."""
    return score.of_positive(x), score.of_negative(x)


def plain_miscalibration(
    score: ProperScore, losses: Losses, pos: NDArray[Any], neg: NDArray[Any], blocks: HullBlocks
) -> float:
    """Return S(x) - S(q) by subtraction, the same way for the data and for every resample."""
    lost = [_lost(counts, loss) for counts, loss in zip((pos, neg), losses, strict=True)]
    p, q = block_values(blocks, 1.0)
    best = float(((blocks.pos + blocks.neg) * score.at_least(p, q)).sum())
    return (lost[0] + lost[1] - best) / float(blocks.pos.sum() + blocks.neg.sum())


def _lost(counts: NDArray[Any], loss: FloatArray) -> float:
    terms = np.empty(loss.size)
    if math.isinf(loss[0]) or math.isinf(loss[-1]):  # 0 x inf is 0
        terms.fill(0.0)
        np.multiply(counts, loss, out=terms, where=counts != 0)
    else:
        np.multiply(counts, loss, out=terms)
    return float(terms.sum())


def null_miscalibration(
    score: ProperScore, x: FloatArray, rows: NDArray[np.int64], n_resamples: int, rng: Rng
) -> FloatArray:
    """Return the miscalibration of calibrated models with these scores: element i belongs to resample i."""
    draws, losses = _draws(x, rows, n_resamples, rng), losses_of(score, x)
    return np.array([plain_miscalibration(score, losses, pos, neg, blocks) for pos, neg, blocks in draws])


def consistency_limits(
    x: FloatArray, rows: NDArray[np.int64], level: float, n_resamples: int, rng: Rng, *, simultaneous: bool
) -> tuple[FloatArray, FloatArray]:
    """Return where a calibrated model's curve lies at each score: quantiles, or an envelope of equal ranks."""
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


# A Brownian path has a smaller range with probability exp(-pi^2 / (2 r^2)) or so, below 1e-20.
_SURE_RANGE = 0.3


@value
class CalibrationTest(Presented):
    """A test of calibration.

    Attributes
    ----------
    statistic : float
        What was computed; see the method.
    pvalue : float
        How often a calibrated model with these scores shows as much or more.
    method : str
        The name of the test.
    evalue : float or None
        For "e-value": the evidence against calibration; values of separate batches may be multiplied.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> calibration = th.Scores(data.y_true, data.logistic).calibration()
    >>> calibration.test(rng=0).pvalue, calibration.test("spiegelhalter").pvalue < 1e-6
    (0.001, True)
    """

    statistic: float
    pvalue: float
    method: str
    evalue: float | None = None


def spiegelhalter(x: FloatArray, pos: NDArray[np.int64], neg: NDArray[np.int64]) -> CalibrationTest:
    """Test the mean Brier score against what the scores predict; blind where scores are 0, 1/2 or 1."""
    rows = pos + neg
    spread = math.fsum((rows * (1.0 - 2.0 * x) ** 2 * x * (1.0 - x)).tolist())
    if spread == 0.0:
        raise UndefinedMetricError(
            "Spiegelhalter's test needs a score other than 0, 1/2 and 1; got none. Hint: method='mcb' takes any scores."
        )
    # p (1 - x) - n x is p - m x without its cancellation of large counts.
    z = math.fsum(((pos * (1.0 - x) - neg * x) * (1.0 - 2.0 * x)).tolist()) / math.sqrt(spread)
    return CalibrationTest(z, float(2.0 * scipy.special.ndtr(-abs(z))), "spiegelhalter")


def hosmer_lemeshow(x: FloatArray, pos: NDArray[np.int64], neg: NDArray[np.int64], groups: int) -> CalibrationTest:
    """Compare observed and expected counts in groups of equally many rows; degrees of freedom are the groups."""
    ends = grouped(pos[::-1], neg[::-1], groups)
    edges = np.append(0, ends[:-1] + 1)
    rows = np.add.reduceat((pos + neg)[::-1], edges).astype(np.float64)
    seen = np.add.reduceat(pos[::-1], edges).astype(np.float64)
    hoped = np.add.reduceat(((pos + neg) * x)[::-1], edges)
    share = hoped / rows
    spread = rows * share * (1.0 - share)
    if (spread <= 0.0).any():
        raise UndefinedMetricError(
            "The Hosmer-Lemeshow test needs expected counts above 0 in each group; a group has only scores 0 or 1. "
            "Hint: method='mcb' takes any scores."
        )
    statistic = float(((seen - hoped) ** 2 / spread).sum())
    return CalibrationTest(statistic, float(scipy.special.chdtrc(float(rows.size), statistic)), "hosmer-lemeshow")


def cumulative_test(x: FloatArray, pos: NDArray[np.int64], neg: NDArray[np.int64]) -> CalibrationTest:
    """Test the range of cumulative differences over rising scores against that of a Brownian path (Feller 1951)."""
    differences, spread = cumulative_differences(x, pos, neg)
    if spread == 0.0:
        raise UndefinedMetricError("The cumulative test needs a score other than 0 and 1; got none.")
    path = np.append(0.0, np.cumsum(differences))
    statistic = float(path.max() - path.min()) / spread
    return CalibrationTest(statistic, range_tail(statistic), "cumulative")


def cumulative_differences(x: FloatArray, pos: NDArray[np.int64], neg: NDArray[np.int64]) -> tuple[FloatArray, float]:
    """Return positives minus expected ones, divided by the rows, lowest score first, and the path's final spread."""
    total = float(pos.sum() + neg.sum())
    gaps = (pos * (1.0 - x) - neg * x)[::-1] / total
    return gaps, math.sqrt(math.fsum(((pos + neg) * x * (1.0 - x)).tolist())) / total


def range_tail(r: float) -> float:
    """P(range of a Brownian path on [0, 1] > r) = 8 sum (-1)^(k-1) k sf(k r)."""
    if r <= _SURE_RANGE:
        return 1.0
    k = np.arange(1.0, 40.0 / r + 2.0)
    total = math.fsum((np.where(k % 2.0 == 1.0, k, -k) * scipy.special.ndtr(-k * r)).tolist())
    return min(max(8.0 * total, 0.0), 1.0)


def miscalibration_test(
    rule: ProperScore,
    statistic: float,
    x: FloatArray,
    pos: NDArray[np.int64],
    neg: NDArray[np.int64],
    blocks: HullBlocks,
    n_resamples: int,
    rng: Rng,
) -> CalibrationTest:
    """Test miscalibration, the `statistic`, against that of labels drawn from the scores."""
    if math.isinf(statistic):
        return CalibrationTest(statistic, 0.0, "mcb")  # calibrated scores of 0 and 1 are never wrong
    seen = plain_miscalibration(rule, losses_of(rule, x), pos, neg, blocks)
    drawn = null_miscalibration(rule, x, pos + neg, n_resamples, rng)
    # A resample equal to the data may come out a rounding below.
    as_large = int(np.count_nonzero(drawn >= seen - 1e-12 * max(abs(seen), 1e-3)))
    return CalibrationTest(statistic, (1 + as_large) / (1 + n_resamples), "mcb")


def evidence_test(reference: Any, x: FloatArray, pos: NDArray[np.int64], neg: NDArray[np.int64]) -> CalibrationTest:
    """Return the likelihood ratio of a calibrator that was fitted on other data, which is an e-value."""
    if reference is None:
        raise InvalidInputError(
            "`reference` must be a calibrator fitted on other data, for the test 'e-value'; got None. "
            "Hint: th.Calibrator.fit(tuning, method='logistic')."
        )
    q = np.asarray(reference.predict(x), dtype=np.float64)
    with np.errstate(divide="ignore", invalid="ignore"):
        gains = np.where(pos == 0, 0.0, pos * (np.log(q) - np.log(x)))
        gains = gains + np.where(neg == 0, 0.0, neg * (np.log1p(-q) - np.log1p(-x)))
    log_evidence = math.fsum(gains.tolist()) if np.isfinite(gains).all() else float(gains.sum())
    evidence = math.exp(min(log_evidence, 700.0))
    return CalibrationTest(log_evidence, min(1.0, math.exp(-max(log_evidence, 0.0))), "e-value", evidence)


def expected_calibration_error(x: FloatArray, pos: NDArray[Any], neg: NDArray[Any], bins: int, strategy: str) -> float:
    """Return the binned expected calibration error, in bins of equal "width" or of equal "count"."""
    rows = pos + neg
    if strategy == "width":
        which = _bin_of(x, bins)
    else:
        before = np.append(0, np.cumsum(rows[::-1])[:-1])[::-1]
        which = np.minimum((before * bins / rows.sum()).astype(np.int64), bins - 1)
    gap = np.bincount(which, weights=pos - rows * x, minlength=bins)
    return float(np.abs(gap).sum() / rows.sum())


def _bin_of(x: FloatArray, bins: int) -> NDArray[np.int64]:
    """Return floor(bins x), with x as the double it is: 0.3 is a little less than three tenths."""
    scaled = x * bins
    which = scaled.astype(np.int64)
    for i in np.flatnonzero(scaled == which):
        which[i] -= Fraction(float(x[i])) * bins < int(which[i])
    return np.minimum(which, bins - 1)
