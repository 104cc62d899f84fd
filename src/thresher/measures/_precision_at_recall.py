"""The precision where the curve first reaches a recall."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from thresher._core.checks import check_prevalence
from thresher._core.resampling import Replicates, Wanted
from thresher._core.values import value
from thresher._curves import pr_curve
from thresher._inference import pr_band
from thresher._inference.bootstrap import replicate_areas
from thresher._table import Counts
from thresher.exceptions import InvalidInputError
from thresher.measures._measure import Span
from thresher.measures._point_on_curve import PointOnCurve, check_held_rate
from thresher.measures._registry import measure
from thresher.typing import FloatArray

__all__ = ["PrecisionAtRecall"]


@measure(held={"precision": ("recall",), "ppv": ("recall",)})
@value
class PrecisionAtRecall(PointOnCurve):
    """The precision at a recall, interpolated as mixing two thresholds achieves it.

    Parameters
    ----------
    recall : float
        In (0, 1].
    prevalence : float, optional
        The share of positives to which precision refers; that of the data by default.

    Examples
    --------
    >>> import thresher as th
    >>> th.measures.PrecisionAtRecall(0.5).of(th.Scores([1, 0, 1, 0], [4, 3, 2, 1]))
    1.0
    """

    recall: float
    prevalence: float | None = None

    name = "precision_at_recall"
    label = "The precision at a recall"
    example = "for example `recall=0.8`"
    citation = "J. Davis and M. Goadrich (2006), doi:10.1145/1143844.1143874"

    def __post_init__(self) -> None:
        object.__setattr__(self, "recall", check_held_rate(self.recall, "recall", "precision_at_recall"))
        if self.prevalence is not None:
            object.__setattr__(self, "prevalence", check_prevalence(self.prevalence))

    @property
    def needs_balance(self) -> bool:
        """Whether precision refers to the class balance of the sample."""
        return self.prevalence is None

    def of(self, table: Counts) -> float:
        """Return the precision of a table."""
        return pr_curve(table, prevalence=self.prevalence).at(recall=self.recall).precision

    def band_ends(self, table: Counts, level: float, design: str) -> Span:
        """Return the ends of the PR band at the recall."""
        band = pr_band(table, [self.recall], confidence_level=level, prevalence=self.prevalence, design=design)
        return float(band.low[0]), float(band.high[0])

    def of_replicates(self, pos: FloatArray, neg: FloatArray, at: replicate_areas.Columns) -> FloatArray:
        """Return the precision of each table."""
        return replicate_areas.precision_at(pos, neg, at, recall=self.recall, prevalence=self.prevalence)

    def wanted(self) -> Wanted:
        """Return what the compiled bootstrap measures."""
        odds = 0.0 if self.prevalence is None else (1.0 - self.prevalence) / self.prevalence
        return Wanted(odds, recalls=(self.recall,))

    def measured(self, found: Replicates) -> FloatArray:
        """Return the precisions that it measured."""
        return found.precision_at[:, 0]

    def of_population(self, population: Any) -> float:
        """Return the population's precision."""
        return float(population.pr(self.recall, prevalence=self.prevalence))

    def population_sigma(self, population: Any, *, random: bool) -> float:
        """Return the asymptotic standard deviation, by the density ratio at the threshold."""
        sigma = float(population.asymptotic_sd(self.recall, 1, design="random" if random else "fixed"))
        if math.isnan(sigma):
            raise InvalidInputError(
                f"precision at recall {self.recall:g} must have a density ratio there for a normal approximation; "
                "this population has none. Hint: `population.sampling(recall, n)` gives the exact law of the estimate."
            )
        return sigma

    def simulated(self, population: Any, n: int, size: int, rng: np.random.Generator, design: str) -> FloatArray:
        """Return the precisions of studies, drawn from their law without any scores."""
        found: FloatArray = population.simulate(n, size, recalls=[self.recall], rng=rng, design=design)[:, 0]
        return found
