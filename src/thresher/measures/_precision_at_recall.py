"""The precision where the curve first reaches a recall."""

from __future__ import annotations

from typing import Any

from thresher._core.checks import check_prevalence
from thresher._core.resampling import Wanted
from thresher._core.values import value
from thresher._curves import pr_curve
from thresher._inference import pr_band
from thresher._inference.bootstrap import replicate_areas
from thresher._inference.sampling import Kernel
from thresher._table import Batch, Counts
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
        The proportion of positives to which precision refers; that of the data by default.

    Examples
    --------
    >>> import thresher as th
    >>> th.measures.PrecisionAtRecall(0.5).of(th.Scores([1, 0, 1, 0], [4, 3, 2, 1]))
    1.0
    """

    recall: float
    prevalence: float | None = None

    name = "precision_at_recall"
    needs = "path"
    monotone = True
    label = "The precision at a recall"
    example = "for example `recall=0.8`"

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

    def values(self, batch: Batch) -> FloatArray:
        """Return the precision of each table."""
        return replicate_areas.precision_at(
            batch.pos, batch.neg, batch.at, recall=self.recall, prevalence=self.prevalence
        )

    @property
    def kernel(self) -> Kernel:
        """The compiled bootstrap knows the precision at a recall."""
        odds = 0.0 if self.prevalence is None else (1.0 - self.prevalence) / self.prevalence
        return Kernel(Wanted(odds, recalls=(self.recall,)), lambda found: found.precision_at[:, 0])

    def of_population(self, population: Any) -> float:
        """Return the population's precision."""
        return float(population.pr(self.recall, prevalence=self.prevalence))
