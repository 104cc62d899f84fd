"""What the first rows of a ranking hold: precision, recall, enrichment, BEDROC."""

from __future__ import annotations

import math
from typing import ClassVar

import numpy as np

from thresher._core.checks import check_count, show
from thresher._core.sums import dot
from thresher._core.values import value
from thresher._curves import bracket_tp, counts_between
from thresher._inference.rates import proportion_interval, ratio_bounds
from thresher._inference.sampling import check_whole
from thresher._table import Batch, Counts, Needs, padded_counts
from thresher.exceptions import InvalidInputError
from thresher.measures._estimate import Estimate, IntervalOptions
from thresher.measures._measure import Classes, Measure, Span
from thresher.measures._registry import measure
from thresher.typing import FloatArray


def positives_at_depth(batch: Batch, depth: FloatArray) -> FloatArray:
    """Return the expected positives among the first rows of each table, spread evenly over a tie."""
    rows = np.cumsum(batch.pos + batch.neg, axis=1)
    tp = np.cumsum(batch.pos, axis=1)
    at = np.minimum((rows < depth[:, None]).sum(axis=1), rows.shape[1] - 1)
    row = np.arange(at.size)
    here = batch.pos[row, at] + batch.neg[row, at]
    missing = rows[row, at] - np.minimum(depth, rows[row, -1])
    part = np.divide(missing, here, out=np.zeros_like(here), where=here > 0)
    return np.asarray(tp[row, at] - part * batch.pos[row, at])


def _found(table: Counts, depth: int) -> float:
    """Return the expected positives among the first rows; in a tie that crosses the depth they are spread evenly."""
    tp, fp = padded_counts(check_whole(table, "A depth"))
    place = np.asarray(float(min(depth, tp[-1] + fp[-1])))
    return float(counts_between(tp, bracket_tp(tp + fp, place)))


class _AtDepth(Measure):
    __slots__ = ()

    intervals: ClassVar[tuple[str, ...]] = ("bootstrap",)
    needs: ClassVar[Needs] = "ranks"
    monotone = True
    example = "for example `depth=10`"

    depth: int

    def __post_init__(self) -> None:
        object.__setattr__(self, "depth", check_count(self.depth, "depth", minimum=1))

    def _first(self, batch: Batch) -> FloatArray:
        return positives_at_depth(batch, np.full(batch.pos.shape[0], float(self.depth)))


@value
class _PrecisionOfShare(Measure):
    """The proportion of positives among the first proportion of the rows, whatever they weigh."""

    fraction: float

    name = "precision_at_depth"
    label = "The precision of the first rows"
    needs: ClassVar[Needs] = "ranks"

    def values(self, batch: Batch) -> FloatArray:
        """Return the precision of each table."""
        first = self.fraction * (batch.totals[0] + batch.totals[1])
        return np.asarray(positives_at_depth(batch, first) / first)


@measure(held={"precision": ("depth",)})
@value
class PrecisionAtDepth(_AtDepth):
    """The proportion of positives among the first rows; a shorter list is filled up with negatives.

    Parameters
    ----------
    depth : int
        How many rows, at least 1.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([1, 0, 1, 0], [4, 3, 2, 1]).measure("precision", depth=2).value
    0.5
    """

    depth: int

    name = "precision_at_depth"
    aliases = ("precision_at_k",)
    label = "The precision of the first rows"
    classes: ClassVar[Classes] = "either"

    intervals = ("bayes", "bootstrap")
    weighted_interval = "bootstrap"
    needs_balance = True

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return the outer limits of a proportion of as many independent rows and of weighted tables.

        The former allow for rows that the sample lacks, the latter for a number of positives that is left to chance.
        """
        del options
        found = estimate.value * self.depth
        rows = proportion_interval(found, self.depth, method=method, confidence_level=level)
        table, (low, high) = estimate.counts, (float(end) for end in rows)
        share = _PrecisionOfShare(min(self.depth / float(table.n_pos + table.n_neg), 1.0))
        ends = share.adverse_ends(share.estimate(table), level) if min(table.n_pos, table.n_neg) > 0 else (low, high)
        return min(low, ends[0]), max(high, ends[1])

    def of(self, table: Counts) -> float:
        """Return the precision of a table."""
        return _found(table, self.depth) / self.depth

    def values(self, batch: Batch) -> FloatArray:
        """Return the precision of each table."""
        return self._first(batch) / self.depth


@measure(held={"recall": ("depth",)})
@value
class RecallAtDepth(_AtDepth):
    """The proportion of the positives that the first rows hold.

    Parameters
    ----------
    depth : int
        How many rows, at least 1.

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([1, 0, 1, 0], [4, 3, 2, 1]).measure("recall", depth=3).value
    1.0
    """

    depth: int

    name = "recall_at_depth"
    aliases = ("recall_at_k",)
    label = "The recall of the first rows"
    classes: ClassVar[Classes] = "pos"
    needs_balance = True

    def of(self, table: Counts) -> float:
        """Return the recall of a table."""
        return _found(table, self.depth) / table.n_pos

    def values(self, batch: Batch) -> FloatArray:
        """Return the recall of each table."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self._first(batch) / batch.totals[0])


