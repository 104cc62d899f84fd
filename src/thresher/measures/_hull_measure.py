"""Measures of the ROC convex hull and of recalibration: KS, H, the equal error rate, minimum Cllr, miscalibration."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np

from thresher._core.checks import check_choice, show
from thresher._core.values import value
from thresher._curves import BatchBlocks, batch_blocks, blocks_of
from thresher._inference import normal_quantile
from thresher._inference.calibration import Calibration, ProperScore, as_score, best_and_constant, miscalibration_limits
from thresher._inference.rates import proportion_interval
from thresher._inference.sampling import Influence, Spread, check_counted, check_weights, refuse_dependent, sampling_of
from thresher._table import Batch, Counts, Needs, padded_counts
from thresher.exceptions import InvalidInputError
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._measure import Measure, Span
from thresher.measures._registry import measure
from thresher.typing import FloatArray


class HullMeasure(Measure):
    """A measure of the blocks of isotonic regression.

    The hull picks the best points of the sample, so estimates are too good; a percentile interval would double that.
    """

    __slots__ = ()

    needs: ClassVar[Needs] = "path"
    test = "permutation"
    optimistic = True
    intervals: ClassVar[tuple[str, ...]] = ("bayes", "basic", "bootstrap")
    weighted_interval = "basic"

    def of_blocks(self, blocks: BatchBlocks) -> FloatArray:
        """Return the value of each table from its blocks of positives and negatives, highest score first."""
        raise NotImplementedError

    def of(self, table: Counts) -> float:
        """Return the value of a table."""
        blocks, totals = blocks_of(table), np.array([[table.n_pos], [table.n_neg]], dtype=np.float64)
        return float(self.of_blocks(BatchBlocks(blocks.pos, blocks.neg, np.zeros(1, dtype=np.intp), *totals))[0])

    def values(self, batch: Batch) -> FloatArray:
        """Return the value of each table."""
        return self.of_blocks(batch_blocks(batch.pos, batch.neg))


@measure()
@value
class KolmogorovSmirnov(HullMeasure):
    """The largest TPR - FPR of all thresholds, which is the largest Youden index.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([1, 1, 0, 1, 0, 0], [6, 5, 4, 3, 2, 1]).measure("ks").value.__round__(4)
    0.6667
    """

    name = "kolmogorov_smirnov"
    monotone = True
    aliases = ("ks",)
    label = "The Kolmogorov-Smirnov distance"

    def values(self, batch: Batch) -> FloatArray:
        """Return the largest difference of each table, over all columns."""
        gaps, false = (np.cumsum(side, axis=1) for side in (batch.pos, batch.neg))
        for rate, total in zip((gaps, false), batch.totals, strict=True):
            rate /= total[:, None]
        gaps -= false
        return np.asarray(np.maximum(gaps.max(axis=1), 0.0))

    def of(self, table: Counts) -> float:
        """Return the largest difference, which is at a vertex of the hull."""
        blocks = blocks_of(table)
        gaps = np.cumsum(blocks.pos) / float(table.n_pos) - np.cumsum(blocks.neg) / float(table.n_neg)
        return max(float(gaps.max()), 0.0)


@measure()
@value
class HMeasure(HullMeasure):
    """One minus the lowest expected cost over that of the better constant prediction, for beta-distributed costs.

    0 for a useless ranking, 1 for a perfect one; unchanged by rising transformations of the scores. Scores are never
    reversed.

    Parameters
    ----------
    weight : "hand2014" or (a, b)
        The beta distribution of the cost of a false positive, as a share: with parameters 1 + prevalence and
        2 - prevalence (default), or given; (2, 2) is that of Hand (2009), (1, 1) that of the Brier score.
    severity : float, optional
        Instead: a beta distribution with parameters 2 and 1 + 1/severity, whose mode is severity / (1 + severity); the
        R package hmeasure takes prevalence / (1 - prevalence).
    prevalence : float, optional
        The proportion of positives to which it refers.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> round(th.Scores(data.y_true, data.logistic).measure("h_measure").value, 4)
    0.6951
    """

    weight: Any = "hand2014"
    severity: float | None = None
    prevalence: float | None = None

    name = "h_measure"
    aliases = ("hand",)
    label = "The H-measure"

    def __post_init__(self) -> None:
        Measure.__post_init__(self)
        if self.severity is not None and not (isinstance(self.severity, int | float) and self.severity > 0.0):
            raise InvalidInputError(f"`severity` must be positive; got {show(self.severity)}.")
        pair = isinstance(self.weight, tuple | list) and len(self.weight) == 2
        if self.weight != "hand2014" and not (pair and all(part > 0.0 for part in self.weight)):
            raise InvalidInputError(
                f"`weight` must be 'hand2014' or a pair of positive beta parameters; got {show(self.weight)}."
            )
        if pair:
            object.__setattr__(self, "weight", tuple(float(part) for part in self.weight))

    @property
    def shown(self) -> dict[str, Any]:
        """The options as results show them; a pair of parameters is not a range."""
        named = self.options
        if "weight" in named:
            named["weight"] = "weight ({:g}, {:g})".format(*self.weight)
        return named

    def of_blocks(self, blocks: BatchBlocks) -> FloatArray:
        """Return the proportion of the constant call's cost that the ranking saves."""
        score: ProperScore | tuple[FloatArray, FloatArray]
        if self.severity is not None:
            score = ProperScore("beta", 2.0, 1.0 + 1.0 / self.severity)
        elif self.weight != "hand2014":
            score = ProperScore("beta", *self.weight)
        elif self.prevalence is not None:
            score = ProperScore("beta", 1.0 + self.prevalence, 2.0 - self.prevalence)
        else:
            share = blocks.n_pos / (blocks.n_pos + blocks.n_neg)
            score = 1.0 + share, 2.0 - share
        best, constant = best_and_constant(score, blocks, self.prevalence)
        return np.maximum(1.0 - best / constant, 0.0)


