"""The parts of a mean proper score, with intervals that know where they fail."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from thresher._core.checks import check_choice, check_confidence_level, check_count, check_resamples, warn
from thresher._core.presented import Presented
from thresher._core.random_streams import Progress, Rng, Stream, batch_rows, run_batches, stream_key
from thresher._core.sums import dot
from thresher._core.values import value
from thresher._curves import HullBlocks, block_values, check_probabilities, hull_blocks
from thresher._inference.calibration.calibration_tests import honest_limits, null_miscalibration
from thresher._inference.calibration.proper_scores import ProperScore
from thresher._inference.interval import ConfidenceInterval, normal_quantile
from thresher._inference.sampling import check_weights, mean_influence, quantile, sampling_of
from thresher._table import Counts
from thresher.exceptions import InvalidInputError, UndefinedMetricError
from thresher.typing import FloatArray

if TYPE_CHECKING:
    from thresher._inference.calibration.calibration import Calibration


_PARTS = ("mean", "miscalibration", "discrimination", "skill")
_METHODS = {
    "mean": ("normal",),
    "miscalibration": ("band", "bootstrap"),
    "discrimination": ("bootstrap",),
    "skill": ("bootstrap",),
}


@value
class NullMiscalibration(Presented):
    """The miscalibration that a calibrated model with the same scores shows by chance.

    Attributes
    ----------
    mean, quantile_95 : float
        Over resampled labels.
    n_resamples : int
        How many.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> parts = th.Scores(data.y_true, data.logistic).calibration().decomposition()
    >>> parts.miscalibration > parts.null(rng=0).quantile_95
    True
    """

    mean: float
    quantile_95: float
    n_resamples: int


@value(repr=False)
class Decomposition(Presented):
    """A mean proper score as miscalibration - discrimination + uncertainty.

    Attributes
    ----------
    score : str
        Which proper score.
    mean : float
        Of the scores as they are; infinite for "log" where a certain score was wrong.
    miscalibration : float
        By how much isotonic recalibration lowers it.
    discrimination : float
        By how much the recalibrated scores beat the constant prevalence.
    uncertainty : float
        The mean score of that constant.
    recalibrated : float
        The mean of the recalibrated scores.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> th.Scores(data.y_true, data.logistic).calibration().decomposition()
    brier 0.04125 = miscalibration 0.01218 - discrimination 0.05839 + uncertainty 0.08745; skill 0.5284
    """

    score: str
    mean: float
    miscalibration: float
    discrimination: float
    uncertainty: float
    recalibrated: float
    calibration: Calibration
    rule: ProperScore

    @property
    def skill(self) -> float:
        """One minus the mean over the uncertainty: 1 is perfect, 0 as good as the constant prevalence."""
        if self.uncertainty == 0.0:
            raise UndefinedMetricError("Skill needs both classes; with one the constant prevalence is perfect already.")
        return 1.0 - self.mean / self.uncertainty

    def null(self, *, n_resamples: int = 999, rng: Rng = None) -> NullMiscalibration:
        """Return how much miscalibration a calibrated model with these scores shows by chance.

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> null = th.Scores(data.y_true, data.logistic).calibration().decomposition().null(rng=0)
        >>> 0 < null.mean < null.quantile_95
        True
        """
        x, pos, neg = self.calibration._whole_counts("The miscalibration of a calibrated model")
        drawn = null_miscalibration(self.rule, x, pos + neg, check_count(n_resamples, "n_resamples", minimum=10), rng)
        return NullMiscalibration(float(drawn.mean()), float(np.quantile(drawn, 0.95)), int(drawn.size))

    def confidence_interval(
        self,
        part: str = "mean",
        confidence_level: float = 0.95,
        *,
        method: str | None = None,
        n_resamples: int = 999,
        rng: Rng = None,
    ) -> ConfidenceInterval:
        """Return an interval for one part.

        Parameters
        ----------
        part : {"mean", "miscalibration", "discrimination", "skill"}
            Which one.
        confidence_level : float, default=0.95
            Strictly between 0 and 1.
        method : str, optional
            "mean": "normal". "discrimination" and "skill": "bootstrap", the basic interval, because the estimates are
            biased upwards and percentiles would double that. "miscalibration": "band" (default; what the
            confidence band of the curve allows, valid in finite samples), or "bootstrap", not for values near 0.
        n_resamples, rng : int, optional
            For "bootstrap".

        Returns
        -------
        ConfidenceInterval

        Examples
        --------
        >>> import thresher as th
        >>> data = th.datasets.load_digits_eight()
        >>> parts = th.Scores(data.y_true, data.logistic).calibration().decomposition()
        >>> print(f"{parts.confidence_interval():.4f}")
        0.0354 to 0.0471
        """
        check_choice(part, "part", _PARTS)
        level = check_confidence_level(confidence_level)
        how = _METHODS[part][0] if method is None else check_choice(method, "method", _METHODS[part])
        if math.isinf(self.mean) and part != "discrimination":
            raise UndefinedMetricError(
                f'"{part}" must be finite to have an interval; a certain score was wrong, so the log loss is infinite.'
            )
        if how == "normal":
            reach = normal_quantile(level) * self._standard_error()
            return ConfidenceInterval(max(self.mean - reach, 0.0), self.mean + reach, level, how)
        if how == "band":
            low, high = self._band_interval(level)
        else:
            low, high = self._basic_interval(part, level, check_count(n_resamples, "n_resamples", minimum=100), rng)
        return ConfidenceInterval(low, high, level, how)

    def _standard_error(self) -> float:
        """Return that of the mean score."""
        whole, rule = self.calibration, self.rule
        whole._refuse_shift("A standard error")
        if whole._weighed:
            return math.sqrt(whole._spread(rule.of_positive(whole.scores), rule.of_negative(whole.scores)).variance)
        pos, neg = whole.counts.pos.astype(np.float64), whole.counts.neg.astype(np.float64)
        return math.sqrt(row_losses(rule, whole.scores, pos, neg)[1] / float(pos.sum() + neg.sum()))

    def _band_interval(self, level: float) -> tuple[float, float]:
        """Return the least and the most miscalibration of curves within the confidence band."""
        x, pos, neg = self.calibration._whole_counts("An interval for miscalibration")
        ends = honest_limits(pos[::-1], neg[::-1], level, 50)
        low, high = (end[::-1] for end in ends)
        rows = (pos + neg) / float(pos.sum() + neg.sum())
        nearest = np.clip(x, low, high)
        with np.errstate(invalid="ignore"):
            least = np.where(nearest == x, 0.0, self._distance(nearest, x))
            most = np.maximum(self._distance(low, x), self._distance(high, x))
        return dot(rows, least), dot(rows, most)

    def _distance(self, v: FloatArray, x: FloatArray) -> FloatArray:
        """Return by how much forecast x loses against v where v is true."""
        rule = self.rule
        with np.errstate(invalid="ignore"):
            at_x = np.where(v > 0.0, v * rule.of_positive(x), 0.0) + np.where(
                v < 1.0, (1 - v) * rule.of_negative(x), 0.0
            )
        return np.asarray(np.maximum(at_x - rule.at_least(v, 1.0 - v), 0.0))

    def _basic_interval(self, part: str, level: float, size: int, rng: Rng) -> tuple[float, float]:
        x, pos, neg = self.calibration._whole_counts(f'A bootstrap interval for "{part}"')
        stream, total = Stream(stream_key(rng)), int(pos.sum() + neg.sum())
        cells = np.concatenate((pos, neg)) / total
        losses = self.rule.of_positive(x), self.rule.of_negative(x)
        values = np.empty(size)
        for i in range(size):
            drawn = stream.at(i).multinomial(total, cells)
            values[i] = _part(part, self.rule, drawn[: x.size], drawn[x.size :], losses)
        tail = (1.0 - level) / 2.0
        upper, lower = np.quantile(values[np.isfinite(values)], (1.0 - tail, tail))
        estimate = getattr(self, part)
        top = self.uncertainty if part == "discrimination" else math.inf if part == "miscalibration" else 1.0
        bottom = -math.inf if part == "skill" else 0.0
        return max(2 * estimate - float(upper), bottom), min(2 * estimate - float(lower), top)

    def __repr__(self) -> str:
        skill = f"; skill {self.skill:.4g}" if self.uncertainty > 0.0 else ""
        return (
            f"{self.score} {self.mean:.4g} = miscalibration {self.miscalibration:.4g} - discrimination "
            f"{self.discrimination:.4g} + uncertainty {self.uncertainty:.4g}{skill}"
        )


def _part(
    part: str,
    rule: ProperScore,
    pos: NDArray[np.int64],
    neg: NDArray[np.int64],
    losses: tuple[FloatArray, FloatArray],
) -> float:
    seen = pos + neg > 0
    blocks: HullBlocks = hull_blocks(np.cumsum(pos[seen]), np.cumsum(neg[seen]))
    total = float(pos.sum() + neg.sum())
    p, q = block_values(blocks, 1.0)
    best = float(((blocks.pos + blocks.neg) * rule.at_least(p, q)).sum()) / total
    share = float(pos.sum()) / total
    constant = float(rule.at_least(np.asarray(share), np.asarray(1.0 - share)))
    if part == "discrimination":
        return constant - best
    with np.errstate(invalid="ignore"):
        mean = float(np.where(pos == 0, 0.0, pos * losses[0]).sum() + np.where(neg == 0, 0.0, neg * losses[1]).sum())
    mean /= total
    return mean - best if part == "miscalibration" else 1.0 - mean / constant if constant else math.nan


def warn_infinite(counts: Counts, x: FloatArray) -> None:
    """Say which scores make the log loss infinite."""
    wrong = [
        f"{counts.pos[-1]:,} positives have score 0" if x[-1] == 0.0 and counts.pos[-1] else "",
        f"{counts.neg[0]:,} negatives have score 1" if x[0] == 1.0 and counts.neg[0] else "",
    ]
    warn(
        f"The log loss is infinite: {' and '.join(filter(None, wrong))}, which those scores call impossible. "
        "Hint: the Brier score is finite, or recalibrate on tuning data with th.Calibrator."
    )


def row_losses(rule: ProperScore, x: FloatArray, pos: FloatArray, neg: FloatArray) -> tuple[float, float]:
    """Return the mean loss of a row and its variance, both of the table as it is."""
    a, b = rule.of_positive(x), rule.of_negative(x)
    total = float(pos.sum() + neg.sum())
    with np.errstate(invalid="ignore"):
        mean = float(np.where(pos == 0, 0.0, pos * a).sum() + np.where(neg == 0, 0.0, neg * b).sum()) / total
        if math.isinf(mean):
            raise InvalidInputError("The log loss is infinite here, so its rows have no variance.")
        spread = np.where(pos == 0, 0.0, pos * (a - mean) ** 2) + np.where(neg == 0, 0.0, neg * (b - mean) ** 2)
    return mean, float(spread.sum()) / total


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
    sample gains more there than the best one of the population, so the upper limit needs no correction; the lower one
    loses what the best recalibration of a resample gains there beyond its gain in the data (Efron 1983,
    doi:10.2307/2288636).
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