@measure()
@value
class EnrichmentFactor(Measure):
    """The precision of the highest-ranked proportion of cases over the prevalence; ties are spread evenly.

    Parameters
    ----------
    fraction : float, default=0.01
        The proportion of all cases, in (0, 1].

    Examples
    --------
    >>> import thresher as th
    >>> th.Scores([1, 1, 0, 0, 0, 0, 0, 1], range(8, 0, -1)).measure("enrichment_factor", fraction=0.25).value
    2.6666666666666665
    """

    fraction: float = 0.01

    name = "enrichment_factor"
    aliases = ("ef",)
    label = "The enrichment factor"
    intervals = ("bayes", "bootstrap")
    weighted_interval = "bootstrap"
    needs = "ranks"
    monotone = True
    bounds = (0.0, float("inf"))
    needs_balance = True

    def __post_init__(self) -> None:
        if not isinstance(self.fraction, int | float | np.number) or not 0.0 < self.fraction <= 1.0:
            raise InvalidInputError(f"`fraction` must be one number in (0, 1]; got {show(self.fraction)}.")

    def interval(self, estimate: Estimate, level: float, method: str, options: IntervalOptions) -> Span:
        """Return the limits of the precision of the first rows over the prevalence, as of independent proportions."""
        del options
        n_pos, n_neg = float(estimate.counts.n_pos), float(estimate.counts.n_neg)
        first = self.fraction * (n_pos + n_neg)
        found = min(estimate.value * first * n_pos / (n_pos + n_neg), first)
        low, high = ratio_bounds(found, first, n_pos, n_pos + n_neg, level, method)
        return low, min(high, 1.0 / self.fraction)

    def of(self, table: Counts) -> float:
        """Return the factor of a table."""
        tp, fp = padded_counts(table)
        depth = self.fraction * float(tp[-1] + fp[-1])
        found = float(counts_between(tp, bracket_tp(tp + fp, np.asarray(depth))))
        return found / depth / table.prevalence

    def values(self, batch: Batch) -> FloatArray:
        """Return the factor of each table."""
        n_pos, n_neg = batch.totals
        depth = self.fraction * (n_pos + n_neg)
        return np.asarray(positives_at_depth(batch, depth) / depth / (n_pos / (n_pos + n_neg)))


@measure()
@value
class Bedroc(Measure):
    """The Boltzmann-enhanced discrimination of the ROC curve: ranks count exponentially less, scaled to [0, 1].

    Parameters
    ----------
    alpha : float, default=20.0
        How fast ranks lose weight; with 20 the first 8% of the ranking carry 80% of it.

    Notes
    -----
    Tied cases share the mean weight of their ranks, which is what a random order gives on average.

    Examples
    --------
    >>> import thresher as th
    >>> round(th.Scores([1, 1, 0, 0, 0, 0, 0, 1], range(8, 0, -1)).measure("bedroc").value, 4)
    0.9938
    """

    alpha: float = 20.0

    name = "bedroc"
    label = "BEDROC"
    intervals = ("bootstrap",)
    needs = "ranks"
    monotone = True
    needs_balance = True

    def __post_init__(self) -> None:
        if not isinstance(self.alpha, int | float | np.number) or not 0.0 < self.alpha < math.inf:
            raise InvalidInputError(f"`alpha` must be positive and finite; got {show(self.alpha)}. Hint: 20 is usual.")

    def of(self, table: Counts) -> float:
        """Return the value of a table."""
        return Measure.of(self, check_whole(table, self.label))

    def values(self, batch: Batch) -> FloatArray:
        """Return the value of each table."""
        rows = batch.pos + batch.neg
        n_pos, total = batch.totals[0], rows.sum(axis=1)
        rate = (self.alpha / total)[:, None]
        before = np.cumsum(rows, axis=1) - rows
        # The sum of exp(-rate r) over the ranks before + 1 ... before + rows.
        summed = np.exp(-rate * (before + 1.0)) * np.expm1(-rate * rows) / np.expm1(-rate)
        mean = np.divide(summed, rows, out=np.zeros_like(rows), where=rows > 0)
        enhanced = np.array([dot(pos, weight) for pos, weight in zip(batch.pos, mean, strict=True)]) / n_pos
        # Scaled between the worst and the best ranking with these counts.
        rate = rate[:, 0]
        best = np.exp(-rate) * np.expm1(-rate * n_pos) / np.expm1(-rate) / n_pos
        worst = best * np.exp(-self.alpha * (1.0 - n_pos / total))
        return np.asarray((enhanced - worst) / (best - worst))