@measure()
@value
class MinCllr(HullMeasure):
    """The least log-likelihood-ratio cost, in bits, that a recalibration of the scores leaves; needs ranks only.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([1, 0, 1, 0], [4, 3, 2, 1]).measure("min_cllr").value
    0.5
    """

    name = "min_cllr"
    better = "lower"
    aliases = ("cllr_min",)
    label = "The least log-likelihood-ratio cost"
    monotone = True

    def of_blocks(self, blocks: BatchBlocks) -> FloatArray:
        """Return the log score of the blocks at even odds."""
        return best_and_constant(ProperScore("log"), blocks, 0.5)[0] / math.log(2.0)


@measure()
@value
class EqualErrorRate(HullMeasure):
    """The rate at which the false negative and the false positive rate are equal; smaller is better.

    Intervals are "bayes", the default, which takes the rate for a proportion of an effective number of cases, with
    three quarters of a case at the adverse end; "normal", which is symmetric and far too short where few errors are
    made (82% instead of 95%), the default of weighted and clustered rows; and "basic", by resamples.

    Parameters
    ----------
    curve : {"hull", "roc"}
        On the ROC convex hull, which a randomised mixture of two thresholds attains and no gap between scores moves, or
        on the ROC curve itself.

    Examples
    --------
    >>> import thresher as th
    >>> scores = th.Scores([1, 1, 0, 1, 0, 0, 1, 0], [8, 7, 6, 5, 4, 3, 2, 1])
    >>> scores.measure("eer").value
    0.25
    >>> low, high = scores.measure("eer").confidence_interval()
    >>> round(low, 3), round(high, 3)
    (0.033, 0.737)
    """

    curve: str = "hull"

    name = "eer"
    better = "lower"
    aliases = ("equal_error_rate",)
    label = "The equal error rate"
    monotone = True
    intervals = ("bayes", "normal", "basic", "bootstrap")
    weighted_interval = "normal"

    def __post_init__(self) -> None:
        check_choice(self.curve, "curve", ("hull", "roc"))

    def values(self, batch: Batch) -> FloatArray:
        """Return the rate of each table."""
        return HullMeasure.values(self, batch) if self.curve == "hull" else Measure.values(self, batch)

    def of(self, table: Counts) -> float:
        """Return the rate of a table."""
        if self.curve == "hull":
            return HullMeasure.of(self, table)
        tp, fp = padded_counts(table)
        return _crossing(np.diff(tp), np.diff(fp), float(table.n_pos), float(table.n_neg))[0]

    def of_blocks(self, blocks: BatchBlocks) -> FloatArray:
        """Return where the hull crosses the line of equal errors."""
        totals = zip(blocks.parts, blocks.n_pos, blocks.n_neg, strict=True)
        return np.array([_crossing(blocks.pos[own], blocks.neg[own], *both)[0] for own, *both in totals])

    def _slope(self, table: Counts) -> float:
        blocks = blocks_of(table)
        return _crossing(blocks.pos, blocks.neg, float(table.n_pos), float(table.n_neg))[1]

    def spread(self, table: Counts, design: str = "random", method: str | None = None, **at: Any) -> Spread:
        """Return that of the delta method, with the slope of the edge that is crossed."""
        if method is None:
            return Measure.spread(self, table, design)
        del at
        if table._rows_alike is not None:
            table = table._rows_alike  # weights equal within each class only say how frequent the classes are
        e, slope = self.of(table), self._slope(table)
        if not table._plain_rows:
            check_weights(table)
            return sampling_of(table).spread(self.influence(table))
        if math.isinf(slope):
            return Spread(e * (1.0 - e) / table.n_neg)
        error = math.sqrt(e * (1.0 - e) * (slope**2 / table.n_neg + 1.0 / table.n_pos)) / (1.0 + slope)
        return Spread(error * error)

    def _as_share(self, estimate: Estimate, level: float) -> Span:
        """Return the limits of a proportion of as many cases as the delta method's error is worth.

        The hull of a sample is too good and the slope of one edge of it uncertain, both to the harm of the upper
        limit: that takes the curve itself, and no more cases than the smaller class has, or twice as many where it
        has four errors.
        """
        refuse_dependent(estimate.counts, "bayes")
        table = check_counted(estimate.counts, "bayes", "methods such as 'normal'")
        slope = self._slope(table)
        cases = table.n_neg if math.isinf(slope) else (1.0 + slope) ** 2 / (slope**2 / table.n_neg + 1.0 / table.n_pos)
        tp, fp = padded_counts(table)
        worse = _crossing(np.diff(tp), np.diff(fp), float(table.n_pos), float(table.n_neg))[0]
        smaller = min(table.n_pos, table.n_neg)
        fewer = min(cases, smaller * (1.0 + min(1.0, worse * smaller / 4.0)))
        rates, sizes = np.array([estimate.value, worse]), np.array([cases, fewer], dtype=np.float64)
        low, high = proportion_interval(rates * sizes, sizes, method="bayes", confidence_level=level)
        return float(low[0]), float(high[1])

    def influence(self, table: Counts) -> Influence:
        """Return how the rate moves with a row: by its miss or its false call at the crossing."""
        tp, fp = padded_counts(table)
        if self.curve == "hull":
            blocks = blocks_of(table)
            ends, pos, neg = blocks.ends, blocks.pos, blocks.neg
        else:
            ends, pos, neg = np.arange(len(table)), np.diff(tp), np.diff(fp)
        e, _, k, part = _crossing(pos, neg, float(table.n_pos), float(table.n_neg))
        # A step of the curve goes up or across and has no slope of its own; the hull's is that of the scores around.
        slope = self._slope(table)
        row = np.arange(len(table))
        first = 0 if k == 0 else int(ends[k - 1]) + 1
        called = np.where(row < first, 1.0, np.where(row <= int(ends[k]), part, 0.0))
        share = 1.0 if math.isinf(slope) else slope / (1.0 + slope)
        return Influence((1.0 - share) * (1.0 - called - e), share * (called - e))

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return the interval of a share, the normal one, or the reflected bootstrap."""
        if method == "basic":
            low, high = Measure.interval(self, estimate, level, method, options)
            return low, high
        if method == "bayes":
            return self._as_share(estimate, level)
        reach = normal_quantile(level) * math.sqrt(self.spread(estimate.counts, options.design, method).variance)
        return estimate.value - reach, estimate.value + reach


def _crossing(pos: np.ndarray, neg: np.ndarray, n_pos: float, n_neg: float) -> tuple[float, float, int, float]:
    """Return the FPR where it is 1 - TPR along edges, the slope of the edge there, its number and how far along."""
    tp, fp = np.append(0, np.cumsum(pos)), np.append(0, np.cumsum(neg))
    k = int(np.argmax(tp[1:] * n_neg + fp[1:] * n_pos >= n_pos * n_neg))
    exact = [Fraction(number.item()) for number in (tp[k], fp[k], pos[k], neg[k])]
    p, n = Fraction(n_pos), Fraction(n_neg)
    part = (p * n - exact[0] * n - exact[1] * p) / (exact[2] * n + exact[3] * p)
    slope = float(exact[2] * n / (exact[3] * p)) if exact[3] else math.inf
    return float((exact[1] + part * exact[3]) / n), slope, k, float(part)


@measure()
@value
class Miscalibration(Measure):
    """By how much isotonic recalibration lowers a mean proper score; 0 is calibrated. Scores must be probabilities.

    Calibrated scores show some of it by chance: see `Calibration.test` and `Decomposition.null`.

    Parameters
    ----------
    score : str, float or pair, default="brier"
        As in `Calibration.decomposition`.

    Notes
    -----
    The interval "band", the default of independent rows, holds what a confidence band of the calibration curve allows:
    it is guaranteed and wide. "optimism", the default of weighted and clustered rows, adds the standard error of the
    gain and subtracts from the lower limit by how much resamples overstate the gain; the validation pages show what it
    covers.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> round(th.Scores(data.y_true, data.logistic).measure("miscalibration").value, 5)
    0.01218
    """

    score: Any = "brier"

    name = "miscalibration"
    better = "lower"
    aliases = ("mcb",)
    label = "Miscalibration"
    intervals = ("band", "optimism")
    weighted_interval = "optimism"
    bounds = (0.0, float("inf"))
    needs_balance = True

    def __post_init__(self) -> None:
        as_score(self.score)

    @property
    def shown(self) -> dict[str, Any]:
        """The options as results show them: the score is always named."""
        return {"score": as_score(self.score).name}

    def of(self, table: Counts) -> float:
        """Return the miscalibration of a table."""
        return Calibration(table).decomposition(self.score).miscalibration

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return what the band of the calibration curve allows, or limits less the optimism of recalibration."""
        if method == "optimism":
            return miscalibration_limits(
                as_score(self.score),
                estimate.counts,
                level,
                design=options.design,
                stratified=options.design != "random" if options.stratified is None else options.stratified,
                n_resamples=options.n_resamples,
                rng=options.rng,
                progress=options.progress,
            )
        parts = Calibration(estimate.counts).decomposition(self.score)
        low, high = parts.confidence_interval("miscalibration", level)
        return low, high


@measure()
@value
class Discrimination(HullMeasure):
    """By how much recalibrated scores lower a mean proper score below that of the constant prevalence.

    It needs ranks only.

    Parameters
    ----------
    score : str, float or pair, default="brier"
        As in `Calibration.decomposition`.

    Examples
    --------
    >>> import thresher as th
    >>> data = th.datasets.load_digits_eight()
    >>> round(th.Scores(data.y_true, data.logistic).measure("discrimination").value, 5)
    0.05839
    """

    score: Any = "brier"

    name = "discrimination"
    aliases = ("dsc",)
    label = "Discrimination"
    needs_balance = True

    def __post_init__(self) -> None:
        as_score(self.score)

    @property
    def shown(self) -> dict[str, Any]:
        """The options as results show them: the score is always named."""
        return {"score": as_score(self.score).name}

    def of_blocks(self, blocks: BatchBlocks) -> FloatArray:
        """Return what the blocks gain over the constant."""
        best, constant = best_and_constant(as_score(self.score), blocks, None)
        return np.maximum(constant - best, 0.0)
