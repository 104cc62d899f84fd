"""Early recognition, as virtual screening asks for it: enrichment factor and BEDROC."""

from __future__ import annotations

import math

import numpy as np

from thresher._core.checks import show
from thresher._core.sums import dot
from thresher._core.values import value
from thresher._curves import bracket_tp, counts_between
from thresher._inference.sampling import check_whole
from thresher._table import Batch, Counts, padded_counts
from thresher.exceptions import InvalidInputError
from thresher.measures._at_depth import positives_at_depth
from thresher.measures._measure import Measure, Span
from thresher.measures._registry import measure
from thresher.typing import FloatArray

__all__ = ["Bedroc", "EnrichmentFactor"]


@measure()
@value
class EnrichmentFactor(Measure):
    """How many times the prevalence the best-ranked proportion of cases holds; ties are spread evenly.

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
    intervals = ("bootstrap",)
    needs = "ranks"
    monotone = True

    def __post_init__(self) -> None:
        if not isinstance(self.fraction, int | float | np.number) or not 0.0 < self.fraction <= 1.0:
            raise InvalidInputError(f"`fraction` must be one number in (0, 1]; got {show(self.fraction)}.")

    @property
    def bounds(self) -> Span:
        """At most every case of the share is positive."""
        return (0.0, float("inf"))

    @property
    def needs_balance(self) -> bool:
        """A proportion of all cases mixes the classes."""
        return True

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

    def __post_init__(self) -> None:
        if not isinstance(self.alpha, int | float | np.number) or not 0.0 < self.alpha < math.inf:
            raise InvalidInputError(f"`alpha` must be positive and finite; got {show(self.alpha)}. Hint: 20 is usual.")

    @property
    def needs_balance(self) -> bool:
        """Ranks mix the classes."""
        return True

    def of(self, table: Counts) -> float:
        """Return the figure of a table."""
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
