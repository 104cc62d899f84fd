"""Early recognition, as virtual screening asks for it: enrichment factor and BEDROC."""

from __future__ import annotations

import math

import numpy as np

from thresher._core.checks import show
from thresher._core.sums import dot
from thresher._core.values import value
from thresher._curves import bracket_tp, counts_between
from thresher._inference.influence import check_whole
from thresher._table import Counts, padded_counts
from thresher.exceptions import InvalidInputError
from thresher.measures._measure import Measure, Span
from thresher.measures._registry import measure

__all__ = ["Bedroc", "EnrichmentFactor"]


@measure()
@value
class EnrichmentFactor(Measure):
    """How many times the base rate of positives the best-ranked share of cases holds; ties are spread evenly.

    Parameters
    ----------
    fraction : float, default=0.01
        The share of all cases, in (0, 1].

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
    citation = "J.-F. Truchon and C. I. Bayly (2007), doi:10.1021/ci600426e"
    intervals = ("bootstrap",)
    path_only = False

    def __post_init__(self) -> None:
        if not isinstance(self.fraction, int | float | np.number) or not 0.0 < self.fraction <= 1.0:
            raise InvalidInputError(f"`fraction` must be one number in (0, 1]; got {show(self.fraction)}.")

    @property
    def bounds(self) -> Span:
        """At most every case of the share is positive."""
        return (0.0, float("inf"))

    @property
    def needs_balance(self) -> bool:
        """A share of all cases mixes the classes."""
        return True

    def of(self, table: Counts) -> float:
        """Return the factor of a table."""
        tp, fp = padded_counts(table)
        depth = self.fraction * float(tp[-1] + fp[-1])
        found = float(counts_between(tp, bracket_tp(tp + fp, np.asarray(depth))))
        return found / depth / table.prevalence


@measure()
@value
class Bedroc(Measure):
    """The Boltzmann-enhanced discrimination of the ROC curve: ranks count exponentially less, scaled to [0, 1].

    Parameters
    ----------
    alpha : float, default=20.0
        How fast ranks lose weight; with 20 the first 8 % of the ranking carry 80 % of it.

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
    citation = "J.-F. Truchon and C. I. Bayly (2007), doi:10.1021/ci600426e"
    intervals = ("bootstrap",)
    path_only = False

    def __post_init__(self) -> None:
        if not isinstance(self.alpha, int | float | np.number) or not 0.0 < self.alpha < math.inf:
            raise InvalidInputError(f"`alpha` must be positive and finite; got {show(self.alpha)}. Hint: 20 is usual.")

    @property
    def needs_balance(self) -> bool:
        """Ranks mix the classes."""
        return True

    def of(self, table: Counts) -> float:
        """Return the figure of a table."""
        check_whole(table, self.label)
        rows = (table.pos + table.neg).astype(np.float64)
        total = float(rows.sum())
        rate = self.alpha / total
        before = np.append(0.0, np.cumsum(rows)[:-1])
        # The mean of exp(-rate r) over the ranks before + 1 ... before + rows.
        weight = np.exp(-rate * (before + 1.0)) * np.expm1(-rate * rows) / math.expm1(-rate) / rows
        share = float(table.n_pos) / total
        enhanced = dot(table.pos, weight) / float(table.n_pos)
        # Scaled between the worst and the best ranking with these counts.
        best = math.exp(-rate) * math.expm1(-rate * share * total) / math.expm1(-rate) / (share * total)
        worst = best * math.exp(-self.alpha * (1.0 - share))
        return (enhanced - worst) / (best - worst)
